/**
 * What a value is, in the words of a message.
 *
 * @module
 */

/** Names the class of an object, and the type of anything else: "an instance of Map", "a number". */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "an array";
  return typeof value === "object"
    ? `an instance of ${value.constructor?.name ?? "no class"}`
    : `a ${typeof value}`;
}
