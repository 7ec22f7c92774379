/**
 * The fields of JSON that may be an object.
 *
 * @module
 */

import type { Json } from "@mnem/core";
import type { JsonObject } from "./report.ts";

/** Returns the fields of a value; none if it is no object. */
export function fieldsOf(value: Json): JsonObject {
  const isObject = typeof value === "object" && value !== null &&
    !Array.isArray(value);
  return isObject ? Object.fromEntries(Object.entries(value)) : {};
}
