/**
 * What every text of the store has in common: well-formed Unicode, within a limit.
 *
 * @module
 */

import { utf8Length } from "./utf8.ts";

/** What {@linkcode checkText} checks against. */
export interface TextRule {
  /** What the text is, as an error says it: `message`, `provenance.note of node "a"`. */
  readonly what: string;
  /** The longest that it may be, in UTF-8 bytes. */
  readonly bytesMax: number;
}

/**
 * Returns a text as it is. Throws a TypeError for another type or a lone surrogate, a RangeError
 * that states limit and size for a text that is too long.
 */
export function checkText(text: unknown, rule: TextRule): string {
  if (typeof text !== "string") {
    throw new TypeError(
      `Cannot use ${rule.what}: ${typeName(text)}, must be a string`,
    );
  }
  if (!text.isWellFormed()) {
    throw new TypeError(
      `Cannot use ${rule.what}: it has a lone surrogate, must be well-formed Unicode`,
    );
  }
  // One UTF-16 unit takes at most three bytes.
  if (text.length * 3 > rule.bytesMax) {
    const size = utf8Length(text);
    if (size > rule.bytesMax) {
      throw new RangeError(
        `Cannot use ${rule.what}: ${size} bytes, the limit is ${rule.bytesMax}`,
      );
    }
  }
  return text;
}

/** Names the type of a value, null apart from objects. */
export function typeName(value: unknown): string {
  return value === null ? "null" : typeof value;
}
