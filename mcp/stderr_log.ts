/**
 * The server's log: lines on standard error, which hosts keep apart from the protocol.
 *
 * @module
 */

import process from "node:process";

/** Writes one line. */
export function logLine(text: string): void {
  process.stderr.write(`mnem-mcp: ${text}\n`);
}

/** Writes what is known of a failure, for whoever runs the server. */
export function logError(error: unknown): void {
  logLine(error instanceof Error ? error.stack ?? error.message : `${error}`);
}
