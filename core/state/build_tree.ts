/**
 * Builds a state tree from nothing: what every edited tree must be equal to.
 *
 * @module
 */

import { invariant } from "../errors.ts";
import { compareUtf8 } from "../object/utf8.ts";
import { levelOf, type TreeOptions } from "./boundary.ts";
import type { Chunk, ChunkRef, Entry } from "./chunk.ts";
import { makeIndex, makeLeaf, refTo } from "./make_chunk.ts";

/** A tree, and those of its chunks that are new. */
export interface TreeChange {
  /** The root. It holds the chunk itself when that is one of the new ones. */
  readonly root: ChunkRef;
  /** The new chunks, children before parents, the root last. */
  readonly fresh: readonly Chunk[];
}

/**
 * Builds the tree of some entries, which are in bytewise UTF-8 order with unique ids. Every chunk of
 * it is new; without entries that is one empty leaf.
 */
export function buildTree(
  entries: readonly Entry[],
  options: TreeOptions = {},
): TreeChange {
  assertTreeOrder(entries);
  const starts = (entry: Entry) => levelOf(entry.id, options) > 0;
  const runs = entries.length === 0 ? [[]] : splitRuns(entries, starts);
  const fresh: Chunk[] = runs.map((run) => makeLeaf(run));
  const root = raiseTree(fresh.map((leaf) => refTo(leaf)), fresh, options);
  return { root, fresh };
}

/**
 * Puts index chunks on top of the chunks of one level, at least one, until a single chunk is left,
 * and returns that. Appends the chunks it makes to `fresh`.
 */
export function raiseTree(
  chunks: readonly ChunkRef[],
  fresh: Chunk[],
  options: TreeOptions,
): ChunkRef {
  let refs = chunks;
  while (refs.length > 1) {
    const level = levelAbove(refs);
    const starts = (ref: ChunkRef) => levelOf(ref.key, options) > level;
    refs = splitRuns(refs, starts).map((run) => {
      const index = makeIndex(level, run);
      fresh.push(index);
      return refTo(index);
    });
  }
  const [root] = refs;
  invariant(root !== undefined, "a tree has a root");
  return root;
}

/** Throws unless ids are unique and in the order of the tree: no tree but the canonical one is made. */
export function assertTreeOrder(
  items: readonly { readonly id: string }[],
): void {
  let last: string | undefined;
  for (const { id } of items) {
    invariant(
      last === undefined || compareUtf8(last, id) < 0,
      "entries and edits of a tree are unique and in bytewise order",
    );
    last = id;
  }
}

function levelAbove(refs: readonly ChunkRef[]): number {
  return 1 + (refs[0]?.level ?? 0);
}

function splitRuns<T>(
  items: readonly T[],
  starts: (item: T) => boolean,
): T[][] {
  const runs: T[][] = [];
  let open: T[] | undefined;
  for (const item of items) {
    if (open === undefined || starts(item)) {
      open = [];
      runs.push(open);
    }
    open.push(item);
  }
  return runs;
}
