/**
 * A short text that stands for a long one.
 *
 * @module
 */

import { createHash } from "node:crypto";

/** Returns the SHA-256 of a text as 64 hex digits. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
