/**
 * Why something cannot be a node, known before a commit is made of many of them.
 *
 * @module
 */

import { checkContent } from "@mnem/core";

/** What a store takes as a node id, in bytes of UTF-8. */
const ID_BYTES_MAX = 1_024;

const encoder = new TextEncoder();

/**
 * Returns why a store would refuse an id or a content, in words that go on after "it": undefined if it
 * takes both.
 */
export function nodeFault(id: string, content: unknown): string | undefined {
  if (!id.isWellFormed()) return "its node id holds half of a surrogate pair";
  if (id === "") return "its node id would be empty";
  if (id.includes("\0")) return "its node id would hold a NUL";
  const size = encoder.encode(id).length;
  if (size > ID_BYTES_MAX) {
    return `its node id would have ${size} bytes, the limit is ${ID_BYTES_MAX}`;
  }
  try {
    checkContent(content, "it");
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
