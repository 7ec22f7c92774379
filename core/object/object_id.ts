/**
 * Object ids as text: 64 lowercase hex digits.
 *
 * @module
 */

import type { ObjectId } from "./commit.ts";
import { blake3 } from "./hash.ts";
import { toHex } from "./hex.ts";
import { quote } from "./quote.ts";

/** Tells whether a text is an object id in full, its digits of either case. */
export function isObjectId(text: string): boolean {
  return /^[0-9a-fA-F]{64}$/.test(text);
}

/** Reads an object id: exactly 64 hex digits of either case, lowercase when returned. Throws a SyntaxError for any other text. */
export function parseObjectId(text: string): ObjectId {
  if (!isObjectId(text)) {
    throw new SyntaxError(
      `Cannot read object id ${quote(text)}: must be 64 hex digits`,
    );
  }
  return text.toLowerCase();
}

/** Returns the id of an object, given its canonical bytes. */
export function objectIdOf(bytes: Uint8Array): ObjectId {
  return toHex(blake3(bytes));
}
