/**
 * The rounds that are counted are the waits that there are: for every operation, on storage that
 * answers one call after the other, as a file does, and on storage whose calls all take equally long,
 * as a server's do.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Store } from "@mnem/core";
import type { Driver } from "../../core/storage/driver.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { countedStore, countsOf } from "../support/counted_store.ts";
import { listBatches } from "../support/list_batches.ts";
import { LockstepDriver } from "../support/lockstep_driver.ts";
import { MemoryKv } from "../support/memory_kv.ts";

const NODES = 3_000;
const COMMITS = 40;
const ids = Array.from(
  { length: NODES },
  (_, i) => `customer-${String(i).padStart(8, "0")}-plan`,
);
const hot = ids[1_234]!;

let database: Promise<MemoryKv> | undefined;

/** Many nodes, some revised and one of them again and again, and a branch that went on elsewhere. */
function filled(): Promise<MemoryKv> {
  return database ??= (async () => {
    const kv = new MemoryKv();
    await using store = await openStoreOn(kv.open(), { create: true });
    const all = ids.map((id, i) => ({ id, content: i }));
    await store.write(all, { message: "fill" });
    for (let i = 0; i < COMMITS; i++) {
      const id = i % 4 === 0 ? hot : ids[i * 71]!;
      await store.write([{ id, content: `revised ${i}` }], { message: "go" });
      if (i !== COMMITS / 2) continue;
      await store.createBranch("side");
      await store.on("side").write([{ id: ids[7]!, content: "aside" }], {
        message: "aside",
      });
    }
    return kv;
  })();
}

/** Waits, one after the other, that each operation takes at most on a handle with empty caches. */
const CALLS: Record<string, [most: number, (store: Store) => unknown]> = {
  head: [1, (store) => store.head()],
  node: [2, (store) => store.node(ids[99]!)],
  "node at a commit": [7, async (store) => {
    await (await store.at("HEAD~21")).node(ids[99]!);
  }],
  blame: [3, (store) => store.blame(ids[99]!)],
  "diff of neighbours": [2, (store) => all(store.diff("HEAD~1"))],
  "diff of others": [6, (store) => all(store.diff("HEAD~9"))],
  "diff of a branch": [3, (store) => all(store.diff("side"))],
  changes: [2, (store) => store.changes()],
  "changes before": [3, (store) => store.changes("HEAD~3")],
  changed: [1, (store) => store.changed()],
  log: [6, (store) => all(store.log({ limit: 20 }))],
  "log of a node": [12, (store) => all(store.log({ node: hot }))],
  versions: [13, (store) => all(store.versions(hot))],
  nodes: [3, (store) => all(store.nodes({ prefix: "customer-000001" }))],
  entries: [3, (store) => all(store.entries())],
  memory: [9, (store) => store.memory()],
  branches: [1, (store) => store.branches()],
  "a short id": [1, async (store) => await store.resolve(await someId())],
  bisect: [
    17,
    (store) =>
      store.bisect(async (memory) =>
        (await memory.node(hot))?.content !== 1_234
      ),
  ],
  write: [
    3,
    (store) =>
      store.write([{ id: ids[50]!, content: "new" }], { message: "new" }),
  ],
  "bulk write": [6, (store) =>
    store.write(
      ids.slice(0, 1_500).map((id) => ({ id, content: "again" })),
      { message: "bulk" },
    )],
  merge: [10, async (store) => {
    assert.equal((await store.merge("side")).status, "merged");
  }],
  revert: [6, (store) => store.revert("HEAD~2")],
  createBranch: [2, (store) => store.createBranch("new")],
  "createBranch at a commit": [
    6,
    (store) => store.createBranch("new", { at: "HEAD~5" }),
  ],
  deleteBranch: [2, (store) => store.deleteBranch("side")],
  switchTo: [2, (store) => store.switchTo("side")],
};

for (const [name, [most, call]] of Object.entries(CALLS)) {
  Deno.test(`the rounds of "${name}" are counted as what they are`, async () => {
    const kv = await filled();
    const { store, driver } = await countedStore(inTurn(kv.copy().open()));
    const { rounds } = await countsOf(driver, async () => await call(store));
    await store.close();
    const far = new LockstepDriver(kv.copy().open());
    await using distant = await openStoreOn(far);
    const before = far.waits;
    await call(distant);
    const waits = far.waits - before;
    assert.equal(rounds, waits);
    assert.ok(waits > 0 && waits <= most, `${waits} waits`);
  });
}

function all(items: AsyncIterable<unknown>): Promise<unknown[]> {
  return Array.fromAsync(items);
}

async function someId(): Promise<string> {
  await using store = await openStoreOn((await filled()).open());
  return (await store.resolve("HEAD~1")).slice(0, 12);
}

/** Storage that is at one call after the other, and tells its answers so. */
function inTurn(driver: Driver): Driver {
  let last: Promise<unknown> = Promise.resolve();
  const turn = <T>(call: () => Promise<T>): Promise<T> => {
    const answer = last.then(call);
    const pause = () => new Promise((resolve) => setTimeout(resolve));
    last = answer.then(pause, pause);
    return answer;
  };
  return {
    name: driver.name,
    getMany: (keys) => turn(() => driver.getMany(keys)),
    list: (range, options) =>
      listBatches(driver.list(range, options), options?.limit, turn),
    commit: (write) => turn(() => driver.commit(write)),
    close: () => driver.close(),
  };
}
