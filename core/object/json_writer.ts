/**
 * JSON text, written exactly: bigint as its digits, and in bundles floats as floats.
 *
 * @module
 */

import {
  type CborValue,
  FloatNumber,
  isArray,
  isIntegerNumber,
  isMap,
} from "./cbor_value.ts";
import { formatFloat } from "./format_float.ts";
import type { Json } from "./json.ts";
import { isPlainObject } from "./own_property.ts";
import { compareUtf8 } from "./utf8.ts";

/** JSON.stringify indents by no more. */
const INDENT_SPACES_MAX = 10;

/** How {@linkcode stringifyBundleJson} writes. */
export interface BundleJsonOptions {
  /** Spaces a level; 0, the default, writes one line. */
  readonly indent?: number;
  /** The level that the value stands at, for the indent of its inner lines. */
  readonly level?: number;
}

/**
 * Writes JSON text as JSON.stringify does, `indent` spaces a level, except that `parseJson` gives the
 * same value again: a bigint is written as its digits, -0 as `-0`, and an integral number beyond
 * 2^53 - 1 as a float (`1e+20`), since its digits would be another integer. Throws a TypeError for what is not JSON: NaN, infinities, undefined, functions, class instances.
 */
export function stringifyJson(value: Json, indent = 0): string {
  const gap = Math.min(Math.max(Math.trunc(indent), 0), INDENT_SPACES_MAX);
  return new JsonWriter(gap, false).write(value, 0);
}

/**
 * Writes a value in the form of a bundle: floats by {@linkcode formatFloat}; the keys of a plain
 * object in bytewise UTF-8 order, those of a Map in its own. Throws as {@linkcode stringifyJson}
 * does, and for byte strings.
 */
export function stringifyBundleJson(
  value: CborValue,
  options: BundleJsonOptions = {},
): string {
  return new JsonWriter(options.indent ?? 0, true)
    .write(value, options.level ?? 0);
}

class JsonWriter {
  readonly #gap: number;
  readonly #isBundle: boolean;
  #text = "";

  constructor(gap: number, isBundle: boolean) {
    this.#gap = gap;
    this.#isBundle = isBundle;
  }

  write(value: CborValue, level: number): string {
    this.#value(value, level);
    return this.#text;
  }

  #value(value: CborValue, level: number): void {
    switch (typeof value) {
      case "string":
        this.#text += JSON.stringify(value);
        return;
      case "number":
        this.#text += this.#number(value);
        return;
      case "bigint":
      case "boolean":
        this.#text += String(value);
        return;
      case "object":
        if (value === null) this.#text += "null";
        else this.#container(value, level);
        return;
    }
    refuse(typeof value);
  }

  #number(value: number): string {
    if (!Number.isFinite(value)) return refuse(String(value));
    if (isIntegerNumber(value)) return String(value);
    if (this.#isBundle) return formatFloat(value);
    if (value === 0) return "-0";
    // The digits of a float beyond 2^53 would be read as another integer.
    return Number.isInteger(value) ? formatFloat(value) : String(value);
  }

  #container(value: object & CborValue, level: number): void {
    if (value instanceof FloatNumber) this.#text += formatFloat(value.value);
    else if (isArray(value)) this.#array(value, level);
    else this.#object(value, level);
  }

  #array(items: readonly CborValue[], level: number): void {
    this.#text += "[";
    for (let i = 0; i < items.length; i++) {
      if (i > 0) this.#text += ",";
      this.#line(level + 1);
      this.#value(items[i]!, level + 1);
    }
    if (items.length > 0) this.#line(level);
    this.#text += "]";
  }

  #object(object: object & CborValue, level: number): void {
    const entries = this.#entries(object);
    const colon = this.#gap > 0 ? ": " : ":";
    this.#text += "{";
    for (const [index, [key, value]] of entries.entries()) {
      if (index > 0) this.#text += ",";
      this.#line(level + 1);
      this.#text += JSON.stringify(key) + colon;
      this.#value(value, level + 1);
    }
    if (entries.length > 0) this.#line(level);
    this.#text += "}";
  }

  #entries(object: object & CborValue): [string, CborValue][] {
    if (isMap(object) && this.#isBundle) return [...object];
    if (!isPlainObject(object)) return refuse("a class instance");
    const entries = Object.entries(object);
    return this.#isBundle
      ? entries.sort((a, b) => compareUtf8(a[0], b[0]))
      : entries;
  }

  #line(level: number): void {
    if (this.#gap > 0) this.#text += "\n" + " ".repeat(this.#gap * level);
  }
}

function refuse(what: string): never {
  throw new TypeError(`Cannot write JSON: ${what}, must be a JSON value`);
}
