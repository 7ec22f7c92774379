/**
 * A cursor over the JSON text of a bundle, as bytes that arrive piece by piece. What it reads goes
 * straight into canonical CBOR: a bundle holds millions of values, and none of them becomes an object.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { INTEGER_MAX, INTEGER_MIN } from "../object/cbor_value.ts";
import type { CborWriter } from "../object/cbor_writer.ts";
import { hexDigit } from "../object/hex.ts";
import { quote } from "../object/quote.ts";
import { decodeUtf8, faultyByte } from "../object/utf8.ts";
import { spanNumber } from "./number_span.ts";

/** Bytes of the window at first; it grows with what must be read as a whole. */
const WINDOW_BYTES = 64 * 1024;

/** Integers of so many digits are read without a detour. */
const SHORT_DIGITS = 15;

/** -2^63 and 2^64 - 1 have at most this many characters. */
const INTEGER_UNITS_MAX = 20;

/** The greatest integer of 64 bits with a sign. */
const SIGNED_MAX = 2n ** 63n - 1n;

const NEVER = -1;

class OutOfBytes extends Error {}

/**
 * Thrown where the bytes at hand end before what is being read does: go back to the mark, fetch more
 * and read it again.
 */
export const outOfBytes: Error = new OutOfBytes("More bytes must be fetched");

/** What kind of number was read. */
export type NumberForm = "integer" | "float";

/** Reads JSON tokens. Every method throws {@linkcode outOfBytes}, or `corrupt_store` with the place. */
export class JsonBytes {
  readonly #source: AsyncIterator<Uint8Array>;
  #bytes = new Uint8Array(WINDOW_BYTES);
  #at = 0;
  #end = 0;
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
    return this.#before + this.#at;
  }

  /** Remembers the cursor's place: what came before it is not needed again. */
  mark(): void {
    this.#marked = this.#at;
  }

  /** Goes back to the mark. */
  rewind(): void {
    this.#at = this.#marked;
  }

  /** Fetches more bytes; the cursor must be at the mark. */
  async fetch(): Promise<void> {
    const kept = this.#end - this.#marked;
    const step = await this.#source.next();
    if (step.done) {
      this.#isWhole = true;
      return;
    }
    const { value } = step;
    if (!(value instanceof Uint8Array)) {
      throw new TypeError("A bundle must be a stream of Uint8Array");
    }
    const old = this.#bytes;
    if (kept + value.length > old.length) {
      const size = Math.max(2 * old.length, kept + value.length);
      this.#bytes = new Uint8Array(size);
    }
    this.#bytes.set(old.subarray(this.#marked, this.#end));
    this.#bytes.set(value, kept);
    this.#before += this.#marked;
    this.#at = this.#marked = 0;
    this.#end = kept + value.length;
  }

  /** Reads a token or more as a whole, fetching as often as it takes. */
  async whole<T>(read: () => T): Promise<T> {
    for (;;) {
      this.mark();
      try {
        return read();
      } catch (error) {
        if (error !== outOfBytes) throw error;
        this.rewind();
      }
      await this.fetch();
    }
  }

  /** Passes over white space and returns the byte there, -1 at the end of the text. */
  peek(): number {
    const bytes = this.#bytes;
    let at = this.#at;
    while (at < this.#end) {
      const byte = bytes[at]!;
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
        this.#at = at;
        return byte;
      }
      at++;
    }
    this.#at = at;
    return this.#short();
  }

  /** Passes over a mark, such as a comma, if it is next. */
  take(mark: number): boolean {
    if (this.peek() !== mark) return false;
    this.#at++;
    return true;
  }

  /** Passes over a mark; nothing else may be next. */
  expect(mark: number): void {
    if (!this.take(mark)) this.fail(quote(String.fromCharCode(mark)));
  }

  /** Reads a string as text. */
  text(): string {
    const { start, stop, isEscaped, isAscii } = this.#string();
    if (isEscaped) return this.#unescaped(start, stop);
    if (!isAscii) return this.#decoded(start, stop);
    let text = "";
    for (let i = start; i < stop; i++) {
      text += String.fromCharCode(this.#bytes[i]!);
    }
    return text;
  }

  /** Copies a string. */
  copyText(out: CborWriter): void {
    const { start, stop, isEscaped, isAscii } = this.#string();
    if (isEscaped) return out.text(this.#unescaped(start, stop));
    if (!isAscii) this.#decoded(start, stop);
    out.utf8(this.#bytes, start, stop);
  }

  /** Copies an object id: 64 hex digits in a string become 32 bytes. */
  copyId(out: CborWriter): void {
    const begin = this.#at;
    const { start, stop } = this.#string();
    const bytes = this.#bytes;
    const id = new Uint8Array(32);
    let isId = stop - start === 64;
    for (let i = 0; i < 32 && isId; i++) {
      const high = hexDigit(bytes[start + 2 * i]!);
      const low = hexDigit(bytes[start + 2 * i + 1]!);
      id[i] = high * 16 + low;
      isId = high >= 0 && low >= 0;
    }
    if (!isId) this.fail("an object id, 64 hex digits", begin);
    out.bytes(id);
  }

  /** Copies `true`, `false` or `null`. */
  copyWord(out: CborWriter): void {
    const first = this.peek();
    if (first === 0x74) this.#word("true");
    else if (first === 0x66) this.#word("false");
    else if (first === 0x6e) this.#word("null");
    else this.fail("a value");
    if (first === 0x6e) out.null();
    else out.bool(first === 0x74);
  }

  /**
   * Copies a number in its form: with a fraction or an exponent, outside -2^63 to 2^64 - 1, or `-0`,
   * it is a float, else an integer.
   */
  copyNumber(out: CborWriter): NumberForm {
    const start = this.#at;
    const isInteger = this.#number();
    const size = this.#at - start;
    if (isInteger && size <= SHORT_DIGITS) {
      const value = this.#digits(start, this.#at);
      if (!Object.is(value, -0)) {
        out.int(value);
        return "integer";
      }
    }
    const token = this.#decoded(start, this.#at);
    if (isInteger && size <= INTEGER_UNITS_MAX && token !== "-0") {
      const value = BigInt(token);
      if (value >= INTEGER_MIN && value <= INTEGER_MAX) {
        out.int(value);
        return "integer";
      }
    }
    const value = Number(token);
    if (!Number.isFinite(value)) {
      this.fail("a number that a double can hold", start);
    }
    out.float(value);
    return "float";
  }

  /** Copies an integer of 64 bits with a sign. */
  copyInteger(out: CborWriter): void {
    this.peek();
    const start = this.#at;
    const isInteger = this.copyNumber(out) === "integer" &&
      (this.#at - start < INTEGER_UNITS_MAX - 1 ||
        BigInt(this.#decoded(start, this.#at)) <= SIGNED_MAX);
    if (!isInteger) this.fail("an integer of 64 bits", start);
  }

  /** Throws `corrupt_store`: what was found at the cursor, or at another place, and what must be. */
  fail(must: string, at: number = this.#at): never {
    const byte = at < this.#end ? this.#bytes[at]! : NEVER;
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
  #short(): typeof NEVER {
    if (this.#isWhole) return NEVER;
    throw outOfBytes;
  }

  /** Passes over a string, and tells where its text lies. */
  #string(): {
    readonly start: number;
    readonly stop: number;
    readonly isEscaped: boolean;
    readonly isAscii: boolean;
  } {
    if (this.peek() !== 0x22) this.fail("a string");
    const bytes = this.#bytes;
    const start = this.#at + 1;
    let at = start;
    let seen = 0;
    let isEscaped = false;
    for (;; at++) {
      if (at >= this.#end) {
        this.#at = at;
        this.#short();
        this.fail("the rest of a string");
      }
      const byte = bytes[at]!;
      if (byte === 0x22) break;
      if (byte < 0x20) this.fail("a string without control characters", at);
      if (byte === 0x5c) {
        isEscaped = true;
        at++;
      }
      seen |= byte;
    }
    this.#at = at + 1;
    return { start, stop: at, isEscaped, isAscii: seen < 0x80 };
  }

  #decoded(start: number, stop: number): string {
    const bytes = this.#bytes.subarray(start, stop);
    try {
      return decodeUtf8(bytes);
    } catch {
      return this.fail("UTF-8", start + faultyByte(bytes));
    }
  }

  #unescaped(start: number, stop: number): string {
    const text = this.#decoded(start - 1, stop + 1);
    let string: string;
    try {
      string = JSON.parse(text);
    } catch {
      return this.fail("a string with valid escapes", start - 1);
    }
    if (!string.isWellFormed()) {
      this.fail("a string without lone surrogates", start - 1);
    }
    return string;
  }

  #word(word: string): void {
    for (let i = 0; i < word.length; i++) {
      if (this.#byteAt(this.#at + i) !== word.charCodeAt(i)) {
        this.fail("a value");
      }
    }
    this.#at += word.length;
  }

  /** Passes over a number; tells whether it is written as an integer. */
  #number(): boolean {
    const start = this.#at;
    const { stop, isValid, isInteger } = spanNumber(
      this.#bytes,
      start,
      this.#end,
    );
    if (stop >= this.#end) this.#short();
    if (!isValid) this.fail(stop === start ? "a value" : "a digit", stop);
    this.#at = stop;
    return isInteger;
  }

  #digits(start: number, stop: number): number {
    const isNegative = this.#bytes[start] === 0x2d;
    let value = 0;
    for (let i = isNegative ? start + 1 : start; i < stop; i++) {
      value = value * 10 + this.#bytes[i]! - 0x30;
    }
    return isNegative ? -value : value;
  }

  #byteAt(at: number): number {
    return at < this.#end ? this.#bytes[at]! : this.#short();
  }
}
