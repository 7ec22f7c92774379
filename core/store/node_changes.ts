/**
 * What differs between two memories, as nodes.
 *
 * @module
 */

import { sameContent } from "../object/content.ts";
import { shortOf } from "../object/graph_commit.ts";
import { decodeNode, type MemoryNode } from "../object/memory_node.ts";
import type { ChunkRef, ChunkSource } from "../state/chunk.ts";
import { diffTrees } from "../state/diff_trees.ts";
import { emptyRoot } from "../state/make_chunk.ts";
import type { CommitRow } from "../storage/commit_row.ts";
import type { NodeName } from "../storage/store_reader.ts";
import { kindOf } from "./plan_commit.ts";
import { inWaves } from "./read_nodes.ts";
import type { SharedStore } from "./shared_store.ts";
import type { ChangeKind, NodeChange } from "./surface.ts";

/** Changes whose nodes are read in one wave. */
const WAVE_CHANGES = 50;

/** One changed node by its objects. */
export interface ObjectChange {
  /** The node id. */
  readonly id: string;
  /** The object after; null when the node was removed. */
  readonly object: Uint8Array | null;
  /** The object before; null when it was added. */
  readonly old: Uint8Array | null;
}

/** Reads the bytes of nodes: those that are stored, and maybe others. */
export type NodeBytes = (
  names: readonly NodeName[],
) => Promise<readonly Uint8Array[]>;

/** Yields what a commit changed against its first parent, in id order; a root added everything. */
export async function* commitChanges(
  store: SharedStore,
  row: CommitRow,
): AsyncGenerator<ObjectChange> {
  if (row.changes !== null) {
    yield* row.changes;
    return;
  }
  const [parent] = row.commit.parents;
  yield* parent === undefined
    ? treeChanges(store.reader, emptyRoot(), row.root)
    : changesSince(store, shortOf(parent), row);
}

/** Yields what differs between a commit, by its short id, and another, in id order. */
export async function* changesSince(
  { reader }: SharedStore,
  before: string,
  { root }: CommitRow,
): AsyncGenerator<ObjectChange> {
  yield* treeChanges(reader, (await reader.commit(before)).root, root);
}

/** Yields what differs between two states, in id order. */
export async function* treeChanges(
  chunks: ChunkSource,
  from: ChunkRef,
  to: ChunkRef,
): AsyncGenerator<ObjectChange> {
  for await (const { id, old, new: now } of diffTrees(chunks, from, to)) {
    yield { id, object: now?.object ?? null, old: old?.object ?? null };
  }
}

/** The kinds of changes by node id. */
export async function changeKinds(
  changes: AsyncIterable<ObjectChange>,
): Promise<Map<string, ChangeKind>> {
  const kinds = new Map<string, ChangeKind>();
  for await (const change of changes) kinds.set(change.id, kindOf(change));
  return kinds;
}

/** Reads the nodes on both sides of changes. */
export async function* nodeChanges(
  changes: AsyncIterable<ObjectChange>,
  read: NodeBytes,
): AsyncGenerator<NodeChange> {
  for await (const wave of inWaves(changes, WAVE_CHANGES)) {
    const names = wave.flatMap(({ id, object, old }) =>
      [old, object].flatMap((one) => one === null ? [] : [{ id, object: one }])
    );
    const bytes = await read(names);
    let next = 0;
    const take = (object: Uint8Array | null) =>
      object === null ? null : decodeNode(bytes[next++]!);
    for (const change of wave) {
      const old = take(change.old);
      const now = take(change.object);
      yield {
        id: change.id,
        kind: kindOf(change),
        old,
        new: now,
        evidenceOnly: isEvidence(old, now),
      };
    }
  }
}

function isEvidence(old: MemoryNode | null, now: MemoryNode | null): boolean {
  return old !== null && now !== null && old.contentKind === now.contentKind &&
    sameContent(old.content, now.content);
}
