/**
 * The way down of an edit: reads the chunks that edits touch, level by level.
 *
 * @module
 */

import {
  type ChunkRef,
  type ChunkSource,
  type Entry,
  isLeaf,
} from "./chunk.ts";
import {
  heldChunks,
  loadChunks,
  type Loaded,
  type Path,
} from "./load_chunks.ts";
import { type Route, routeIds, type Span } from "./route.ts";

/** A change of one node of a state. */
export interface TreeEdit {
  /** The node id. */
  readonly id: string;
  /** The entry to put there, of the same id; null removes, also where there is nothing. */
  readonly entry: Entry | null;
}

/** As much of an edit as tells what it touches. */
export interface Touching {
  /** The node id. */
  readonly id: string;
  /** Null removes. */
  readonly entry: object | null;
}

/** A chunk that edits touch, as it is before them, and the part of the edits that it covers. */
export type Touched = Loaded<Path & Span>;

/**
 * Reads every chunk whose content the edits can change: the ways to the edited ids, and, where the
 * first id of a chunk is removed, the way to the chunk before it, which takes in what is left.
 * Returns one list a level, each in order, the leaves first. One read a level.
 */
export async function readTouched(
  source: ChunkSource,
  root: ChunkRef,
  edits: readonly Touching[],
): Promise<readonly (readonly Touched[])[]> {
  const levels: (readonly Touched[])[] = [];
  let paths: readonly (Path & Span)[] = [
    { ref: root, from: 0, to: edits.length },
  ];
  while (paths.length > 0) {
    const touched = heldChunks(source, paths) ??
      await loadChunks(source, paths);
    levels.unshift(touched);
    paths = pathsBelow(touched, edits);
  }
  return levels;
}

function pathsBelow(
  touched: readonly Touched[],
  edits: readonly Touching[],
): (Path & Span)[] {
  const paths: (Path & Span)[] = [];
  let before: ChunkRef | undefined;
  for (const path of touched) {
    const { chunk } = path;
    if (isLeaf(chunk)) continue;
    for (const route of routeIds(chunk.children, edits, path)) {
      // Of a first child it is the last child of the chunk before, read for the same reason.
      const previous = chunk.children[route.place - 1] ?? before;
      if (
        removesKey(route, edits) && previous !== undefined &&
        previous !== paths.at(-1)?.ref
      ) {
        paths.push({ ref: previous, from: route.from, to: route.from });
      }
      paths.push({ ref: route.ref, from: route.from, to: route.to });
    }
    before = chunk.children.at(-1);
  }
  return paths;
}

function removesKey(route: Route, edits: readonly Touching[]): boolean {
  const edit = edits[route.from];
  return edit?.entry === null && edit.id === route.ref.key;
}
