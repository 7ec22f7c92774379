/**
 * The server's log: lines on standard error, which hosts keep apart from the protocol.
 *
 * @module
 */

import { LOG_FLUSH_MS_MAX } from "./limits.ts";
import { Log } from "./log.ts";
import { outputStream } from "./output_stream.ts";

let opened: Log | undefined;

/** Writes one line. */
export function logLine(text: string): void {
  logText(`mnem-mcp: ${text}\n`);
}

/** Writes what is known of a failure, for whoever runs the server. */
export function logError(error: unknown): void {
  logLine(error instanceof Error ? error.stack ?? error.message : `${error}`);
}

/** Writes text as it is. */
export function logText(text: string): void {
  log().write(text);
}

/** Settles when the log is written, as far as somebody reads it. */
export function logFlushed(): Promise<void> {
  return log().flushed(LOG_FLUSH_MS_MAX);
}

function log(): Log {
  return opened ??= new Log(outputStream("stderr"));
}
