/**
 * Reads entries of a state by their node ids.
 *
 * @module
 */

import { compareUtf8 } from "../object/utf8.ts";
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
import { type Named, placeOf, routeIds, type Span } from "./route.ts";

/** Returns the entry of a node id, or undefined where there is none. One read a level. */
export async function readEntry(
  source: ChunkSource,
  root: ChunkRef,
  id: string,
): Promise<Entry | undefined> {
  const found = await readEntries(source, root, [id]);
  return found.get(id);
}

/**
 * Returns the entries of those node ids that the state holds, in bytewise UTF-8 order. The ids may
 * come in any order and repeat. One read a level, whatever the number of ids.
 */
export async function readEntries(
  source: ChunkSource,
  root: ChunkRef,
  ids: readonly string[],
): Promise<Map<string, Entry>> {
  const wanted = ids.length === 1
    ? [{ id: ids[0]! }]
    : [...new Set(ids)].sort(compareUtf8).map((id) => ({ id }));
  const found = new Map<string, Entry>();
  const all = { ref: root, from: 0, to: wanted.length };
  let paths: (Path & Span)[] = wanted.length === 0 ? [] : [all];
  while (paths.length > 0) {
    const below: (Path & Span)[] = [];
    const loaded = heldChunks(source, paths) ?? await loadChunks(source, paths);
    for (const path of loaded) {
      const { chunk } = path;
      if (isLeaf(chunk)) takeEntries(chunk.entries, wanted, path, found);
      else below.push(...routeIds(chunk.children, wanted, path));
    }
    paths = below;
  }
  return found;
}

/** Takes from chunks that were read for some ids, in their order, the entries of those that are there. */
export function entriesIn(
  chunks: readonly Loaded<Path & Span>[],
  wanted: readonly Named[],
): Map<string, Entry> {
  const found = new Map<string, Entry>();
  for (const path of chunks) {
    if (isLeaf(path.chunk)) {
      takeEntries(path.chunk.entries, wanted, path, found);
    }
  }
  return found;
}

function takeEntries(
  entries: readonly Entry[],
  wanted: readonly Named[],
  span: Span,
  found: Map<string, Entry>,
): void {
  for (let i = span.from; i < span.to; i++) {
    const { id } = wanted[i]!;
    const entry = entries[placeOf(entries, id)];
    if (entry?.id === id) found.set(id, entry);
  }
}
