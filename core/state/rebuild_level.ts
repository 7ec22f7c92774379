/**
 * One level of a tree under edits: the items of its touched chunks are changed, then cut into
 * chunks again.
 *
 * @module
 */

import { levelOf, type TreeOptions } from "./boundary.ts";
import {
  type Chunk,
  type ChunkRef,
  type Entry,
  isLeaf,
  sameEntry,
} from "./chunk.ts";
import { makeIndex, makeLeaf, refTo } from "./make_chunk.ts";
import { placeOf } from "./route.ts";
import type { Touched, TreeEdit } from "./touched_chunks.ts";

/** What each touched chunk of a level became: nothing, itself, or other chunks. */
export type Replaced = ReadonlyMap<ChunkRef, readonly ChunkRef[]>;

/** The level to rebuild. */
export interface LevelEdit {
  /** Its touched chunks, in order. */
  readonly touched: readonly Touched[];
  /** Takes the chunks that are made. */
  readonly fresh: Chunk[];
  /** The shape of the tree. */
  readonly options: TreeOptions;
}

/** The items of one touched chunk after the edits. */
interface Edited<T> {
  readonly items: readonly T[];
  /**
   * Places of items that may start a chunk: the first of the old chunk, and those that are new. The
   * others lay inside a chunk, so that they start none.
   */
  readonly doubtful: readonly number[];
}

/** What leaves and index chunks differ in. */
interface Kind<T> {
  readonly level: number;
  readonly keyOf: (item: T) => string;
  readonly itemsOf: (chunk: Chunk) => readonly T[];
  readonly isSame: (a: T, b: T) => boolean;
  readonly make: (items: readonly T[]) => Chunk;
}

/** Rebuilds the leaves under edits, which are in order. */
export function rebuildLeaves(
  level: LevelEdit,
  edits: readonly TreeEdit[],
): Replaced {
  const edited = level.touched.map(({ chunk, from, to }) =>
    editEntries(entriesOf(chunk), edits.slice(from, to))
  );
  return replaceChunks(level, edited, {
    level: 0,
    keyOf: (entry) => entry.id,
    itemsOf: entriesOf,
    isSame: sameEntry,
    make: makeLeaf,
  });
}

/** Rebuilds the index chunks of a level over a level below that is rebuilt. */
export function rebuildIndexes(level: LevelEdit, below: Replaced): Replaced {
  const height = level.touched[0]?.chunk.level ?? 0;
  const edited = level.touched.map(({ chunk }) =>
    editChildren(childrenOf(chunk), below)
  );
  return replaceChunks(level, edited, {
    level: height,
    keyOf: (child) => child.key,
    itemsOf: childrenOf,
    // A child that stays as it is keeps its reference.
    isSame: (a, b) => a === b,
    make: (children) => makeIndex(height, children),
  });
}

function editEntries(
  entries: readonly Entry[],
  edits: readonly TreeEdit[],
): Edited<Entry> {
  const items: Entry[] = [];
  const doubtful: number[] = [];
  let at = 0;
  const keepUpTo = (place: number) => {
    if (at === 0 && place > 0) doubtful.push(items.length);
    for (const entry of entries.slice(at, place)) items.push(entry);
    at = place;
  };
  for (const { id, entry } of edits) {
    keepUpTo(placeOf(entries, id, { from: at, to: entries.length }));
    const isThere = entries[at]?.id === id;
    if (entry !== null) {
      if (!isThere || at === 0) doubtful.push(items.length);
      items.push(entry);
    }
    if (isThere) at++;
  }
  keepUpTo(entries.length);
  return { items, doubtful };
}

function editChildren(
  children: readonly ChunkRef[],
  below: Replaced,
): Edited<ChunkRef> {
  const items: ChunkRef[] = [];
  const doubtful: number[] = [];
  for (const child of children) {
    const isFirst = child === children[0];
    const refs = below.get(child);
    if (refs === undefined) {
      if (isFirst) doubtful.push(0);
      items.push(child);
      continue;
    }
    for (const ref of refs) {
      if (isFirst || ref.key !== child.key) doubtful.push(items.length);
      items.push(ref);
    }
  }
  return { items, doubtful };
}

function replaceChunks<T>(
  { touched, fresh, options }: LevelEdit,
  edited: readonly Edited<T>[],
  kind: Kind<T>,
): Replaced {
  const starts = (item: T) => levelOf(kind.keyOf(item), options) > kind.level;
  const runs = cutRuns(edited, starts);
  const replaced = new Map<ChunkRef, readonly ChunkRef[]>();
  for (const [i, { ref, chunk }] of touched.entries()) {
    const own = (runs[i] ?? []).map((run) => {
      if (isSameList(run, kind.itemsOf(chunk), kind.isSame)) return ref;
      const made = kind.make(run);
      fresh.push(made);
      return refTo(made);
    });
    replaced.set(ref, own);
  }
  return replaced;
}

/** Cuts the items of each touched chunk into runs, each of which is a chunk. */
function cutRuns<T>(
  edited: readonly Edited<T>[],
  starts: (item: T) => boolean,
): (readonly T[])[][] {
  // Stays open from one chunk to the next: where a boundary is gone, items go to the chunk before.
  // That is the touched one before, because the removal of a boundary touches both.
  let open: T[] | undefined;
  return edited.map(({ items, doubtful }) => {
    const cuts = doubtful.filter((place) => {
      const item = items[place];
      const isCertain = place === 0 && open === undefined;
      return item !== undefined && !isCertain && starts(item);
    });
    if (open === undefined && items.length > 0) cuts.unshift(0);
    for (const item of items.slice(0, cuts[0])) open?.push(item);
    return cuts.map((cut, i) => open = items.slice(cut, cuts[i + 1]));
  });
}

function isSameList<T>(
  a: readonly T[],
  b: readonly T[],
  isSame: (a: T, b: T) => boolean,
): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i] && !isSame(a[i]!, b[i]!)) return false;
  }
  return true;
}

function entriesOf(chunk: Chunk): readonly Entry[] {
  return isLeaf(chunk) ? chunk.entries : [];
}

function childrenOf(chunk: Chunk): readonly ChunkRef[] {
  return isLeaf(chunk) ? [] : chunk.children;
}
