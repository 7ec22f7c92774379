/**
 * Reads JSON tokens of a bundle straight into canonical CBOR: a bundle holds millions of values, and
 * none of them becomes an object.
 *
 * @module
 */

import { INTEGER_MAX, INTEGER_MIN } from "../object/cbor_value.ts";
import type { CborWriter } from "../object/cbor_writer.ts";
import { hexDigit } from "../object/hex.ts";
import { decodeUtf8, faultyByte } from "../object/utf8.ts";
import { ByteWindow } from "./byte_window.ts";
import { spanNumber } from "./number_span.ts";

/** Integers of so many digits are read without a detour. */
const SHORT_DIGITS = 15;

/** -2^63 and 2^64 - 1 have at most this many characters. */
const INTEGER_UNITS_MAX = 20;

/** Names that are looked for are shorter. */
const NAME_BYTES_MAX = 16;

/** The greatest integer of 64 bits with a sign. */
const SIGNED_MAX = 2n ** 63n - 1n;

/** What kind of number was read. */
export type NumberForm = "integer" | "float";

/** Reads and copies tokens. */
export class JsonBytes extends ByteWindow {
  readonly #id = new Uint8Array(32);

  /** Reads a string as text. */
  text(): string {
    const { start, stop, isEscaped, isAscii } = this.#string();
    if (isEscaped) return this.#unescaped(start, stop);
    if (!isAscii) return this.#decoded(start, stop);
    let text = "";
    for (let i = start; i < stop; i++) {
      text += String.fromCharCode(this.bytes[i]!);
    }
    return text;
  }

  /** Passes over a string if it is one of some names; tells which, or -1. */
  takeOneOf(names: readonly Uint8Array[]): number {
    const start = this.at + 1;
    if (start + NAME_BYTES_MAX >= this.end) this.short();
    const bytes = this.bytes;
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      let same = 0;
      while (same < name.length && bytes[start + same] === name[same]) same++;
      if (same < name.length || bytes[start + same] !== 0x22) continue;
      this.at = start + same + 1;
      return i;
    }
    return -1;
  }

  /** Copies a string. */
  copyText(out: CborWriter): void {
    const { start, stop, isEscaped, isAscii } = this.#string();
    if (isEscaped) return out.text(this.#unescaped(start, stop));
    if (!isAscii) this.#decoded(start, stop);
    out.utf8(this.bytes, start, stop);
  }

  /** Copies an object id: 64 hex digits in a string become 32 bytes. */
  copyId(out: CborWriter): void {
    this.id(this.#id);
    out.bytes(this.#id);
  }

  /** Reads an object id, 64 hex digits in a string, into 32 bytes. */
  id(id: Uint8Array): void {
    if (this.peek() !== 0x22) this.fail("an object id");
    const bytes = this.bytes;
    const start = this.at + 1;
    if (start + 64 >= this.end) this.short();
    // Any byte that is no digit has some of the upper bits.
    let seen = 0;
    for (let i = 0; i < 32; i++) {
      const high = hexDigit(bytes[start + 2 * i]!);
      const low = hexDigit(bytes[start + 2 * i + 1]!);
      seen |= high | low;
      id[i] = high << 4 | low;
    }
    if (seen < 0 || start + 64 >= this.end || bytes[start + 64] !== 0x22) {
      this.fail("an object id, 64 hex digits");
    }
    this.at = start + 65;
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
    const start = this.at;
    const isInteger = this.#number();
    const size = this.at - start;
    if (isInteger && size <= SHORT_DIGITS) {
      const value = this.#digits(start, this.at);
      if (!Object.is(value, -0)) {
        out.int(value);
        return "integer";
      }
    }
    const token = this.#decoded(start, this.at);
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
    const start = this.at;
    const isInteger = this.copyNumber(out) === "integer" &&
      (this.at - start < INTEGER_UNITS_MAX - 1 ||
        BigInt(this.#decoded(start, this.at)) <= SIGNED_MAX);
    if (!isInteger) this.fail("an integer of 64 bits", start);
  }

  /** Passes over a string, and tells where its text lies. */
  #string(): {
    readonly start: number;
    readonly stop: number;
    readonly isEscaped: boolean;
    readonly isAscii: boolean;
  } {
    if (this.peek() !== 0x22) this.fail("a string");
    const bytes = this.bytes;
    const start = this.at + 1;
    let at = start;
    let seen = 0;
    let isEscaped = false;
    for (;; at++) {
      if (at >= this.end) {
        this.at = at;
        this.short();
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
    this.at = at + 1;
    return { start, stop: at, isEscaped, isAscii: seen < 0x80 };
  }

  #decoded(start: number, stop: number): string {
    const bytes = this.bytes.subarray(start, stop);
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
      if (this.#byteAt(this.at + i) !== word.charCodeAt(i)) {
        this.fail("a value");
      }
    }
    this.at += word.length;
  }

  /** Passes over a number; tells whether it is written as an integer. */
  #number(): boolean {
    const start = this.at;
    const { stop, isValid, isInteger } = spanNumber(
      this.bytes,
      start,
      this.end,
    );
    if (stop >= this.end) this.short();
    if (!isValid) this.fail(stop === start ? "a value" : "a digit", stop);
    this.at = stop;
    return isInteger;
  }

  #digits(start: number, stop: number): number {
    const isNegative = this.bytes[start] === 0x2d;
    let value = 0;
    for (let i = isNegative ? start + 1 : start; i < stop; i++) {
      value = value * 10 + this.bytes[i]! - 0x30;
    }
    return isNegative ? -value : value;
  }

  #byteAt(at: number): number {
    return at < this.end ? this.bytes[at]! : this.short();
  }
}
