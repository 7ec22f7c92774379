/**
 * A log that nobody need read.
 *
 * @module
 */

import type { Writable } from "node:stream";
import { LOG_BACKLOG_BYTES_MAX, LOG_UNITS_MAX } from "./limits.ts";
import { settledWithin } from "./settled_within.ts";

/**
 * Writes text to a stream without ever waiting for its reader: what would pile up is left out, and
 * the next line that has room says how much.
 */
export class Log {
  readonly #stream: Writable;
  #leftOut = 0;

  /** Makes a log over a stream. A reader that has gone is no failure. */
  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on("error", () => {});
  }

  /** Writes a text, cut if it is very long. */
  write(text: string): void {
    if (this.#stream.writableLength > LOG_BACKLOG_BYTES_MAX) {
      this.#leftOut += 1;
      return;
    }
    if (this.#leftOut > 0) {
      this.#stream.write(`mnem-mcp: left out ${this.#leftOut} messages\n`);
      this.#leftOut = 0;
    }
    this.#stream.write(
      text.length > LOG_UNITS_MAX
        ? `${text.slice(0, LOG_UNITS_MAX)}...\n`
        : text,
    );
  }

  /** Settles when everything is written, or after so many milliseconds. */
  flushed(ms: number): Promise<void> {
    const written = new Promise<void>((resolve) => {
      this.#stream.write("", () => resolve());
    });
    return settledWithin(written, ms);
  }
}
