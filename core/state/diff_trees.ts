/**
 * Finds where two states differ, reading only where they do.
 *
 * @module
 */

import { compareUtf8 } from "../object/utf8.ts";
import {
  type ChunkRef,
  type ChunkSource,
  type Entry,
  isLeaf,
  isStored,
  sameEntry,
  sameId,
} from "./chunk.ts";
import { loadChunks } from "./load_chunks.ts";

/** A node whose object differs between two states. */
export interface EntryDiff {
  /** The node id. */
  readonly id: string;
  /** The entry in the first state, null where it has none. */
  readonly old: Entry | null;
  /** The entry in the second state, null where it has none. */
  readonly new: Entry | null;
}

/** A part of a tree: a chunk that is not read yet, or an entry of a leaf that was. */
type Part = ChunkRef | Entry;

/** What is left of both trees, each in order. */
interface Fronts {
  readonly before: readonly Part[];
  readonly after: readonly Part[];
}

/** Chunks of one tree read in one round: a bound on what a large difference keeps at hand. */
const WAVE_CHUNKS_MAX = 256;

/** What counts as a difference. */
export interface DiffOptions {
  /** Entries that differ in their origins only are yielded too. */
  readonly origins?: boolean;
}

/** Tells whether two parts with the same key are no difference. */
type IsShared = (a: Part | undefined, b: Part | undefined) => boolean;

/**
 * Yields the nodes whose objects differ, in bytewise UTF-8 order of their ids. Origins are ignored
 * unless they are asked for.
 *
 * Both trees are read level by level, the higher first, without the chunks that they share: one
 * read a level while no level has more than 256 chunks that differ.
 */
export async function* diffTrees(
  source: ChunkSource,
  a: ChunkRef,
  b: ChunkRef,
  options: DiffOptions = {},
): AsyncIterable<EntryDiff> {
  const isShared = options.origins ? isIdentical : isSameContent;
  let fronts = dropShared({ before: [a], after: [b] }, isShared);
  while (fronts.before.length + fronts.after.length > 0) {
    let i = 0;
    let j = 0;
    for (;;) {
      const diff = diffHeads(fronts.before[i], fronts.after[j]);
      if (diff === undefined) break;
      yield diff;
      if (diff.old !== null) i++;
      if (diff.new !== null) j++;
    }
    const before = fronts.before.slice(i);
    const after = fronts.after.slice(j);
    fronts = dropShared(await readWave(source, { before, after }), isShared);
  }
}

/** Returns the difference at the heads of the fronts, undefined while a chunk may hide a lower one. */
function diffHeads(
  old: Part | undefined,
  next: Part | undefined,
): EntryDiff | undefined {
  const order = compareParts(old, next);
  if (order < 0 && isEntry(old)) return { id: old.id, old, new: null };
  if (order > 0 && isEntry(next)) return { id: next.id, old: null, new: next };
  if (order === 0 && isEntry(old) && isEntry(next)) {
    return { id: old.id, old, new: next };
  }
  return undefined;
}

/** Drops what both trees hold. */
function dropShared({ before, after }: Fronts, isShared: IsShared): Fronts {
  const kept: { before: Part[]; after: Part[] } = { before: [], after: [] };
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const old = before[i];
    const next = after[j];
    const order = compareParts(old, next);
    const isKept = order !== 0 || !isShared(old, next);
    if (order <= 0 && old !== undefined) {
      if (isKept) kept.before.push(old);
      i++;
    }
    if (order >= 0 && next !== undefined) {
      if (isKept) kept.after.push(next);
      j++;
    }
  }
  return kept;
}

/** Reads one wave of chunks of both trees and puts their parts in their place. */
async function readWave(
  source: ChunkSource,
  { before, after }: Fronts,
): Promise<Fronts> {
  const wave = waveOf({ before, after });
  const read = new Map<Part, readonly Part[]>();
  for (const { ref, chunk } of await loadChunks(source, wave)) {
    read.set(ref, isLeaf(chunk) ? chunk.entries : chunk.children);
  }
  const open = (part: Part) => read.get(part) ?? [part];
  return { before: before.flatMap(open), after: after.flatMap(open) };
}

/**
 * Chooses the highest chunks of the first ones, up to a key that bounds both sides: a chunk is read
 * only when every chunk of the other tree that could be equal to it has come to the same level.
 */
function waveOf({ before, after }: Fronts): { readonly ref: ChunkRef }[] {
  const sides = [before.filter(isChunk), after.filter(isChunk)];
  const ends = sides.map((refs) => refs[WAVE_CHUNKS_MAX]);
  const first = sides.flatMap((refs) => refs.slice(0, WAVE_CHUNKS_MAX))
    .filter((ref) => ends.every((end) => compareParts(ref, end) < 0));
  const level = first.reduce((top, ref) => Math.max(top, ref.level), 0);
  return first.filter((ref) => ref.level === level).map((ref) => ({ ref }));
}

function isEntry(part: Part | undefined): part is Entry {
  return part !== undefined && "object" in part;
}

function isChunk(part: Part): part is ChunkRef {
  return !isEntry(part);
}

/** Tells whether two parts with the same key hold the same nodes, of the same origins. */
function isIdentical(a: Part | undefined, b: Part | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  if (isEntry(a)) return isEntry(b) && sameEntry(a, b);
  if (isEntry(b) || !isStored(a.at) || !isStored(b.at)) return a === b;
  return a.at.pack === b.at.pack && a.at.part === b.at.part &&
    a.at.index === b.at.index;
}

/** Tells whether two parts with the same key hold the same nodes. */
function isSameContent(a: Part | undefined, b: Part | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  if (isEntry(a)) return isEntry(b) && sameId(a.object, b.object);
  return !isEntry(b) && a.level === b.level && sameId(a.id, b.id);
}

/** Compares by the first id that the parts hold; nothing comes after everything. */
function compareParts(a: Part | undefined, b: Part | undefined): number {
  if (a === undefined || b === undefined) {
    return a === b ? 0 : a === undefined ? 1 : -1;
  }
  return compareUtf8(keyOf(a), keyOf(b));
}

function keyOf(part: Part): string {
  return isEntry(part) ? part.id : part.key;
}
