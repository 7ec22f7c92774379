/**
 * Canonical CBOR, written (FORMAT.md, "Objects"; RFC 8949, 4.2.3): definite lengths, shortest
 * integers and floats, text keys in length-first order, no tags.
 *
 * @module
 */

import { briefBytes } from "./brief_bytes.ts";
import { INTEGER_MAX, INTEGER_MIN, isIntegerNumber } from "./cbor_value.ts";
import { halfBits, isSingle } from "./float_bits.ts";
import { hexByte } from "./hex.ts";
import { orderPairs } from "./pair_order.ts";
import { utf8Length } from "./utf8.ts";

/** The major types of CBOR, as {@linkcode CborWriter.head} takes them. */
export const MAJOR = {
  uint: 0,
  negative: 1,
  bytes: 2,
  text: 3,
  array: 4,
  map: 5,
} as const;

/** Texts up to this many units are copied unit by unit: a call of the encoder costs more. */
const SHORT_TEXT_UNITS = 96;

const encoder = new TextEncoder();
const EMPTY = new Uint8Array(0);
const scratch = new DataView(new ArrayBuffer(8));

/** Buffers kept from writers before: making one costs more than filling it with a node. */
const spares: Uint8Array[] = [];

/** As many as there are writers at work at once: one writes what another one passes on. */
const SPARES_MAX = 3;

/** A longer buffer is not kept. */
const SPARE_BYTES_MAX = 64 * 1024;

/** Writes CBOR item by item into one growing buffer. The caller keeps the order of map keys. */
export class CborWriter {
  #bytes: Uint8Array;
  #length = 0;

  /** Starts empty. */
  constructor() {
    this.#bytes = spares.pop() ?? new Uint8Array(4096);
  }

  /** How many bytes have been written. */
  get length(): number {
    return this.#length;
  }

  /** Writes the head of an item: its major type, and its value or length, 0 to 2^64 - 1, in the shortest form. */
  head(major: number, n: number | bigint): void {
    if (typeof n === "bigint") {
      if (n > Number.MAX_SAFE_INTEGER) {
        this.#head64(major, Number(n >> 32n), Number(n & 0xffffffffn));
        return;
      }
      n = Number(n);
    }
    this.#reserve(9);
    const bytes = this.#bytes;
    const type = major << 5;
    if (n < 24) {
      bytes[this.#length++] = type | n;
    } else if (n < 0x100) {
      bytes[this.#length++] = type | 24;
      bytes[this.#length++] = n;
    } else if (n < 0x10000) {
      bytes[this.#length++] = type | 25;
      bytes[this.#length++] = n >>> 8;
      bytes[this.#length++] = n;
    } else if (n < 0x100000000) {
      bytes[this.#length++] = type | 26;
      this.#word(n);
    } else {
      this.#head64(major, Math.floor(n / 0x100000000), n % 0x100000000);
    }
  }

  /** Writes a text. Throws a TypeError for one with a lone surrogate, which has no UTF-8 form. */
  text(text: string): void {
    if (this.#ascii(text)) return;
    if (!text.isWellFormed()) {
      throw new TypeError(
        "Cannot encode text: it has a lone surrogate, must be well-formed Unicode",
      );
    }
    const size = utf8Length(text);
    this.head(MAJOR.text, size);
    this.#reserve(size);
    encoder.encodeInto(text, this.#bytes.subarray(this.#length));
    this.#length += size;
  }

  /** Writes a byte string. */
  bytes(bytes: Uint8Array): void {
    this.head(MAJOR.bytes, bytes.length);
    this.raw(bytes);
  }

  /** Writes the 32 bytes of an object id, given as 64 hex digits. Throws a SyntaxError for any other text. */
  id(id: string): void {
    if (id.length !== 64) {
      throw new SyntaxError(
        `Cannot encode object id: ${id.length} characters, must be 64 hex digits`,
      );
    }
    this.hex(id);
  }

  /** Writes a byte string given as hex digits: to make the bytes first would cost more than all else. */
  hex(digits: string): void {
    const size = digits.length / 2;
    this.head(MAJOR.bytes, size);
    this.#reserve(size);
    const bytes = this.#bytes;
    const start = this.#length;
    for (let i = 0; i < size; i++) bytes[start + i] = hexByte(digits, 2 * i);
    this.#length = start + size;
  }

  /** Writes a part of bytes that are canonical CBOR already. By hand: a few bytes are not worth a call. */
  part(bytes: Uint8Array, from: number, to: number): void {
    if (to - from > SHORT_TEXT_UNITS) return this.raw(bytes.subarray(from, to));
    this.#reserve(to - from);
    const own = this.#bytes;
    let at = this.#length;
    for (let i = from; i < to; i++) own[at++] = bytes[i]!;
    this.#length = at;
  }

  /** Writes a text given as a part of some bytes, which must be UTF-8. */
  utf8(bytes: Uint8Array, from: number, to: number): void {
    this.head(MAJOR.text, to - from);
    this.part(bytes, from, to);
  }

  /** Starts an array of `n` items. */
  array(n: number): void {
    this.head(MAJOR.array, n);
  }

  /** Starts a map of `n` pairs; its keys must follow in canonical order. */
  map(n: number): void {
    this.head(MAJOR.map, n);
  }

  /** Writes an integer: a number without a fraction, or a bigint. Throws a RangeError outside -2^63 to 2^64 - 1. */
  int(n: number | bigint): void {
    // Most are this small: places, levels, counts.
    if (n >= 0 && n < 24 && this.#length < this.#bytes.length) {
      this.#bytes[this.#length++] = Number(n);
    } else if (typeof n === "bigint") {
      if (n < INTEGER_MIN || n > INTEGER_MAX) {
        throw new RangeError(
          `Cannot encode integer ${n}: must be within -2^63 and 2^64 - 1`,
        );
      }
      if (n >= 0n) this.head(MAJOR.uint, n);
      else this.head(MAJOR.negative, -1n - n);
    } else if (n >= 0) this.head(MAJOR.uint, n);
    else if (n < Number.MIN_SAFE_INTEGER) this.int(BigInt(n));
    else this.head(MAJOR.negative, -1 - n);
  }

  /** Writes a finite number as the shortest of half, single and double that keeps it, -0 included. */
  float(value: number): void {
    if (!Number.isFinite(value)) {
      throw new TypeError(`Cannot encode number ${value}: must be finite`);
    }
    this.#reserve(9);
    const half = halfBits(value);
    if (half !== undefined) {
      this.#bytes[this.#length++] = 0xf9;
      this.#bytes[this.#length++] = half >>> 8;
      this.#bytes[this.#length++] = half;
    } else if (isSingle(value)) {
      scratch.setFloat32(0, value);
      this.#bytes[this.#length++] = 0xfa;
      this.#word(scratch.getUint32(0));
    } else {
      scratch.setFloat64(0, value);
      this.#bytes[this.#length++] = 0xfb;
      this.#word(scratch.getUint32(0));
      this.#word(scratch.getUint32(4));
    }
  }

  /** Writes a number by the rule of the format: a safe integer as an integer, any other, -0 too, as a float. */
  number(value: number): void {
    if (isIntegerNumber(value)) this.int(value);
    else this.float(value);
  }

  /** Makes one array of what was written since `start`: its `n` items. */
  closeArray(start: number, n: number): void {
    this.#insertHead(start, MAJOR.array, n);
  }

  /**
   * Makes one map of what was written since `start`, its pairs in canonical order; of a key given
   * twice the last counts. `places` says where each key and each value begins, in turn. Returns the
   * number of pairs that are left.
   */
  closeMap(start: number, places: readonly number[]): number {
    const kept = orderPairs(this.#bytes, places);
    if (kept !== undefined) {
      const end = this.#length;
      const size = end - start;
      // What was written lies once more behind itself while it is put in order.
      this.#reserve(size);
      this.#bytes.copyWithin(end, start, end);
      this.#length = start;
      for (const pair of kept) {
        const to = places[2 * pair + 2] ?? end;
        this.part(this.#bytes, places[2 * pair]! + size, to + size);
      }
    }
    const pairs = kept?.length ?? places.length / 2;
    this.#insertHead(start, MAJOR.map, pairs);
    return pairs;
  }

  /** Forgets what was written after a length. */
  rewind(length: number): void {
    this.#length = length;
  }

  /** Writes true or false. */
  bool(value: boolean): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value ? 0xf5 : 0xf4;
  }

  /** Writes null. */
  null(): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = 0xf6;
  }

  /** Writes bytes that are canonical CBOR already. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Returns a copy of what was written, and starts anew. */
  finish(): Uint8Array {
    return this.finishWith((written) => written.slice());
  }

  /** Returns a copy that is not kept for long (see {@linkcode briefBytes}), and starts anew. */
  finishBrief(): Uint8Array {
    return this.finishWith((written) => {
      const copy = briefBytes(written.length);
      copy.set(written);
      return copy;
    });
  }

  /** Passes on what was written, without a copy, and starts anew: the bytes are overwritten later. */
  finishWith<T>(read: (written: Uint8Array) => T): T {
    const result = read(this.#bytes.subarray(0, this.#length));
    const isKept = this.#bytes.length > 0 && spares.length < SPARES_MAX &&
      this.#bytes.length <= SPARE_BYTES_MAX;
    if (isKept) spares.push(this.#bytes);
    this.#bytes = EMPTY;
    this.#length = 0;
    return result;
  }

  /** Writes a text if it is ASCII, when its length is known before it is encoded. */
  #ascii(text: string): boolean {
    const start = this.#length;
    this.head(MAJOR.text, text.length);
    this.#reserve(text.length);
    if (this.#copy(text)) return true;
    this.#length = start;
    return false;
  }

  #copy(text: string): boolean {
    const bytes = this.#bytes;
    const end = this.#length + text.length;
    if (text.length > SHORT_TEXT_UNITS) {
      const room = bytes.subarray(this.#length, end);
      // Anything but ASCII needs more bytes than units, so the room would not do.
      if (encoder.encodeInto(text, room).read < text.length) return false;
    } else {
      let at = this.#length;
      for (let i = 0; i < text.length; i++) {
        const unit = text.charCodeAt(i);
        if (unit >= 0x80) return false;
        bytes[at++] = unit;
      }
    }
    this.#length = end;
    return true;
  }

  /** Puts a head before what was written since `start`. */
  #insertHead(start: number, major: number, n: number): void {
    const end = this.#length;
    this.head(major, n);
    const size = this.#length - end;
    this.#bytes.copyWithin(start + size, start, end);
    this.#length = start;
    this.head(major, n);
    this.#length = end + size;
  }

  #head64(major: number, high: number, low: number): void {
    this.#reserve(9);
    this.#bytes[this.#length++] = (major << 5) | 27;
    this.#word(high);
    this.#word(low);
  }

  /** Room for it must have been reserved. */
  #word(n: number): void {
    this.#bytes[this.#length++] = n >>> 24;
    this.#bytes[this.#length++] = n >>> 16;
    this.#bytes[this.#length++] = n >>> 8;
    this.#bytes[this.#length++] = n;
  }

  #reserve(size: number): void {
    const needed = this.#length + size;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
