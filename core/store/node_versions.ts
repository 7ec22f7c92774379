/**
 * The line of values that a node had: from the commit that wrote one to the commit that wrote the
 * one before, without walking what lies between.
 *
 * @module
 */

import { isAncestor } from "../history/ancestry.ts";
import { shortOf } from "../object/graph_commit.ts";
import { decodeNode } from "../object/memory_node.ts";
import { sameId } from "../state/chunk.ts";
import { readEntry } from "../state/read_entry.ts";
import { commitOf, type CommitRow } from "../storage/commit_row.ts";
import { type ChainChange, chainChanges } from "./chain_changes.ts";
import { removalsOf } from "./removals.ts";
import type { SharedStore } from "./shared_store.ts";
import type { NodeVersion } from "./surface.ts";

/** What a node was at some commit: its object, and the commit that wrote it. */
interface Standing {
  readonly object: Uint8Array;
  readonly writtenBy: string;
}

/** Yields the values that a node had up to a commit, newest first; null where it had been removed. */
export async function* nodeVersions(
  store: SharedStore,
  head: CommitRow,
  id: string,
): AsyncGenerator<NodeVersion> {
  yield* versionNodes(store, versionsOf(store, head, id), id);
}

/** Yields the values that a node had along first parents, by the commits that brought them. */
export async function* chainVersions(
  store: SharedStore,
  head: CommitRow,
  id: string,
): AsyncGenerator<NodeVersion> {
  yield* versionNodes(store, chainChanges(store, head, id), id);
}

async function* versionNodes(
  store: SharedStore,
  changes: AsyncIterable<ChainChange>,
  id: string,
): AsyncGenerator<NodeVersion> {
  for await (const { row, object } of changes) {
    const [bytes] = object === null
      ? []
      : await store.reader.nodes([{ id, object }]);
    const node = bytes === undefined ? null : decodeNode(bytes);
    yield { commit: commitOf(row), node };
  }
}

async function* versionsOf(
  store: SharedStore,
  head: CommitRow,
  id: string,
): AsyncGenerator<ChainChange> {
  let standing = await standingAt(store, head, id);
  let before = shortOf(head.commit.id);
  for (;;) {
    const row = standing === null
      ? await latestRemoval(store, id, await store.reader.commit(before))
      : await writerOf(store, id, standing);
    if (row === null) return;
    yield { row, object: standing?.object ?? null };
    const parent = row.commit.parents[0];
    if (parent === undefined) return;
    standing = await standingBefore(store, row, id);
    before = shortOf(parent);
  }
}

/** The commit that wrote a value, read beside the value, which is told with it. */
async function writerOf(
  { reader }: SharedStore,
  id: string,
  { object, writtenBy }: Standing,
): Promise<CommitRow> {
  const value = reader.nodes([{ id, object }]);
  const [row] = await Promise.all([reader.commit(writtenBy), value]);
  return row;
}

/** Tells whether a commit's entry for a node differs from that of each of its parents. */
export async function changesNode(
  store: SharedStore,
  row: CommitRow,
  id: string,
): Promise<boolean> {
  const own = await standingAt(store, row, id);
  if (row.commit.parents.length === 0) return own !== null;
  for (const parent of row.commit.parents) {
    const there = await standingAt(
      store,
      await store.reader.commit(shortOf(parent)),
      id,
    );
    const same = own === null || there === null
      ? own === there
      : sameId(own.object, there.object);
    if (same) return false;
  }
  return true;
}

async function standingAt(
  store: SharedStore,
  row: CommitRow,
  id: string,
): Promise<Standing | null> {
  const entry = await readEntry(store.reader, row.root, id);
  return entry === undefined
    ? null
    : { object: entry.object, writtenBy: entry.changed.commit };
}

/** What a node was at the first parent of a commit: as the commit lists it, else by looking. */
async function standingBefore(
  store: SharedStore,
  row: CommitRow,
  id: string,
): Promise<Standing | null> {
  const listed = row.changes?.find((change) => change.id === id);
  if (listed !== undefined) {
    if (listed.old === null || listed.oldOrigin === null) return null;
    return { object: listed.old, writtenBy: listed.oldOrigin.commit };
  }
  const parent = row.commit.parents[0];
  if (parent === undefined) return null;
  return await standingAt(
    store,
    await store.reader.commit(shortOf(parent)),
    id,
  );
}

/** The latest commit that removed a node, among a commit and all that led to it. */
async function latestRemoval(
  store: SharedStore,
  id: string,
  upTo: CommitRow,
): Promise<CommitRow | null> {
  const removals = (await removalsOf(store, id))
    .filter((row) => row.generation <= upTo.generation)
    .sort((a, b) => b.generation - a.generation);
  for (const removal of removals) {
    if (await isAncestor(store.reader, removal, upTo)) return removal;
  }
  return null;
}
