/**
 * Bytes as lines of text: a line that is too long or no UTF-8 is a fault of its own, and the next one
 * is read all the same.
 *
 * @module
 */

import { Buffer } from "node:buffer";

/** One line without its end. */
export interface TextLine {
  /** From 1. */
  readonly number: number;
  /** What it says; of a line with a fault, nothing. */
  readonly text: string;
  /** Why it cannot be read; undefined: it can. */
  readonly fault: string | undefined;
  /** Whether a line feed ends it: the last line of a file may have been cut. */
  readonly isEnded: boolean;
}

/** More than any content can hold. */
export const LINE_BYTES_MAX: number = 32 * 1024 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Yields the lines of a file. A byte order mark at the beginning and a carriage return at the end of a
 * line are no part of it. A line over the limit is not held.
 */
export async function* textLines(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number = LINE_BYTES_MAX,
): AsyncGenerator<TextLine> {
  const open = new OpenLine(limit);
  for await (const piece of bytes) {
    let from = 0;
    for (;;) {
      const end = piece.indexOf(LINE_FEED, from);
      if (end < 0) break;
      open.add(piece.subarray(from, end));
      yield open.close(true);
      from = end + 1;
    }
    open.add(piece.slice(from));
  }
  if (open.size > 0) yield open.close(false);
}

class OpenLine {
  readonly #limit: number;
  #parts: Uint8Array[] = [];
  #number = 1;
  size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(part: Uint8Array): void {
    this.size += part.length;
    if (this.size > this.#limit) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  close(isEnded: boolean): TextLine {
    const number = this.#number++;
    const [parts, size] = [this.#parts, this.size];
    this.#parts = [];
    this.size = 0;
    if (size > this.#limit) {
      const fault = `the line has ${size} bytes, the limit is ${this.#limit}`;
      return { number, text: "", fault, isEnded };
    }
    const bytes = withoutReturn(Buffer.concat(parts));
    try {
      const decoder = new TextDecoder("utf-8", {
        fatal: true,
        ignoreBOM: number !== 1,
      });
      return { number, text: decoder.decode(bytes), fault: undefined, isEnded };
    } catch {
      const fault = "the line holds bytes that are not UTF-8 text";
      return { number, text: "", fault, isEnded };
    }
  }
}

function withoutReturn(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
}
