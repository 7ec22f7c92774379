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

/**
 * Reads frames from chunks of bytes. Lines end with LF or CRLF; a byte order mark at their start is
 * dropped. A line is joined once, when it ends, so that a large one costs linear time.
 */
export class FrameReader {
  readonly #bytesMax: number;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #slices: Uint8Array[] = [];
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
      this.#keep(chunk.subarray(start, end), frames);
      if (!this.#skipping) frames.push(this.#take());
      this.#skipping = false;
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start), frames);
    return frames;
  }

  /** Returns the last frame, if the stream ended without a line feed. */
  end(): Frame[] {
    return this.#bytes === 0 ? [] : [this.#take()];
  }

  #keep(slice: Uint8Array, frames: Frame[]): void {
    if (this.#skipping) return;
    this.#slices.push(slice);
    this.#bytes += slice.length;
    if (this.#bytes <= this.#bytesMax) return;
    this.#skipping = true;
    this.#clear();
    frames.push({
      fault: "oversized",
      message: `Frame is over the limit of ${this.#bytesMax} bytes`,
    });
  }

  #take(): Frame {
    const bytes = this.#join();
    this.#clear();
    try {
      const text = this.#decoder.decode(bytes);
      return { text: text.endsWith("\r") ? text.slice(0, -1) : text };
    } catch {
      return { fault: "encoding", message: "Frame is not UTF-8" };
    }
  }

  #join(): Uint8Array {
    const [first] = this.#slices;
    if (first !== undefined && this.#slices.length === 1) return first;
    const joined = new Uint8Array(this.#bytes);
    let at = 0;
    for (const slice of this.#slices) {
      joined.set(slice, at);
      at += slice.length;
    }
    return joined;
  }

  #clear(): void {
    this.#slices = [];
    this.#bytes = 0;
  }
}
