/**
 * Node ids: the caller's names for nodes.
 *
 * @module
 */

import { NODE_ID_BYTES_MAX } from "../limits.ts";
import { checkText, typeName } from "./check_text.ts";
import { quote } from "./quote.ts";

/**
 * Returns a node id as it is. Throws a TypeError for another type, a lone surrogate or a NUL, a
 * RangeError for an empty id or one over 1,024 bytes of UTF-8.
 */
export function checkNodeId(id: unknown): string {
  if (typeof id !== "string") {
    throw new TypeError(
      `Cannot use node id: ${typeName(id)}, must be a string`,
    );
  }
  const what = `node id ${quote(id)}`;
  if (id === "") {
    throw new RangeError(
      `Cannot use ${what}: 0 bytes, must have 1 to ${NODE_ID_BYTES_MAX}`,
    );
  }
  if (id.includes("\0")) {
    throw new TypeError(`Cannot use ${what}: it has a NUL, must have none`);
  }
  return checkText(id, { what, bytesMax: NODE_ID_BYTES_MAX });
}
