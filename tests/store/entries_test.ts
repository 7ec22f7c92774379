/**
 * Entries: which nodes a memory holds and where they come from; and nodes by their ids.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Branch, NodeEntry, Store } from "@mnem/core";
import { countedStore, countsOf } from "../support/counted_store.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { tempStore } from "../support/temp_store.ts";

async function write(store: Branch, id: string, content?: number) {
  const edit = content === undefined
    ? { id, remove: true } as const
    : { id, content };
  const { commit } = await store.write([edit], { message: `write ${id}` });
  assert.ok(commit !== null);
  return commit;
}

/** Each id with the commits that its entry names, resolved to full ids. */
async function named(store: Store, entries: AsyncIterable<NodeEntry>) {
  const found: [string, string, string][] = [];
  for await (const { id, changed, born } of entries) {
    const by = await store.readCommit(changed.commit);
    const first = await store.readCommit(born.commit);
    assert.equal(changed.timeMs, by.timeMs);
    assert.equal(born.timeMs, first.timeMs);
    found.push([id, by.id, first.id]);
  }
  return found;
}

Deno.test("entries() names the commits that wrote and that added each node", async () => {
  let now = 1_000;
  await using temp = await tempStore({ clock: () => now++ });
  const { store } = temp;
  const a = await write(store, "a", 1);
  const b = await write(store, "b", 1);
  const b2 = await write(store, "b", 2);
  await write(store, "c", 1);
  await write(store, "c");
  const c = await write(store, "c", 1);

  assert.deepEqual(await named(store, store.entries()), [
    ["a", a, a],
    ["b", b2, b],
    ["c", c, c],
  ]);
  const past = await store.at(b);
  assert.deepEqual(await named(store, past.entries()), [["a", a, a], [
    "b",
    b,
    b,
  ]]);
  const all = await Array.fromAsync(store.entries());
  // The sixth commit in a line stands five generations above the first.
  assert.equal(all[2]!.born.generation - all[0]!.born.generation, 5);
  assert.equal(all[2]!.born.timeMs - all[0]!.born.timeMs, 5);
});

Deno.test("entries() sees through a merge and a revert, as blame does", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const a = await write(store, "a", 1);
  await store.createBranch("side");
  const there = await write(store.on("side"), "b", 1);
  const a2 = await write(store, "a", 2);
  const { status } = await store.merge("side");
  assert.equal(status, "merged");
  assert.deepEqual(await named(store, store.entries()), [
    ["a", a2, a],
    ["b", there, there],
  ]);
  assert.equal((await store.blame("b")).commit.id, there);
  const taken = await store.revert(a2);
  const [first] = await named(store, store.entries({ ids: ["a"] }));
  assert.deepEqual(first, ["a", taken.commit, a]);
});

Deno.test("entries() and nodes() take ids in any order, and the other options beside them", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const edits = ["é", "~", "b", "a:1", "a:2", "a:3", "😀", "～"].map((id) => ({
    id,
    content: id,
  }));
  await store.write(edits, { message: "fill" });
  const ids = ["😀", "a:3", "gone", "b", "a:1", "～", "a:3"];
  const idsOf = async (list: AsyncIterable<{ id: string }>) =>
    (await Array.fromAsync(list)).map(({ id }) => id);
  for (
    const [options, expected] of [
      [{ ids }, ["a:1", "a:3", "b", "～", "😀"]],
      [{ ids: [] }, []],
      [{ ids, prefix: "a:" }, ["a:1", "a:3"]],
      [{ ids, after: "a:3" }, ["b", "～", "😀"]],
      [{ ids, after: "a", limit: 2 }, ["a:1", "a:3"]],
      [{ ids, limit: 0 }, []],
      [{ ids: undefined, prefix: "a:" }, ["a:1", "a:2", "a:3"]],
    ] as const
  ) {
    assert.deepEqual(await idsOf(store.entries(options)), expected);
    assert.deepEqual(await idsOf(store.nodes(options)), expected);
  }
});

Deno.test("entries() refuses what is no list of ids", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await write(store, "a", 1);
  const wrong: [unknown, RegExp][] = [
    ["a", /"ids" must be an array, got string/],
    [null, /"ids" must be an array, got null/],
    [[1], /Cannot use node id: number, must be a string/],
    [["\ud800"], /lone surrogate/],
  ];
  for (const [ids, message] of wrong) {
    const options = JSON.parse("{}");
    options.ids = ids;
    const lists: AsyncIterable<unknown>[] = [
      store.entries(options),
      store.nodes(options),
    ];
    for (const list of lists) {
      await assert.rejects(Array.fromAsync(list), {
        name: "TypeError",
        message,
      });
    }
  }
  assert.equal(
    (await Array.fromAsync(store.entries({ ids: ["a"] }))).length,
    1,
  );
});

Deno.test("entries() gives copies, and nothing on a branch without a commit", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  assert.deepEqual(await Array.fromAsync(store.entries()), []);
  assert.deepEqual(await Array.fromAsync(store.entries({ ids: ["a"] })), []);
  const commit = await write(store, "a", 1);
  const [entry] = await Array.fromAsync(store.entries());
  Object.assign(entry!.born, { commit: "spoilt", generation: -1 });
  assert.deepEqual(await named(store, store.entries()), [[
    "a",
    commit,
    commit,
  ]]);
});

Deno.test("entries() reads no node, and of a large memory only what the range needs", async () => {
  const seen: number[] = [];
  for (const size of [1_000, 20_000]) {
    const kv = new MemoryKv();
    const first = await countedStore(kv.open(), { create: true });
    const edits = Array.from({ length: size }, (_, i) => ({
      id: `user-${String(i % (size / 100)).padStart(6, "0")}:${i}`,
      content: i,
    }));
    await first.store.write(edits, { message: "fill" });
    const { store, driver } = await countedStore(kv.open());
    let told = 0;
    const counts = await countsOf(driver, async () => {
      for await (const _ of store.entries({ prefix: "user-000007:" })) told++;
    });
    assert.equal(told, 100);
    // The head, then one round a level of the tree at most.
    assert.ok(counts.rounds <= 4, `${counts.rounds}`);
    assert.equal(counts.lists, 0);
    seen.push(counts.rowsRead);
    const again = await countsOf(driver, async () => {
      await Array.fromAsync(store.entries({ prefix: "user-000007:" }));
    });
    assert.equal(again.rounds, 1);
    const read = await countsOf(driver, async () => {
      const ids = [...Array(30).keys()].map((i) => `user-000007:${i}`);
      await Array.fromAsync(store.nodes({ ids }));
    });
    // The nodes, and the rows that say where the head is.
    assert.ok(read.rowsRead <= 30 + 4, `${read.rowsRead}`);
  }
  const [small, large] = seen;
  assert.ok(large! <= 2 * small!, `${small} rows of 1,000, ${large} of 20,000`);
});
