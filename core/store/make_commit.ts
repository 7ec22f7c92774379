/**
 * The one function that makes a commit (ADR 0003): whatever the door, every commit of this store
 * gets its id, its place in the graph and its rows here.
 *
 * @module
 */

import { childSkips } from "../history/skip_list.ts";
import {
  CHANGE_LIST_BYTES_MAX,
  CHANGE_LIST_ENTRIES_MAX,
  PACK_PART_BYTES_MAX,
} from "../limits.ts";
import { type Commit, encodeCommit } from "../object/commit.ts";
import { shortOf } from "../object/graph_commit.ts";
import { blake3 } from "../object/hash.ts";
import { toHex } from "../object/hex.ts";
import type { ChunkRef, Origin } from "../state/chunk.ts";
import {
  type CommitRow,
  encodeChangeList,
  encodeCommitRow,
  encodeMetaBlock,
  type ListedChange,
  type StateForm,
} from "../storage/commit_row.ts";
import { commitKey } from "../storage/keys.ts";
import { type FramedRow, frameRow } from "../storage/row.ts";
import { placeChunks, type PlacedChunk } from "./place_chunks.ts";

/** What a commit stands on, beside its own bytes. */
export interface CommitPlace {
  /** None for a root; the first is the head of the branch. */
  readonly parents: readonly CommitRow[];
  /** The new state's tree; what is not stored yet goes into the commit's row. */
  readonly root: ChunkRef;
  /** By which form the state's id was made. */
  readonly form: StateForm;
  /** What changed against the first parent, in id order; null when it is too much to list. */
  readonly changes: readonly ListedChange[] | null;
}

/** What a commit is made of. */
export interface CommitParts extends Omit<CommitPlace, "form"> {
  /** The new state's id, and by which form it was made. */
  readonly state: { readonly id: Uint8Array; readonly form: StateForm };
  /** What the commit says of itself. */
  readonly message: string;
  /** Who makes it. */
  readonly author: string;
  /** When, in Unix milliseconds. */
  readonly timeMs: number;
}

/** A commit that can be written. */
export interface MadeCommit {
  /** As it will be read back. */
  readonly row: CommitRow;
  /** The origin of what it wrote. */
  readonly origin: Origin;
  /** The part of its row that branches copy. */
  readonly meta: Uint8Array;
  /** Its row. */
  readonly framed: FramedRow;
  /** The chunks in its row. */
  readonly placed: readonly PlacedChunk[];
}

/** Makes a commit of its parts. Pure: nothing is read or written. */
export function makeCommit(parts: CommitParts): MadeCommit {
  const { state: { id, form }, ...place } = parts;
  const fields = {
    parents: parts.parents.map((parent) => parent.commit.id),
    state: toHex(id),
    message: parts.message,
    author: parts.author,
    timeMs: parts.timeMs,
  };
  const bytes = encodeCommit(fields);
  const commit: Commit = { id: toHex(blake3(bytes)), ...fields };
  return placeCommit({ commit, bytes }, { ...place, form });
}

/** Gives a commit whose bytes are known its place in the graph and its row. Pure as well. */
export function placeCommit(
  { commit, bytes }: Pick<CommitRow, "commit" | "bytes">,
  place: CommitPlace,
): MadeCommit {
  const [first] = place.parents;
  const depth = first === undefined ? 0 : first.depth + 1;
  const generation = generationOver(place.parents);
  const origin = {
    commit: shortOf(commit.id),
    timeMs: commit.timeMs,
    generation,
  };
  const { root, placed } = placeChunks(place.root, {
    pack: origin.commit,
    self: origin,
    part: 0,
    partBytesMax: Infinity,
  });
  const row: CommitRow = {
    commit,
    bytes,
    generation,
    depth,
    mergeDepth: place.parents.length > 1 ? depth : first?.mergeDepth ?? null,
    skips: first === undefined ? [] : childSkips(first),
    root,
    form: place.form,
    changes: boundedChanges(place.changes),
  };
  const meta = encodeMetaBlock(row);
  const payload = encodeCommitRow(meta, placed.map(({ record }) => record));
  return {
    row,
    origin,
    meta,
    placed,
    framed: frameRow(commitKey(commit.id), payload, true),
  };
}

/** One more than the highest generation of a commit's parents; 0 for a root. */
export function generationOver(parents: readonly CommitRow[]): number {
  return 1 + Math.max(-1, ...parents.map((parent) => parent.generation));
}

/** Places the new chunks of a large state in a pack of their own, ahead of the commit; `part` is the first. */
export function placeInPack(
  root: ChunkRef,
  pack: string,
  { part = 1 }: { readonly part?: number } = {},
): ReturnType<typeof placeChunks> {
  return placeChunks(root, {
    pack,
    self: undefined,
    part,
    partBytesMax: PACK_PART_BYTES_MAX,
  });
}

/** A list too long to copy with every reading of a branch is left out: a diff finds it again. */
function boundedChanges(
  changes: readonly ListedChange[] | null,
): readonly ListedChange[] | null {
  if (changes === null || changes.length > CHANGE_LIST_ENTRIES_MAX) return null;
  // A unit of an id takes 3 bytes at most, and all else of a change fewer than 150.
  const atMost = changes.reduce((sum, { id }) => sum + 150 + 3 * id.length, 9);
  if (atMost <= CHANGE_LIST_BYTES_MAX) return changes;
  return encodeChangeList(changes).length > CHANGE_LIST_BYTES_MAX
    ? null
    : changes;
}
