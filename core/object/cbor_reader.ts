/**
 * Canonical CBOR, read strictly (FORMAT.md, "Objects"): whatever the writer would have written
 * otherwise is refused, so that equal values always mean equal bytes.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { type CborValue, FloatNumber, isIntegerNumber } from "./cbor_value.ts";
import { MAJOR } from "./cbor_writer.ts";
import { readShortest } from "./float_bits.ts";
import { formatField } from "./format_field.ts";
import type { Json } from "./json.ts";
import { setOwn } from "./own_property.ts";
import { decodeUtf8Part } from "./utf8.ts";

/** Nesting that the reader follows, in containers: content of 127 levels, with room above. */
export const CBOR_DEPTH_MAX = 256;

/** How {@linkcode decodeCbor} reads. */
export interface CborReadOptions {
  /** Integral floats come back as FloatNumber, so that encoding again gives the same bytes. */
  readonly keepFloats?: boolean;
}

/**
 * A cursor over canonical CBOR. Every method reads one item, or its head, and throws an MnemError
 * `corrupt_store` for any other item, for a form that is not canonical, and at the end of the bytes.
 */
export class CborReader {
  readonly #bytes: Uint8Array;
  #offset: number;

  /** Starts at `offset`. */
  constructor(bytes: Uint8Array, offset = 0) {
    this.#bytes = bytes;
    this.#offset = offset;
  }

  /** Where the next item starts. */
  get offset(): number {
    return this.#offset;
  }

  /** Whether nothing is left. */
  get atEnd(): boolean {
    return this.#offset >= this.#bytes.length;
  }

  /** Whether the next item is null. */
  get atNull(): boolean {
    return this.#bytes[this.#offset] === 0xf6;
  }

  /** The major type of the next item, as in {@linkcode MAJOR}; 7 for the others, and at the end. */
  get nextMajor(): number {
    return (this.#bytes[this.#offset] ?? 0xff) >>> 5;
  }

  /** Throws unless nothing is left. */
  end(): void {
    if (!this.atEnd) this.#fail("bytes are left after the last item");
  }

  /** Reads the head of an array and returns its number of items. */
  readArrayHead(): number {
    return this.#count(MAJOR.array, 1);
  }

  /** Reads the head of a map and returns its number of pairs. Does not check the order of keys: see {@linkcode readMap}. */
  readMapHead(): number {
    return this.#count(MAJOR.map, 2);
  }

  /** Reads a map: calls `visit` with each key, which must read the value. Keys must be texts in canonical order, none twice. */
  readMap(visit: (key: string) => void): void {
    const size = this.readMapHead();
    let previousStart = 0;
    let previousEnd = 0;
    for (let i = 0; i < size; i++) {
      const start = this.#offset;
      const from = this.passText();
      const key = formatField(this.#bytes, from, this.#offset) ??
        this.#textAt(from);
      if (i > 0 && !this.#isBefore(previousStart, previousEnd, start)) {
        this.#fail("a map key is out of order or given twice", start);
      }
      previousStart = start;
      previousEnd = this.#offset;
      visit(key);
    }
  }

  /** Reads a text. */
  readText(): string {
    return this.#textAt(this.passText());
  }

  /** Passes over a text and returns where its bytes begin; they end where the next item starts. */
  passText(): number {
    const size = this.#count(MAJOR.text, 1);
    this.#offset += size;
    return this.#offset - size;
  }

  /** Reads a byte string: a view of the bytes that are being read, not a copy. */
  readBytes(): Uint8Array {
    const size = this.#count(MAJOR.bytes, 1);
    this.#offset += size;
    return this.#bytes.subarray(this.#offset - size, this.#offset);
  }

  /** Reads an integer: a number if it is a safe one, else a bigint. */
  readInt(): number | bigint {
    const start = this.#offset;
    const byte = this.#byte();
    const major = byte >>> 5;
    if (major !== MAJOR.uint && major !== MAJOR.negative) {
      this.#fail("an integer is missing", start);
    }
    const n = this.#argument(byte, start);
    if (major === MAJOR.uint) return n;
    if (typeof n === "number" && n < Number.MAX_SAFE_INTEGER) return -1 - n;
    const value = -1n - BigInt(n);
    if (value < -(2n ** 63n)) this.#fail("an integer is below -2^63", start);
    return value;
  }

  /** Reads an integer from 0 to 2^53 - 1. */
  readUint(): number {
    const start = this.#offset;
    const n = this.readInt();
    if (typeof n !== "number" || n < 0) {
      this.#fail("an integer from 0 to 2^53 - 1 is missing", start);
    }
    return n;
  }

  /** Reads null. */
  readNull(): void {
    if (!this.atNull) this.#fail("null is missing");
    this.#offset++;
  }

  /** Reads any value: fresh arrays and objects; byte strings are views. */
  readValue(options: CborReadOptions = {}): CborValue {
    return this.#value(0, options);
  }

  /** Reads any value without byte strings: fresh arrays and objects, for the caller to keep. */
  readJson(): Json {
    // The one kind of value that is not JSON has just been refused.
    return this.#value(0, { json: true }) as Json;
  }

  /** Passes over one value, checking it like any other. */
  skip(): void {
    this.#value(0, {});
  }

  #value(
    depth: number,
    options: CborReadOptions & { json?: boolean },
  ): CborValue {
    const start = this.#offset;
    const major = this.nextMajor;
    switch (major) {
      case MAJOR.uint:
      case MAJOR.negative:
        return this.readInt();
      case MAJOR.text:
        return this.readText();
      case MAJOR.bytes:
        if (options.json) this.#fail("content holds a byte string", start);
        return this.readBytes();
      case MAJOR.array:
      case MAJOR.map:
        if (depth >= CBOR_DEPTH_MAX) {
          this.#fail(`nested over ${CBOR_DEPTH_MAX} levels`, start);
        }
        return major === MAJOR.array
          ? this.#array(depth + 1, options)
          : this.#object(depth + 1, options);
    }
    return this.#simple(options);
  }

  #array(depth: number, options: CborReadOptions): CborValue[] {
    const size = this.readArrayHead();
    const items: CborValue[] = [];
    for (let i = 0; i < size; i++) items.push(this.#value(depth, options));
    return items;
  }

  #object(depth: number, options: CborReadOptions): CborValue {
    const object: { [key: string]: CborValue } = {};
    this.readMap((key) => {
      setOwn(object, key, this.#value(depth, options));
    });
    return object;
  }

  #simple(options: CborReadOptions): null | boolean | number | FloatNumber {
    const start = this.#offset;
    const byte = this.#byte();
    if (byte === 0xf4 || byte === 0xf5) return byte === 0xf5;
    if (byte === 0xf6) return null;
    if (byte >= 0xf9 && byte <= 0xfb) {
      const value = this.#float(1 << (byte - 0xf8));
      return options.keepFloats && isIntegerNumber(value)
        ? new FloatNumber(value)
        : value;
    }
    return this.#fail("no value of this format starts here", start);
  }

  /** Reads a float of 2, 4 or 8 bytes, whose first byte has been read. */
  #float(size: number): number {
    this.#need(size);
    const { buffer, byteOffset } = this.#bytes;
    const view = new DataView(buffer, byteOffset + this.#offset, size);
    const value = readShortest(view);
    if (value === undefined) {
      this.#fail("a float is not finite or not in its shortest form");
    }
    this.#offset += size;
    return value;
  }

  /** Reads a head of one major type whose items take at least `itemSize` bytes each. */
  #count(major: number, itemSize: number): number {
    const start = this.#offset;
    const byte = this.#byte();
    if (byte >>> 5 !== major) this.#fail(`${NOUNS[major]} is missing`, start);
    const n = this.#argument(byte, start);
    if (n > (this.#bytes.length - this.#offset) / itemSize) {
      this.#fail(`${NOUNS[major]} runs over the end`, start);
    }
    return Number(n);
  }

  #argument(byte: number, start: number): number | bigint {
    const info = byte & 0x1f;
    if (info < 24) return info;
    if (info === 24) {
      const n = this.#byte();
      return n >= 24 ? n : this.#fail(NOT_SHORTEST, start);
    }
    if (info === 25) {
      const n = this.#byte() * 0x100 + this.#byte();
      return n >= 0x100 ? n : this.#fail(NOT_SHORTEST, start);
    }
    if (info === 26) {
      const n = this.#word();
      return n >= 0x10000 ? n : this.#fail(NOT_SHORTEST, start);
    }
    if (info !== 27) this.#fail("an indefinite or reserved length", start);
    const high = this.#word();
    const low = this.#word();
    if (high === 0) this.#fail(NOT_SHORTEST, start);
    const n = high * 0x100000000 + low;
    return n <= Number.MAX_SAFE_INTEGER ? n : BigInt(high) << 32n | BigInt(low);
  }

  #word(): number {
    this.#need(4);
    const bytes = this.#bytes;
    const at = this.#offset;
    this.#offset += 4;
    return bytes[at]! * 0x1000000 +
      ((bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!);
  }

  #byte(): number {
    const byte = this.#bytes[this.#offset];
    if (byte === undefined) return this.#fail("the bytes end too early");
    this.#offset++;
    return byte;
  }

  #need(size: number): void {
    if (this.#offset + size > this.#bytes.length) {
      this.#fail("the bytes end too early");
    }
  }

  /** The text that begins there and ends where the next item starts. */
  #textAt(from: number): string {
    try {
      return decodeUtf8Part(this.#bytes, from, this.#offset);
    } catch {
      return this.#fail("a text is not UTF-8", from);
    }
  }

  /** Compares two encoded keys: the one at [start, end) with the one at `other`, which ends at the cursor. */
  #isBefore(start: number, end: number, other: number): boolean {
    const bytes = this.#bytes;
    for (let i = start, j = other; i < end && j < this.#offset; i++, j++) {
      if (bytes[i] !== bytes[j]) return bytes[i]! < bytes[j]!;
    }
    return false;
  }

  #fail(what: string, at: number = this.#offset): never {
    throw new MnemError(
      "corrupt_store",
      `Cannot decode CBOR: ${what} (byte ${at})`,
    );
  }
}

const NOT_SHORTEST = "an integer or a length is not in its shortest form";
const NOUNS = [
  "an integer",
  "an integer",
  "a byte string",
  "a text",
  "an array",
  "a map",
];

/**
 * Decodes canonical CBOR: integers beyond 2^53 - 1 as bigint, other numbers as number; objects are
 * plain, `__proto__` an own property; byte strings are views of `bytes`. Throws an MnemError
 * `corrupt_store` for anything that {@linkcode encodeCbor} would not have written.
 */
export function decodeCbor(
  bytes: Uint8Array,
  options: CborReadOptions = {},
): CborValue {
  const reader = new CborReader(bytes);
  const value = reader.readValue(options);
  reader.end();
  return value;
}
