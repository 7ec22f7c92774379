/**
 * Compares what a store says of history with the naive model of merges, on handles with empty caches.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { MemoryNode } from "@mnem/core";
import { mergeBases } from "../../core/history/merge_base.ts";
import { shortOf } from "../../core/object/graph_commit.ts";
import { readEntry } from "../../core/state/read_entry.ts";
import { StoreReader } from "../../core/storage/store_reader.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import type { MemoryKv } from "./memory_kv.ts";
import {
  ancestors,
  bornIn,
  naiveBases,
  type NaiveMade,
  naiveValue,
  naiveWrittenIn,
  writerOf,
} from "./naive_graph.ts";
import { logOf } from "./naive_store.ts";
import type { Chance } from "./tree_cases.ts";

/** Memory, blame, birth and log of every commit. */
export async function checkCommits(
  kv: MemoryKv,
  all: readonly NaiveMade[],
): Promise<void> {
  const store = await openStoreOn(kv.open(), {});
  const reader = new StoreReader(kv.open());
  for (const commit of all) {
    const at = await store.at(commit.id);
    const memory = [...await at.memory()].map(([id, node]) => [
      id,
      objectOf(node),
    ]);
    const held = [...commit.memory].map(([id, { object }]) => [id, object]);
    assert.deepEqual(memory, held.sort());
    const row = await reader.commit(shortOf(commit.id));
    for (const id of commit.memory.keys()) {
      const writer = writerOf(commit, id).id;
      assert.equal((await at.blame(id)).commit.id, writer, `blame ${id}`);
      const entry = await readEntry(reader, row.root, id);
      assert.equal(
        entry?.born.commit,
        shortOf(bornIn(commit, id).id),
        "born",
      );
    }
    const log = (await Array.fromAsync(at.log())).map(({ id }) => id);
    const expected = logOf([...ancestors(commit)]).map(({ id }) => id);
    assert.deepEqual(log, expected, "log");
  }
}

/** The merge bases of some pairs. */
export async function checkBases(
  kv: MemoryKv,
  all: readonly NaiveMade[],
  chance: Chance,
): Promise<void> {
  const reader = new StoreReader(kv.open());
  for (let i = 0; i < 20; i++) {
    const [a, b] = [chance.pick(all), chance.pick(all)];
    const [x, y] = [
      await reader.commit(shortOf(a.id)),
      await reader.commit(shortOf(b.id)),
    ];
    const bases = (await mergeBases(reader, x, y)).map((one) => one.commit.id);
    assert.deepEqual(bases, naiveBases(a, b).map(({ id }) => id).sort());
  }
}

/** Versions and bisect along a branch. */
export async function checkSearch(
  kv: MemoryKv,
  name: string,
  { tip, ids }: { readonly tip: NaiveMade; readonly ids: readonly string[] },
): Promise<void> {
  const branch = (await openStoreOn(kv.open(), {})).on(name);
  const chain: NaiveMade[] = [];
  for (let at = tip as NaiveMade | undefined; at; at = at.parents[0]) {
    chain.unshift(at);
  }
  for (const id of ids) {
    const versions = await Array.fromAsync(
      branch.versions(id, { firstParent: true }),
    );
    const changed = chain.filter((commit) =>
      commit.parents[0]?.memory.get(id)?.object !==
        commit.memory.get(id)?.object
    );
    assert.deepEqual(
      versions.map(({ commit }) => commit.id),
      changed.map((commit) => commit.id).reverse(),
      "versions",
    );
    const want = tip.memory.get(id)?.content;
    const holds = (commit: NaiveMade) =>
      commit.memory.get(id)?.content === want;
    const found = await branch.bisect(
      async (memory) => (await memory.node(id))?.content === want,
      { scan: true },
    );
    const first = chain.find(holds)!;
    assert.equal(found.commit.id, first.id, "bisect");
    assert.equal(found.writtenIn.id, naiveWrittenIn(first, holds).id);
    const flips = chain.filter((commit, i) =>
      holds(commit) !== (i > 0 && holds(chain[i - 1]!))
    );
    assert.deepEqual(found.flips, flips.map((commit) => commit.id));
  }
}

/** The object id of a node, computed by the model; null for none. */
export function objectOf(node: MemoryNode | null): string | null {
  if (node === null) return null;
  const { id, content, provenance, eventTimeMs } = node;
  assert.ok(typeof content === "string");
  return naiveValue(id, content, provenance.source, eventTimeMs).object;
}
