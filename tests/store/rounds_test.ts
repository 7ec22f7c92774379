/**
 * How often the store waits for its storage, and how much it writes: counts, never milliseconds. A
 * round is one wait; on a remote store it is the whole cost.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Store } from "@mnem/core";
import type { Driver } from "../../core/storage/driver.ts";
import { countedStore, countsOf } from "../support/counted_store.ts";
import { MemoryKv } from "../support/memory_kv.ts";

const SIZES = [100, 1_000, 10_000] as const;
type Size = typeof SIZES[number];
const HOT_NODES = 100;

const idOf = (i: number) => `customer-${String(i).padStart(8, "0")}-plan`;
const ids = Array.from({ length: 10_000 }, (_, i) => idOf(i));
const databases = new Map<Size, MemoryKv>();

/** A database of that many nodes, on which a hundred of them were revised, one commit each. */
async function database(size: Size): Promise<MemoryKv> {
  const known = databases.get(size);
  if (known !== undefined) return known;
  const kv = new MemoryKv();
  databases.set(size, kv);
  const { store } = await countedStore(kv.open(), { create: true });
  const edits = ids.slice(0, size).map((id, i) => ({ id, content: i }));
  await store.write(edits, { message: "fill" });
  for (let i = 0; i < HOT_NODES; i++) await revise(store, hot(size, i), i);
  return kv;
}

function hot(size: Size, i: number): string {
  return ids[Math.floor(size / HOT_NODES) * (i % HOT_NODES)] ?? "";
}

async function revise(store: Store, id: string, i: number): Promise<void> {
  await store.write([{ id, content: `revised ${i}` }], {
    message: `revise ${i}`,
  });
}

/** The rounds of a call on a handle with empty caches, and of the same call after it. */
async function rounds(
  size: Size,
  call: (store: Store, turn: number) => Promise<unknown>,
): Promise<{ cold: number; warm: number }> {
  const { store, driver } = await countedStore((await database(size)).open());
  const cold = await countsOf(driver, () => call(store, 0));
  const warm = await countsOf(driver, () => call(store, 1));
  await store.close();
  return { cold: cold.rounds, warm: warm.rounds };
}

for (const size of SIZES) {
  Deno.test(`a commit of one node among ${size}: three rows, one round`, async () => {
    const { store, driver } = await countedStore((await database(size)).open());
    let bytes = 0;
    for (let i = 0; i < HOT_NODES; i++) {
      await store.node(hot(size, i));
    }
    await revise(store, hot(size, 0), -1);
    for (let i = 0; i < HOT_NODES; i++) {
      const counts = await countsOf(
        driver,
        () => revise(store, hot(size, i), i + 1_000),
      );
      assert.deepEqual(
        [counts.rounds, counts.commits, counts.rowsSet],
        [1, 1, 3],
      );
      bytes += counts.bytesSet;
    }
    const mean = bytes / HOT_NODES;
    assert.ok(
      mean < { 100: 5_000, 1_000: 9_000, 10_000: 12_288 }[size],
      `${mean}`,
    );
    await store.close();
  });
}

Deno.test("a commit of one node on a cold handle: the head, the way down, the write", async () => {
  const write = (store: Store, turn: number) =>
    revise(store, ids[37]!, turn + 5_000);
  const small = await rounds(100, write);
  assert.ok(small.cold <= 6, `flat: ${small.cold}`);
  assert.ok((await rounds(1_000, write)).cold <= 6);
  assert.deepEqual(await rounds(10_000, write), { cold: 4, warm: 1 });
});

Deno.test("a removal costs what a write costs", async () => {
  const { store, driver } = await countedStore((await database(100)).open());
  await store.write([{ id: "one", content: 1 }], { message: "one" });
  const counts = await countsOf(
    driver,
    () => store.write([{ id: "one", remove: true }], { message: "no" }),
  );
  assert.deepEqual([counts.rounds, counts.rowsSet], [1, 3]);
});

Deno.test("another writer costs a surprise once, and then one more round", async () => {
  const kv = await database(1_000);
  const { store, driver } = await countedStore(kv.open());
  const other = await countedStore(kv.open());
  await revise(store, hot(1_000, 0), -2);
  const costs: number[] = [];
  for (let i = 0; i < 4; i++) {
    await revise(other.store, hot(1_000, 1), i);
    // So that what is counted is the protocol, not the way down.
    await store.node(hot(1_000, 0));
    const { rounds } = await countsOf(
      driver,
      () => revise(store, hot(1_000, 0), i),
    );
    costs.push(rounds);
  }
  assert.deepEqual(costs, [3, 2, 2, 2]);
  // Alone again: one look that finds nobody, and from then on none.
  const alone: number[] = [];
  for (let i = 0; i < 3; i++) {
    const { rounds } = await countsOf(
      driver,
      () => revise(store, hot(1_000, 0), i + 10),
    );
    alone.push(rounds);
  }
  assert.deepEqual(alone, [2, 1, 1]);
});

Deno.test("recall of one node", async () => {
  for (const size of SIZES) {
    // A node that was revised, and one that never was.
    for (const id of [hot(size, 5), ids[7]!]) {
      const { cold, warm } = await rounds(size, (store) => store.node(id));
      assert.ok(cold <= (size < 10_000 ? 3 : 3), `cold, ${size}: ${cold}`);
      assert.equal(warm, 1);
    }
  }
});

Deno.test("recall of a node with many versions costs no more than one round more", async () => {
  const kv = await database(10_000);
  const { store } = await countedStore(kv.open());
  for (let i = 0; i < 20; i++) await revise(store, ids[99]!, i);
  const { cold } = await rounds(10_000, (handle) => handle.node(ids[99]!));
  assert.ok(cold <= 4, `${cold}`);
});

Deno.test("blame", async () => {
  for (const size of SIZES) {
    for (const id of [hot(size, 5), ids[7]!]) {
      const { cold, warm } = await rounds(size, (store) => store.blame(id));
      assert.ok(cold <= 4, `cold, ${size}: ${cold}`);
      assert.equal(warm, 1);
    }
  }
});

Deno.test("diff of neighbours, what is new, and the log", async () => {
  for (const size of SIZES) {
    const diff = await rounds(
      size,
      (store) => Array.fromAsync(store.diff("HEAD~1")),
    );
    assert.deepEqual(diff, { cold: 2, warm: 1 }, `diff, ${size}`);
    const changes = await rounds(size, (store) => store.changes());
    assert.deepEqual(changes, { cold: 2, warm: 1 }, `changes, ${size}`);
    const log = await rounds(
      size,
      (store) => Array.fromAsync(store.log({ limit: 20 })),
    );
    assert.ok(log.cold <= 6, `log, ${size}: ${log.cold}`);
    assert.equal(log.warm, 1);
  }
});

Deno.test("diff() sees both revisions at one moment, whoever writes meanwhile", async () => {
  const kv = (await database(100)).copy();
  const other = await countedStore(kv.open());
  await revise(other.store, ids[2]!, 0);
  const below = kv.open();
  let reads = 0;
  const driver: Driver = {
    name: below.name,
    getMany: async (keys) => {
      const rows = await below.getMany(keys);
      const isHead = keys.some(([head]) => head === "r");
      if (isHead && reads++ === 0) await revise(other.store, ids[1]!, 0);
      return rows;
    },
    list: (range, options) => below.list(range, options),
    commit: (write) => below.commit(write),
    close: () => below.close(),
  };
  const { store } = await countedStore(driver);
  const changes = await Array.fromAsync(store.diff("HEAD~1", "HEAD"));
  assert.deepEqual(changes.map(({ id }) => id), [ids[2]]);
  const later = await Array.fromAsync(store.diff("HEAD~1"));
  assert.deepEqual(later.map(({ id }) => id), [ids[1]]);
});

Deno.test("making a branch, and switching to it", async () => {
  const kv = await database(100);
  const { store, driver } = await countedStore(kv.open());
  for (const name of ["one", "two"]) {
    const made = await countsOf(driver, () => store.createBranch(name));
    assert.deepEqual([made.rounds, made.rowsSet], [2, 1]);
    const moved = await countsOf(driver, () => store.switchTo(name));
    assert.deepEqual([moved.rounds, moved.rowsSet], [2, 1]);
  }
  await store.switchTo("main");
});
