/**
 * JSON text for the wire, where an integer beyond 2^53 is a decimal string.
 *
 * @module
 */

import type { Json } from "@mnem/core";

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/**
 * Returns compact JSON in which every bigint is a decimal string: most clients read numbers as
 * doubles, and would round it in silence.
 *
 * @throws {TypeError} on a cycle.
 */
export function jsonText(value: unknown): string {
  return jsonForms(value).text;
}

/** Returns a value's {@linkcode jsonText}, and a value without bigints that has the same: mostly itself. */
export function jsonForms<T>(value: T): { text: string; json: T } {
  try {
    return { text: JSON.stringify(value), json: value };
  } catch {
    // JSON.stringify refuses a bigint. A replacer for every value would be slow, and bigints are rare.
    const text = JSON.stringify(
      value,
      (_key, part) => typeof part === "bigint" ? part.toString() : part,
    );
    return { text, json: JSON.parse(text) };
  }
}

/** Returns the UTF-8 length of a value's {@linkcode jsonText}. */
export function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(jsonText(value)).length;
}
