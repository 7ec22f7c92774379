/**
 * Content of a node: what a caller may store, checked and encoded in one pass, and when two contents
 * are the same (FORMAT.md, "Objects").
 *
 * @module
 */

import { CONTENT_BYTES_MAX, CONTENT_DEPTH_MAX } from "../limits.ts";
import { INTEGER_MAX, INTEGER_MIN, isArray } from "./cbor_value.ts";
import { CborWriter } from "./cbor_writer.ts";
import type { Json } from "./json.ts";
import { isPlainObject } from "./own_property.ts";
import { quote } from "./quote.ts";
import { compareCbor } from "./utf8.ts";

/** Over the limit, writing goes on this far so that the error can state the size. */
const COUNTED_BYTES_MAX = 4 * CONTENT_BYTES_MAX;

const MUST_BE =
  "must be null, a boolean, a finite number, a bigint, a string, an array or a plain object";

/**
 * Returns a value as it is if it may be content. Never calls code of the value: an accessor is
 * refused. Throws a TypeError with the JSON Pointer of whatever is not JSON, a RangeError for
 * nesting over 127 levels, a bigint outside -2^63 to 2^64 - 1 and more than 8 MiB once encoded.
 * `where` names the value in the error.
 */
export function checkContent(value: unknown, where: string): Json {
  writeContent(new CborWriter(), value, { where });
  // The line above has refused everything else.
  return value as Json;
}

/** Encodes the content of a node as canonical CBOR. Throws as {@linkcode checkContent} does. */
export function encodeContent(value: unknown, nodeId: string): Uint8Array {
  const writer = new CborWriter();
  writeContent(writer, value, { where: `content of node ${quote(nodeId)}` });
  return writer.finish();
}

/** Writes content, checking it on the way. Throws as {@linkcode checkContent} does. */
export function writeContent(
  writer: CborWriter,
  value: unknown,
  options: { readonly where: string },
): void {
  const start = writer.length;
  new ContentWriter(writer, value, options).write();
  const size = writer.length - start;
  if (size > CONTENT_BYTES_MAX) throw tooLarge(options.where, String(size));
}

class ContentWriter {
  readonly #writer: CborWriter;
  readonly #root: unknown;
  readonly #options: { readonly where: string };
  readonly #end: number;
  readonly #path: (string | number)[] = [];

  constructor(
    writer: CborWriter,
    root: unknown,
    options: { readonly where: string },
  ) {
    this.#writer = writer;
    this.#root = root;
    this.#options = options;
    this.#end = writer.length + COUNTED_BYTES_MAX;
  }

  write(): void {
    this.#value(this.#root);
  }

  #value(value: unknown): void {
    switch (typeof value) {
      case "string":
        return this.#text(value);
      case "number":
        if (!Number.isFinite(value)) this.#refuse(String(value));
        return this.#writer.number(value);
      case "boolean":
        return this.#writer.bool(value);
      case "bigint":
        return this.#bigint(value);
      case "object":
        if (value === null) return this.#writer.null();
        return this.#container(value);
      default:
        this.#refuse(
          typeof value === "undefined" ? "undefined" : `a ${typeof value}`,
        );
    }
  }

  #text(text: string): void {
    if (!text.isWellFormed()) this.#refuse("text with a lone surrogate");
    this.#room(text.length);
    this.#writer.text(text);
  }

  #bigint(value: bigint): void {
    if (value < INTEGER_MIN || value > INTEGER_MAX) {
      throw new RangeError(
        `Cannot encode ${this.#options.where}: value at ${this.#pointer()} is ${
          quote(String(value))
        }, must be within -2^63 and 2^64 - 1`,
      );
    }
    this.#writer.int(value);
  }

  #container(value: object): void {
    if (this.#path.length >= CONTENT_DEPTH_MAX) this.#tooDeep(value);
    this.#room(1);
    if (Array.isArray(value)) {
      if (Object.getPrototypeOf(value) !== Array.prototype) {
        this.#refuse(`an instance of ${className(value)}`);
      }
      this.#array(value);
    } else {
      if (!isPlainObject(value)) {
        this.#refuse(`an instance of ${className(value)}`);
      }
      this.#object(value);
    }
  }

  #array(array: readonly unknown[]): void {
    // Every index and "length" itself: anything else there is would be lost.
    const length = Reflect.ownKeys(array).length - 1;
    if (length !== array.length) {
      this.#refuse(
        "an array with gaps or with other properties than its items",
      );
    }
    this.#room(length);
    this.#writer.array(length);
    for (let i = 0; i < length; i++) this.#property(array, i);
  }

  #object(object: object): void {
    const keys: string[] = [];
    for (const key of Reflect.ownKeys(object)) {
      if (typeof key === "symbol") {
        this.#refuse("an object with a symbol as a key");
      }
      if (!key.isWellFormed()) {
        this.#refuse("an object with a lone surrogate in a key");
      }
      keys.push(key);
    }
    if (keys.length > 1) keys.sort(compareCbor);
    this.#writer.map(keys.length);
    for (const key of keys) {
      this.#room(key.length);
      this.#writer.text(key);
      this.#property(object, key);
    }
  }

  #property(owner: object, key: string | number): void {
    const property = Object.getOwnPropertyDescriptor(owner, key);
    this.#path.push(key);
    if (property === undefined) this.#refuse("missing");
    if (!("value" in property)) this.#refuse("an accessor");
    if (property.enumerable !== true) this.#refuse("not enumerable");
    this.#value(property.value);
    this.#path.pop();
  }

  #room(size: number): void {
    if (this.#writer.length + size > this.#end) {
      throw tooLarge(this.#options.where, `over ${COUNTED_BYTES_MAX}`);
    }
  }

  #tooDeep(value: object): never {
    let ancestor: unknown = this.#root;
    for (const step of this.#path) {
      if (ancestor === value) this.#refuse("an object that contains itself");
      ancestor = Reflect.get(Object(ancestor), step);
    }
    throw new RangeError(
      `Cannot encode ${this.#options.where}: nested over ${CONTENT_DEPTH_MAX} levels`,
    );
  }

  #refuse(what: string): never {
    throw new TypeError(
      `Cannot encode ${this.#options.where}: value at ${this.#pointer()} is ${what}, ${MUST_BE}`,
    );
  }

  /** The JSON Pointer of the value at hand (RFC 6901). */
  #pointer(): string {
    const steps = this.#path.map((step) =>
      "/" + String(step).replaceAll("~", "~0").replaceAll("/", "~1")
    );
    return quote(steps.join(""));
  }
}

function tooLarge(where: string, size: string): RangeError {
  return new RangeError(
    `Cannot encode ${where}: ${size} bytes, the limit is ${CONTENT_BYTES_MAX}`,
  );
}

/** Names the class of an object by reading data only: no accessor of it runs. */
function className(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  const maker = dataOf(prototype, "constructor");
  const name = dataOf(maker, "name");
  return typeof name === "string" && name !== "" ? name : "a class";
}

function dataOf(owner: unknown, key: string): unknown {
  const isObject = typeof owner === "object" && owner !== null;
  if (!isObject && typeof owner !== "function") return undefined;
  return Object.getOwnPropertyDescriptor(owner, key)?.value;
}

/**
 * Tells whether two contents have the same value: numbers by what they are worth, so 1, 1.0 and 1n
 * are the same and so are 0 and -0; objects whatever the order of their keys.
 */
export function sameContent(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object") return sameNumber(a, b);
  if (a === null || b === null) return false;
  if (isArray(a)) return isArray(b) && sameItems(a, b);
  return !isArray(b) && sameProperties(a, b);
}

/** Compares a bigint with a number exactly, without rounding either. */
function sameNumber(a: Json, b: Json): boolean {
  if (typeof a === "bigint" && typeof b === "number") return !(a < b || a > b);
  if (typeof a === "number" && typeof b === "bigint") return !(a < b || a > b);
  return false;
}

function sameItems(a: readonly Json[], b: readonly Json[]): boolean {
  return a.length === b.length &&
    a.every((item, index) => sameContent(item, b[index]!));
}

function sameProperties(
  a: { readonly [key: string]: Json },
  b: { readonly [key: string]: Json },
): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameContent(a[key]!, b[key]!));
}
