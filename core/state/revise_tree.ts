/**
 * Puts other values under node ids that are all there. Then no key comes or goes, so no boundary
 * does: every chunk stays where it is, and only what lies on the ways to the ids is made anew.
 *
 * @module
 */

import type { TreeChange } from "./build_tree.ts";
import {
  type Chunk,
  type ChunkRef,
  isLeaf,
  isStored,
  sameEntry,
} from "./chunk.ts";
import { refTo, remakeIndex, remakeLeaf } from "./make_chunk.ts";
import { placeOf } from "./route.ts";
import type { Touched, TreeEdit } from "./touched_chunks.ts";

/**
 * Returns the tree that edits make, or undefined where one of them adds or removes an id. The levels
 * are those that the edits touch, the leaves first.
 */
export function reviseTree(
  levels: readonly (readonly Touched[])[],
  edits: readonly TreeEdit[],
): TreeChange | undefined {
  const fresh: Chunk[] = [];
  let below: Revised[] = [];
  for (const touched of levels) {
    const own: Revised[] = [];
    for (const one of touched) {
      const chunk = isLeaf(one.chunk)
        ? reviseLeaf(one, edits)
        : reviseIndex(one, below);
      if (chunk === undefined) return undefined;
      if (chunk !== one.chunk) fresh.push(chunk);
      const now = chunk === one.chunk ? one.ref : refTo(chunk);
      own.push({ was: one.ref, now });
    }
    below = own;
  }
  const [root] = below;
  return root && { root: root.now, fresh };
}

/** What a reference became: itself, or one of the same key. */
interface Revised {
  readonly was: ChunkRef;
  readonly now: ChunkRef;
}

function reviseLeaf(
  { ref, chunk, from, to }: Touched,
  edits: readonly TreeEdit[],
): Chunk | undefined {
  if (!isLeaf(chunk)) return undefined;
  const entries = chunk.entries.slice();
  const places: number[] = [];
  let place = 0;
  for (let i = from; i < to; i++) {
    const { id, entry } = edits[i]!;
    place = placeOf(entries, id, { from: place, to: entries.length });
    const before = entries[place];
    if (entry === null || before?.id !== id) return undefined;
    if (sameEntry(before, entry)) continue;
    entries[place] = entry;
    places.push(place);
  }
  return places.length === 0 ? chunk : remakeLeaf(entries, {
    before: chunk,
    places,
    isSettled: isStored(ref.at) && !chunk.isAhead,
  });
}

function reviseIndex(
  { ref, chunk }: Touched,
  below: readonly Revised[],
): Chunk | undefined {
  if (isLeaf(chunk)) return undefined;
  const children = chunk.children.slice();
  const places: number[] = [];
  let place = 0;
  for (const { was, now } of below) {
    const found = children.indexOf(was, place);
    // It lies below another chunk of this level.
    if (found < 0) continue;
    place = found;
    if (now === was) continue;
    children[place] = now;
    places.push(place);
  }
  return places.length === 0 ? chunk : remakeIndex(children, {
    before: chunk,
    places,
    isSettled: isStored(ref.at),
  });
}
