/**
 * Cuts a byte stream into frames, one a line.
 *
 * @module
 */

/** What one line held: its text, or why it has none. */
export type Frame =
  | { readonly text: string }
  | { readonly fault: "oversized" | "encoding"; readonly message: string };

const LINE_FEED = 0x0a;
const NOTHING: Uint8Array<ArrayBuffer> = new Uint8Array(0);

/**
 * Reads frames from chunks of bytes. Lines end with LF or CRLF; a byte order mark at their start is
 * dropped. A line that comes in parts is gathered in a buffer that doubles, so that a large one costs
 * linear time, and one that comes byte by byte no more memory than another.
 */
export class FrameReader {
  readonly #bytesMax: number;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #begun = NOTHING;
  #bytes = 0;
  #skipping = false;

  /** Makes a reader for lines of at most so many bytes. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Takes the next bytes and returns the frames that they end, in order. An oversized frame is told once, as soon as it is over the limit. */
  push(chunk: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    let start = 0;
    for (
      let end = chunk.indexOf(LINE_FEED);
      end !== -1;
      end = chunk.indexOf(LINE_FEED, start)
    ) {
      const rest = chunk.subarray(start, end);
      if (this.#fits(rest, frames)) frames.push(this.#take(rest));
      this.#skipping = false;
      start = end + 1;
    }
    const rest = chunk.subarray(start);
    if (this.#fits(rest, frames)) this.#keep(rest);
    return frames;
  }

  /** Returns the last frame, if the stream ended without a line feed. */
  end(): Frame[] {
    return this.#bytes === 0 ? [] : [this.#take(NOTHING)];
  }

  /** Tells whether a line goes on within the limit, and says so once if it does not. */
  #fits(part: Uint8Array, frames: Frame[]): boolean {
    if (this.#skipping) return false;
    if (this.#bytes + part.length <= this.#bytesMax) return true;
    this.#skipping = true;
    this.#clear();
    frames.push({
      fault: "oversized",
      message: `Frame is over the limit of ${this.#bytesMax} bytes`,
    });
    return false;
  }

  #take(last: Uint8Array): Frame {
    if (this.#bytes === 0) return this.#decoded(last);
    this.#keep(last);
    const frame = this.#decoded(this.#begun.subarray(0, this.#bytes));
    this.#clear();
    return frame;
  }

  #decoded(bytes: Uint8Array): Frame {
    try {
      const text = this.#decoder.decode(bytes);
      return { text: text.endsWith("\r") ? text.slice(0, -1) : text };
    } catch {
      return { fault: "encoding", message: "Frame is not UTF-8" };
    }
  }

  #keep(part: Uint8Array): void {
    const bytes = this.#bytes + part.length;
    if (bytes > this.#begun.length) {
      const larger = new Uint8Array(Math.max(bytes, 2 * this.#begun.length));
      larger.set(this.#begun.subarray(0, this.#bytes));
      this.#begun = larger;
    }
    this.#begun.set(part, this.#bytes);
    this.#bytes = bytes;
  }

  #clear(): void {
    this.#begun = NOTHING;
    this.#bytes = 0;
  }
}
