/**
 * Reading many nodes: by one ordered list of all versions as long as that pays, else node by node. The
 * answer is the same.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Edit, Snapshot, Store } from "@mnem/core";
import { LIST_BATCH_ROWS_MAX } from "../../core/limits.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { countedStore, countsOf } from "../support/counted_store.ts";
import { CountingDriver } from "../support/counting_driver.ts";
import { FaultDriver } from "../support/fault_driver.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { sortedIds } from "../support/naive_store.ts";

const COUNT = 1_600;
const IDS = Array.from(
  { length: COUNT },
  (_, i) => `${["n", "é", "😀", "～"][i % 4]}${i}`,
);

interface Grown {
  readonly kv: MemoryKv;
  /** What each commit holds, oldest first. */
  readonly commits: readonly {
    readonly id: string;
    readonly memory: ReadonlyMap<string, unknown>;
  }[];
}

/** A store whose every commit revises all that `revises` says. */
async function grow(
  rounds: number,
  revises: (i: number) => boolean,
): Promise<Grown> {
  const kv = new MemoryKv();
  await using store = await openStoreOn(kv.open(), { create: true });
  let memory = new Map<string, unknown>();
  const commits: { id: string; memory: ReadonlyMap<string, unknown> }[] = [];
  for (let round = 0; round < rounds; round++) {
    const ids = IDS.filter((_, i) => round === 0 || revises(i));
    const edits = ids.map((id): Edit => ({
      id,
      content: contentOf(id, round),
    }));
    const { commit } = await store.write(edits, {
      message: "m",
      timeMs: round,
    });
    memory = new Map(memory);
    for (const id of ids) memory.set(id, contentOf(id, round));
    commits.push({ id: commit!, memory });
  }
  return { kv, commits };
}

function contentOf(id: string, round: number): string {
  return id === "n8" ? `${round} `.repeat(40_000) : `${id} ${round}`;
}

async function checkAt(
  at: Store | Snapshot,
  memory: ReadonlyMap<string, unknown>,
): Promise<void> {
  const ids = sortedIds(memory.keys());
  const all = await at.memory();
  assert.deepEqual(
    [...all].map(([id, node]) => [id, node.id, node.content]),
    ids.map((id) => [id, id, memory.get(id)]),
  );
}

Deno.test("a memory without old versions is one list and no reading of single nodes", async () => {
  const { kv, commits } = await grow(1, () => true);
  const driver = new CountingDriver(kv.open());
  await using store = await openStoreOn(driver);
  driver.reset();
  await checkAt(store, commits[0]!.memory);
  assert.equal(driver.counts.lists, 1);
  assert.ok(driver.counts.getManys < 20, `${driver.counts.getManys} calls`);
});

Deno.test("a small memory is one list too, and then at hand", async () => {
  // The head, the list beside the chunks, a round a level of the tree but for the first of them, one
  // for 500 nodes and one that finds no more.
  for (const [nodes, rounds] of [[11, 2], [100, 2], [1_000, 5]] as const) {
    const kv = await crowded({ nodes, rewritten: 0, rounds: 0 });
    const { store, driver } = await countedStore(kv.open());
    const cold = await countsOf(driver, () => store.memory());
    assert.equal(cold.lists, 1);
    assert.ok(cold.rounds <= rounds, `${cold.rounds} rounds, ${nodes} nodes`);
    // The nodes; what says where the head is; the chunks, about 32 entries each.
    assert.ok(cold.rowsRead <= nodes + 3 + nodes / 10, `${cold.rowsRead} rows`);
    assert.ok(cold.rowsRead > nodes, `${cold.rowsRead} rows`);
    const warm = await countsOf(driver, () => store.memory());
    assert.deepEqual([warm.lists, warm.rounds], [0, 1]);
  }
});

Deno.test("nodes that are missing in the cache alone are read, by their keys if they are few", async () => {
  const kv = await crowded({ nodes: 100, rewritten: 0, rounds: 0 });
  const { store, driver } = await countedStore(kv.open());
  const ids = sortedIds((await store.memory()).keys());
  await using writer = await openStoreOn(kv.open());
  for (const [changed, lists, byKey] of [[5, 0, 5], [60, 1, 0]] as const) {
    const edits = ids.slice(-changed).map((id): Edit => ({
      id,
      content: `${id} in ${changed}`,
    }));
    await writer.write(edits, { message: "m" });
    let contents: unknown[] = [];
    // So that what is counted is nodes, and not the way to them.
    await Array.fromAsync(store.entries());
    const counts = await countsOf(driver, async () => {
      const nodes = await Array.fromAsync(store.nodes());
      contents = nodes.map(({ content }) => content);
    });
    assert.deepEqual(contents.slice(-changed), edits.map((e) => e.content));
    assert.equal(contents.length, 100);
    assert.deepEqual([counts.lists, counts.keysAsked], [lists, byKey + 3]);
  }
});

Deno.test("a list that fails beside the way down fails the call alone", async () => {
  const kv = await crowded({ nodes: 100, rewritten: 0, rounds: 0 });
  const driver = new FaultDriver(kv.open());
  await using store = await openStoreOn(driver);
  const snapshot = await store.at("HEAD");
  for (const failing of [["list", "getMany"], ["getMany"], ["list"]]) {
    driver.arm(({ operation }) =>
      failing.includes(operation) ? "refuse" : undefined
    );
    await assert.rejects(snapshot.memory(), { code: "store_io" });
  }
  driver.arm(() => undefined);
  assert.equal((await snapshot.memory()).size, 100);
});

Deno.test("a page of a large memory reads no row beyond it", async () => {
  const kv = await crowded({ nodes: 5_000, rewritten: 0, rounds: 0 });
  const { store, driver } = await countedStore(kv.open());
  for (const range of [{ after: "k12000" }, { prefix: "k13" }]) {
    await Array.fromAsync(store.entries({ ...range, limit: 100 }));
    const counts = await countsOf(driver, async () => {
      const nodes = await Array.fromAsync(
        store.nodes({ ...range, limit: 100 }),
      );
      assert.equal(nodes.length, 100);
    });
    // And the three that say where the head is.
    assert.deepEqual([counts.keysAsked, counts.rowsRead], [3, 100 + 3]);
  }
});

Deno.test("a small memory with a long history is read by its keys", async () => {
  const kv = await crowded({ nodes: 40, rewritten: 1, rounds: 400 });
  const { store, driver } = await countedStore(kv.open());
  const counts = await countsOf(driver, () => store.memory());
  assert.equal(counts.lists, 0);
  assert.ok(counts.rowsRead <= 40 + 8, `${counts.rowsRead} rows`);
});

Deno.test("a small memory that was rewritten whole is listed in vain for a few rows only", async () => {
  for (const nodes of [30, 150, 900]) {
    const kv = await crowded({ nodes, rewritten: nodes, rounds: 30 });
    const { store, driver } = await countedStore(kv.open());
    const counts = await countsOf(driver, () => store.memory());
    const listed = counts.rowsRead - counts.keysAsked;
    assert.equal(counts.lists, 1);
    assert.ok(counts.keysAsked > nodes / 2, `${counts.keysAsked} keys`);
    assert.ok(
      listed <= Math.min(3 * nodes, LIST_BATCH_ROWS_MAX),
      `${listed} rows`,
    );
  }
});

Deno.test("few old versions: still one list, at any commit", async () => {
  const { kv, commits } = await grow(4, (i) => i % 3 === 0);
  for (const { id, memory } of commits) {
    const driver = new CountingDriver(kv.open());
    await using store = await openStoreOn(driver);
    driver.reset();
    await checkAt(await store.at(id), memory);
    assert.equal(driver.counts.lists, 1);
    assert.ok(
      driver.counts.keysAsked < COUNT / 2,
      `${driver.counts.keysAsked} keys`,
    );
  }
});

Deno.test("many old versions: the list is left, and the answer is the same at any commit", async () => {
  const { kv, commits } = await grow(9, () => true);
  for (const { id, memory } of commits) {
    const driver = new CountingDriver(kv.open());
    await using store = await openStoreOn(driver);
    driver.reset();
    await checkAt(await store.at(id), memory);
    assert.ok(
      driver.counts.keysAsked > COUNT / 4,
      `${driver.counts.keysAsked} keys`,
    );
    assert.ok(
      driver.counts.rowsRead < 9 * COUNT,
      `${driver.counts.rowsRead} rows`,
    );
  }
});

Deno.test("old versions in one place only do not spoil the list for the rest", async () => {
  const { kv, commits } = await grow(12, (i) => i < 100);
  const { memory } = commits.at(-1)!;
  const driver = new CountingDriver(kv.open());
  await using store = await openStoreOn(driver);
  driver.reset();
  await checkAt(store, memory);
  assert.ok(
    driver.counts.keysAsked < COUNT / 2,
    `${driver.counts.keysAsked} keys`,
  );
});

Deno.test("a prefix of many nodes is one list", async () => {
  const kv = new MemoryKv();
  const ids = IDS.map((_, i) => `p/${i}`);
  {
    await using store = await openStoreOn(kv.open(), { create: true });
    const edits = ["o", ...ids, "q", "p0", "p"].map((id) => ({
      id,
      content: id,
    }));
    await store.write(edits, { message: "m" });
  }
  const driver = new CountingDriver(kv.open());
  await using store = await openStoreOn(driver);
  driver.reset();
  const nodes = await Array.fromAsync(store.nodes({ prefix: "p/" }));
  assert.deepEqual(
    nodes.map(({ id, content }) => [id, content]),
    sortedIds(ids).map((id) => [id, id]),
  );
  assert.equal(driver.counts.lists, 1);
  assert.ok(driver.counts.keysAsked < 200, `${driver.counts.keysAsked} keys`);
});

Deno.test("nodes() goes on after an id, stops at a limit, and can be left in the middle", async () => {
  const { kv, commits } = await grow(3, (i) => i % 2 === 0);
  const { memory } = commits.at(-1)!;
  const ids = sortedIds(memory.keys());
  await using store = await openStoreOn(kv.open());
  for (
    const [after, limit] of [
      [ids[3]!, 1_200],
      [ids[500]!, 1_050],
      ["", 1_100],
      ["é", 1_001],
      [ids.at(-1)!, 5_000],
    ] as const
  ) {
    const nodes = await Array.fromAsync(store.nodes({ after, limit }));
    const expected = ids.filter((id) =>
      id !== after && sortedIds([id, after])[0] === after
    ).slice(0, limit);
    assert.deepEqual(
      nodes.map(({ id, content }) => [id, content]),
      expected.map((id) => [id, memory.get(id)]),
    );
  }
  const seen: string[] = [];
  for await (const { id } of store.nodes()) {
    if (seen.push(id) === 777) break;
  }
  assert.deepEqual(seen, ids.slice(0, 777));
});

Deno.test("nodes() tells of one commit, whatever is written meanwhile", async () => {
  const { kv, commits } = await grow(2, () => true);
  const { memory } = commits.at(-1)!;
  await using store = await openStoreOn(kv.open());
  await using writer = await openStoreOn(kv.open());
  const ids = sortedIds(memory.keys());
  const told: [string, unknown][] = [];
  for await (const { id, content } of store.nodes()) {
    told.push([id, content]);
    if (told.length % 400 !== 1) continue;
    const next = ids[told.length + 150]!;
    await writer.write([
      { id: next, content: "newer" },
      { id: ids[told.length + 250]!, remove: true },
      { id: `${next} inserted`, content: 1 },
    ], { message: "m" });
  }
  assert.deepEqual(told, ids.map((id) => [id, memory.get(id)]));
  assert.notDeepEqual([...(await store.memory()).keys()], ids);
});

/** A store of some nodes, of which some at the beginning have many versions. */
async function crowded(options: {
  readonly nodes: number;
  readonly rewritten: number;
  readonly rounds: number;
}): Promise<MemoryKv> {
  const { nodes, rewritten, rounds } = options;
  const kv = new MemoryKv();
  await using store = await openStoreOn(kv.open(), { create: true });
  const ids = Array.from({ length: nodes }, (_, i) => `k${10_000 + i}`);
  for (let round = 0; round <= rounds; round++) {
    const edits = ids.slice(0, round === 0 ? nodes : rewritten)
      .map((id): Edit => ({ id, content: `${id} ${round}` }));
    await store.write(edits, { message: "m" });
  }
  return kv;
}

Deno.test("nodes() lists again after a range of many versions", async () => {
  const kv = await crowded({ nodes: 8_000, rewritten: 50, rounds: 80 });
  const { store, driver } = await countedStore(kv.open());
  const counts = await countsOf(
    driver,
    () => Array.fromAsync(store.nodes()),
  );
  await store.close();
  // 4,000 dead rows for 50 nodes: they are given up, and then some are read by their keys.
  assert.ok(counts.lists >= 2, `${counts.lists} lists`);
  assert.ok(counts.keysAsked <= 3_000, `${counts.keysAsked} keys`);
  assert.ok(counts.rounds <= 60, `${counts.rounds} rounds`);
  assert.ok(counts.rowsRead <= 8_000 + 2_000 + 500, `${counts.rowsRead} rows`);
});

Deno.test("nodes() lists few rows in vain where all nodes have many versions", async () => {
  const kv = await crowded({ nodes: 6_000, rewritten: 6_000, rounds: 6 });
  const { store, driver } = await countedStore(kv.open());
  const counts = await countsOf(
    driver,
    () => Array.fromAsync(store.nodes()),
  );
  await store.close();
  const byKey = counts.keysAsked;
  const listed = counts.rowsRead - byKey;
  assert.ok(byKey >= 3_000, `${byKey} keys`);
  assert.ok(listed - 6_000 <= byKey + 3_000, `${listed} rows, ${byKey} keys`);
});

Deno.test("a node that is damaged or missing is corrupt_store, on either way", async () => {
  for (const rounds of [1, 5]) {
    const { kv, commits } = await grow(rounds, () => true);
    const rows = kv.rows().filter((row) => row.key[1] === "é801");
    assert.equal(rows.length, rounds);
    for (const { key, value } of rows) {
      // The last digit of the content, so that the node can still be decoded.
      const place = startOf(value, "content_kind") - 2;
      const round = value[place]! - "0".charCodeAt(0);
      const flipped = value.slice();
      flipped[place]! ^= 1;
      for (const damage of [() => kv.put(key, flipped), () => kv.remove(key)]) {
        damage();
        await using store = await openStoreOn(kv.open());
        const at = await store.at(commits[round]!.id);
        await assert.rejects(at.memory(), { code: "corrupt_store" });
        const others = commits.filter((_, i) => i !== round).slice(0, 1);
        for (const { id, memory } of others) {
          await checkAt(await store.at(id), memory);
        }
        kv.put(key, value);
      }
    }
  }
});

/** Where a text starts in bytes. */
function startOf(bytes: Uint8Array, text: string): number {
  return new TextDecoder("latin1").decode(bytes).indexOf(text);
}
