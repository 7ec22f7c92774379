/**
 * Node ids: the caller's names for nodes.
 *
 * @module
 */

import { NODE_ID_BYTES_MAX } from "../limits.ts";
import { checkText, type TextRule, typeName } from "./check_text.ts";
import { quote } from "./quote.ts";

/**
 * Returns a node id as it is. Throws a TypeError for another type, a lone surrogate or a NUL, a
 * RangeError for an empty id or one over 1,024 bytes of UTF-8.
 */
export function checkNodeId(id: unknown): string {
  return checkName(id, { what: "node id", bytesMax: NODE_ID_BYTES_MAX });
}

/** The same for a name of another kind, with a limit of its own. */
export function checkName(name: unknown, rule: TextRule): string {
  if (typeof name !== "string") {
    throw new TypeError(
      `Cannot use ${rule.what}: ${typeName(name)}, must be a string`,
    );
  }
  const { bytesMax } = rule;
  const named = {
    // To quote a name costs more than to check it.
    get what() {
      return `${rule.what} ${quote(name)}`;
    },
    bytesMax,
  };
  if (name === "") {
    throw new RangeError(
      `Cannot use ${named.what}: 0 bytes, must have 1 to ${bytesMax}`,
    );
  }
  if (name.includes("\0")) {
    throw new TypeError(
      `Cannot use ${named.what}: it has a NUL, must have none`,
    );
  }
  return checkText(name, named);
}
