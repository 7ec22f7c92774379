/**
 * The order of the tree turned into the order of canonical CBOR.
 *
 * @module
 */

import { utf8Length } from "../object/utf8.ts";

/**
 * Returns items that are in bytewise UTF-8 order of their keys in the order that canonical CBOR
 * gives to the keys of a map: the shorter first, then bytewise.
 */
export function inMapOrder<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): readonly T[] {
  let last = 0;
  const isOrdered = items.every((item) => {
    const before = last;
    last = utf8Length(keyOf(item));
    return before <= last;
  });
  if (isOrdered) return items;
  // A stable sort by length is enough: keys of one length keep their bytewise order.
  return items
    .map((item) => ({ item, size: utf8Length(keyOf(item)) }))
    .sort((a, b) => a.size - b.size)
    .map(({ item }) => item);
}
