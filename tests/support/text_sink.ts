/**
 * A stream that keeps what is written to it.
 *
 * @module
 */

import { Writable } from "node:stream";

/** A stream that takes everything at once. */
export interface TextSink {
  /** To be written to. */
  readonly stream: Writable;
  /** Returns what was written so far. */
  text(): string;
}

/** Makes a sink. */
export function textSink(): TextSink {
  const written: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => written.join("") };
}
