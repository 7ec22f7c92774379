/**
 * What a JSON value is, in words.
 *
 * @module
 */

import type { Json } from "@mnem/core";

/** Returns the kind of a value, as in `it is a list`. */
export function kindOf(value: Json | undefined): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "a text" : `a ${typeof value}`;
}
