/**
 * The text of a bundle as bytes that arrive piece by piece, and a cursor in them.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { quote } from "../object/quote.ts";

const NEVER = -1;

class OutOfBytes extends Error {}

/**
 * Thrown where the bytes at hand end before what is being read does: go back to the mark, fetch more
 * and read it again.
 */
export const outOfBytes: Error = new OutOfBytes("More bytes must be fetched");

/** A window on bytes. Every method throws {@linkcode outOfBytes}, or `corrupt_store` with the place. */
export class ByteWindow {
  /** What is at hand: bytes up to `end`. Grows with the pieces, and what must be read as a whole. */
  protected bytes: Uint8Array = new Uint8Array();
  /** Where in it the cursor stands. */
  protected at = 0;
  /** How many of the bytes are filled. */
  protected end = 0;
  readonly #source: AsyncIterator<Uint8Array>;
  #marked = 0;
  // Bytes that came before the window.
  #before = 0;
  #isWhole = false;

  /** Reads from the pieces of a text. */
  constructor(source: AsyncIterator<Uint8Array>) {
    this.#source = source;
  }

  /** Where in the whole text the cursor stands, in bytes. */
  get position(): number {
    return this.#before + this.at;
  }

  /** Remembers the cursor's place: what came before it is not needed again. */
  mark(): void {
    this.#marked = this.at;
  }

  /** Goes back to the mark. */
  rewind(): void {
    this.at = this.#marked;
  }

  /** Fetches more bytes; the cursor must be at the mark. */
  async fetch(): Promise<void> {
    const kept = this.end - this.#marked;
    const step = await this.#source.next();
    if (step.done) {
      this.#isWhole = true;
      return;
    }
    const { value } = step;
    if (!(value instanceof Uint8Array)) {
      throw new TypeError("A bundle must be a stream of Uint8Array");
    }
    const old = this.bytes;
    if (kept + value.length > old.length) {
      const size = Math.max(2 * old.length, kept + value.length);
      this.bytes = new Uint8Array(size);
    }
    this.bytes.set(old.subarray(this.#marked, this.end));
    this.bytes.set(value, kept);
    this.#before += this.#marked;
    this.at = this.#marked = 0;
    this.end = kept + value.length;
  }

  /** Reads a token or more as a whole, fetching as often as it takes. */
  async whole<T>(read: () => T): Promise<T> {
    for (;;) {
      const answer = this.#attempt(read);
      if (answer !== undefined) return answer[0];
      await this.fetch();
    }
  }

  /** Reads likewise if the bytes at hand will do; undefined if not: then read it with {@linkcode whole}. */
  now<T>(read: () => T): T | undefined {
    return this.#attempt(read)?.[0];
  }

  /** Passes over white space and returns the byte there, -1 at the end of the text. */
  peek(): number {
    const bytes = this.bytes;
    let at = this.at;
    while (at < this.end) {
      const byte = bytes[at]!;
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
        this.at = at;
        return byte;
      }
      at++;
    }
    this.at = at;
    return this.short();
  }

  /** Passes over a mark, such as a comma, if it is next. */
  take(mark: number): boolean {
    if (this.peek() !== mark) return false;
    this.at++;
    return true;
  }

  /** Passes over a mark; nothing else may be next. */
  expect(mark: number): void {
    if (!this.take(mark)) this.fail(quote(String.fromCharCode(mark)));
  }

  /** Throws `corrupt_store`: what was found at the cursor, or at another place, and what must be. */
  fail(must: string, at: number = this.at): never {
    const byte = at < this.end ? this.bytes[at]! : NEVER;
    const found = byte === NEVER
      ? "its end"
      : byte < 0x80
      ? quote(String.fromCharCode(byte))
      : `the byte ${byte.toString(16)}`;
    throw new MnemError(
      "corrupt_store",
      `Cannot read bundle: found ${found} at byte ${
        this.#before + at
      }, must be ${must}`,
    );
  }

  /** What a read finds at the end of the window: more may come. */
  protected short(): typeof NEVER {
    if (this.#isWhole) return NEVER;
    throw outOfBytes;
  }

  /** Reads; undefined where the bytes run out: then the cursor stays where it was. */
  #attempt<T>(read: () => T): readonly [T] | undefined {
    this.mark();
    try {
      return [read()];
    } catch (error) {
      if (error !== outOfBytes) throw error;
      this.rewind();
      return undefined;
    }
  }
}
