/**
 * Reads a whole branch back by every way there is, and compares the ways with each other.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Branch, Commit, MemoryNode } from "@mnem/core";

/** What a branch holds, once it is known to be consistent. */
export interface CheckedHistory {
  /** The commits of the first-parent chain, oldest first. */
  readonly commits: readonly Commit[];
  /** Their messages. */
  readonly messages: readonly string[];
  /** The memory of the head. */
  readonly memory: ReadonlyMap<string, MemoryNode>;
}

/** Of a larger memory only so many nodes are asked for their blame. */
const BLAMED_MAX = 100;

/**
 * Checks a branch without merges: what its commits changed, played one after the other, gives the
 * memory, and the last commit that changed a node is the one that blame names. Throws where two
 * ways of reading disagree.
 */
export async function checkHistory(branch: Branch): Promise<CheckedHistory> {
  const commits = (await Array.fromAsync(branch.log({ firstParent: true })))
    .reverse();
  const played = new Map<string, MemoryNode>();
  const writers = new Map<string, string>();
  for (const { id } of commits) {
    for (const change of await branch.changes(id)) {
      assert.deepEqual(change.old, played.get(change.id) ?? null);
      if (change.new === null) played.delete(change.id);
      else played.set(change.id, change.new);
      writers.set(change.id, id);
    }
  }
  const head = await branch.at();
  const memory = await head.memory();
  assert.deepEqual(sorted(played), [...memory], "changes, played, are memory");
  const step = Math.ceil(memory.size / BLAMED_MAX);
  for (const [id, node] of [...memory].filter((_, i) => i % step === 0)) {
    const blame = await head.blame(id);
    assert.equal(blame.commit.id, writers.get(id), `the blame of ${id}`);
    assert.deepEqual(blame.node, node);
  }
  const messages = commits.map(({ message }) => message);
  return { commits, messages, memory };
}

/** The values that a node had, newest first: content, null for a removal. */
export async function valuesOf(branch: Branch, id: string): Promise<unknown[]> {
  const versions = await Array.fromAsync(branch.versions(id));
  return versions.map(({ node }) => node?.content ?? null);
}

function sorted(
  nodes: ReadonlyMap<string, MemoryNode>,
): [string, MemoryNode][] {
  // Ids in these tests are ASCII, where all orders are one.
  return [...nodes].sort(([a], [b]) => a < b ? -1 : 1);
}
