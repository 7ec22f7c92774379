/**
 * What a commit of a bundle does to the tree of its first parent.
 *
 * @module
 */

import type { ObjectId } from "../object/commit.ts";
import { compareUtf8 } from "../object/utf8.ts";
import {
  type ChunkSource,
  type Entry,
  type Origin,
  sameEntry,
} from "../state/chunk.ts";
import { diffTrees } from "../state/diff_trees.ts";
import { readEntries } from "../state/read_entry.ts";
import type { CommitRow } from "../storage/commit_row.ts";
import { entryAfter } from "../store/entry_after.ts";
import type { StateDifference } from "./flat_difference.ts";
import { corruptObject } from "./object_reader.ts";
import type { StateObjects } from "./state_objects.ts";

/** Edits that are worked out, and applied, at once. */
const EDITS_MAX = 4_096;

/** What a commit makes of one node. */
export interface StateChange {
  /** The node id. */
  readonly id: string;
  /** What the commit holds; null: nothing. */
  readonly entry: Entry | null;
  /** What its first parent holds; undefined: nothing. */
  readonly old: Entry | undefined;
}

/** A commit whose state is worked out. */
export interface CommitAt {
  /** Its id. */
  readonly id: ObjectId;
  /** Its state. */
  readonly state: ObjectId;
  /** Its parents, as they are stored. */
  readonly parents: readonly CommitRow[];
  /** The origin of what it writes. */
  readonly self: Origin;
}

/**
 * Yields what a commit changes against its first parent, origins included, in batches, each in
 * bytewise UTF-8 order of the ids, no id twice.
 */
export async function* stateChanges(
  states: Pick<StateObjects, "differences">,
  chunks: ChunkSource,
  commit: CommitAt,
): AsyncGenerator<readonly StateChange[]> {
  let batch: StateDifference[] = [];
  for await (const difference of differences(states, chunks, commit)) {
    if (batch.push(difference) < EDITS_MAX) continue;
    yield await changesOf(chunks, commit, batch);
    batch = [];
  }
  if (batch.length > 0) yield await changesOf(chunks, commit, batch);
}

function differences(
  states: Pick<StateObjects, "differences">,
  chunks: ChunkSource,
  commit: CommitAt,
): AsyncIterable<StateDifference> {
  const { parents: [first, ...others] } = commit;
  const own = states.differences(commit);
  return first === undefined || others.length === 0
    ? own
    : mergedDifferences(own, chunks, first, others);
}

/**
 * Beside what a merge holds otherwise than its first parent: the nodes that its parents hold otherwise,
 * if only by their origins.
 */
async function* mergedDifferences(
  own: AsyncIterable<StateDifference>,
  chunks: ChunkSource,
  first: CommitRow,
  others: readonly CommitRow[],
): AsyncGenerator<StateDifference> {
  const found = new Map<string, Uint8Array | null>();
  for await (const { id, object } of own) found.set(id, object);
  const options = { origins: true };
  for (const { root } of others) {
    for await (
      const { id, old } of diffTrees(chunks, first.root, root, options)
    ) {
      if (!found.has(id)) found.set(id, old?.object ?? null);
    }
  }
  for (const [id, object] of found) yield { id, object };
}

async function changesOf(
  chunks: ChunkSource,
  commit: CommitAt,
  batch: readonly StateDifference[],
): Promise<StateChange[]> {
  const sorted = batch.toSorted((a, b) => compareUtf8(a.id, b.id));
  if (sorted.some(({ id }, i) => id === sorted[i + 1]?.id)) {
    throw corruptObject(commit.state, "it holds a node twice");
  }
  const held = await heldBy(chunks, commit.parents, sorted);
  return sorted.flatMap(({ id, object, old: known }) => {
    const parents = known === undefined
      ? held.map((entries) => entries.get(id))
      : [known ?? undefined];
    const [old] = parents;
    const entry = object === null
      ? null
      : entryAfter({ id, object }, { parents, self: commit.self });
    const isSame = entry === null
      ? old === undefined
      : old !== undefined && sameEntry(old, entry);
    return isSame ? [] : [{ id, entry, old }];
  });
}

/** What each parent holds of some nodes, unless that is known of all. */
async function heldBy(
  chunks: ChunkSource,
  parents: readonly CommitRow[],
  nodes: readonly StateDifference[],
): Promise<readonly ReadonlyMap<string, Entry>[]> {
  const ids = nodes.filter(({ old }) => old === undefined).map(({ id }) => id);
  if (ids.length === 0) return [];
  const held: ReadonlyMap<string, Entry>[] = [];
  for (const { root } of parents) {
    held.push(await readEntries(chunks, root, ids));
  }
  return held;
}
