/**
 * Reads the entries of a state in order.
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
import { loadChunks } from "./load_chunks.ts";

/** Which entries to read; all by default. */
export interface EntryRange {
  /** Only ids that start with this well-formed text. */
  readonly prefix?: string | undefined;
  /** Only ids that come after this one. */
  readonly after?: string | undefined;
  /** At most so many, 0 or more. */
  readonly limit?: number | undefined;
}

/** Which ids lie in a range: from `low` on, without `after`, as long as they start with `prefix`. */
interface Bounds {
  readonly low: string;
  readonly after: string | undefined;
  readonly prefix: string;
}

/** Leaves read in the first wave. */
const WAVE_CHUNKS_MIN = 64;
/** Chunks read in one wave at most. */
const WAVE_CHUNKS_MAX = 512;

/** Yields entries in bytewise UTF-8 order of their ids. */
export async function* readRange(
  source: ChunkSource,
  root: ChunkRef,
  range: EntryRange = {},
): AsyncGenerator<Entry> {
  for await (const run of readRuns(source, root, range)) {
    for (const entry of run) yield entry;
  }
}

/**
 * Yields the same in runs, none of them empty. Skips chunks outside the range, and reads ahead:
 * leaves in waves of 64 that double up to 512, each cut where the limit is reached.
 */
export async function* readRuns(
  source: ChunkSource,
  root: ChunkRef,
  range: EntryRange = {},
): AsyncGenerator<readonly Entry[]> {
  const bounds = boundsOf(range);
  let left = range.limit ?? Infinity;
  let size = WAVE_CHUNKS_MIN;
  let ahead: readonly ChunkRef[] = root.count === 0 ? [] : [root];
  while (ahead.length > 0 && left > 0) {
    const wave = waveOf(ahead.slice(0, size), left, bounds);
    const below: ChunkRef[] = [];
    const entries: Entry[] = [];
    for (const { chunk } of await loadChunks(source, wave)) {
      if (isLeaf(chunk)) takeEntries(chunk.entries, bounds, entries);
      else takeChildren(chunk.children, bounds, below);
    }
    // Leaves come before index chunks in a wave, so that these entries are the next in order.
    if (entries.length > 0) yield entries.slice(0, left);
    left -= entries.length;
    ahead = [...below, ...ahead.slice(wave.length)];
    if (wave[0]?.ref.level === 0) size = Math.min(2 * size, WAVE_CHUNKS_MAX);
  }
}

/** Takes chunks from the front until they hold as many entries as are wanted, one at least. */
function waveOf(
  ahead: readonly ChunkRef[],
  wanted: number,
  bounds: Bounds,
): { readonly ref: ChunkRef }[] {
  const wave: { readonly ref: ChunkRef }[] = [];
  let held = 0;
  for (const ref of ahead) {
    if (held >= wanted) break;
    wave.push({ ref });
    // A chunk that starts below the range may hold no entry of it.
    if (!isBelow(ref.key, bounds)) held += ref.count;
  }
  return wave;
}

function boundsOf({ prefix = "", after }: EntryRange): Bounds {
  const isAbove = after !== undefined && compareUtf8(after, prefix) > 0;
  return { low: isAbove ? after : prefix, after, prefix };
}

function takeEntries(
  from: readonly Entry[],
  bounds: Bounds,
  entries: Entry[],
): void {
  for (const entry of from) {
    if (isBelow(entry.id, bounds)) continue;
    if (entry.id.startsWith(bounds.prefix)) entries.push(entry);
  }
}

function takeChildren(
  from: readonly ChunkRef[],
  bounds: Bounds,
  children: ChunkRef[],
): void {
  for (const [place, child] of from.entries()) {
    const next = from[place + 1];
    const isBefore = next !== undefined &&
      compareUtf8(next.key, bounds.low) <= 0;
    if (!isBefore && !isPast(child.key, bounds)) children.push(child);
  }
}

function isBelow(id: string, { low, after }: Bounds): boolean {
  return id === after || compareUtf8(id, low) < 0;
}

function isPast(id: string, { prefix }: Bounds): boolean {
  return !id.startsWith(prefix) && compareUtf8(id, prefix) > 0;
}
