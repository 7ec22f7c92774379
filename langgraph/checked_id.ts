/**
 * The node id of an item whose place a caller gives.
 *
 * @module
 */

import { kindOf, toId } from "@mnem/agents/items";
import { checkNamespace } from "./namespace.ts";

/**
 * Returns the node id of an item that is asked for by a caller.
 *
 * @throws {TypeError} If the namespace is no array or the key is no text.
 * @throws {InvalidNamespaceError} If a label is none, or there is none and one is needed.
 */
export function checkItemId(
  namespace: unknown,
  key: unknown,
  options: { readonly mayBeEmpty: boolean },
): string {
  const labels = checkNamespace(namespace, options);
  if (typeof key === "string") return toId(labels, key);
  throw new TypeError(
    `Cannot use key: ${kindOf(key)}, must be a string`,
  );
}
