/**
 * Which commits an entry names: the one that wrote the value, and the one that added the node.
 *
 * @module
 */

import { type Entry, type Origin, sameId } from "../state/chunk.ts";

/** What an entry of a new commit rests on. */
export interface EntryGround {
  /** What the parents hold under the id, in their order; null or undefined where there is nothing. */
  readonly parents: readonly (Entry | null | undefined)[];
  /** The commit that is being made. */
  readonly self: Origin;
}

/**
 * The entry that a commit has for a node which it holds (FORMAT.md, M3 and M4): a value that a parent
 * holds keeps its origin, of the first such parent; a node that a parent holds its birth, of the
 * earliest. All else is of the commit itself.
 */
export function entryAfter(
  node: { readonly id: string; readonly object: Uint8Array },
  { parents, self }: EntryGround,
): Entry {
  const { id, object } = node;
  let changed: Origin | undefined;
  let born: Origin | undefined;
  for (const entry of parents) {
    if (entry == null) continue;
    if (sameId(entry.object, object)) changed ??= entry.changed;
    born = born === undefined ? entry.born : earlier(born, entry.born);
  }
  return { id, object, changed: changed ?? self, born: born ?? self };
}

/** Of two births the earlier: by generation, then by time, then by id. */
function earlier(a: Origin, b: Origin): Origin {
  const order = a.generation - b.generation || a.timeMs - b.timeMs ||
    (a.commit < b.commit ? -1 : 1);
  return order <= 0 ? a : b;
}
