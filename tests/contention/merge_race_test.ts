/**
 * Merges and reverts that meet a writer, or whose answers are lost.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { MergeResult, Store } from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { ClientErrors } from "../support/client_errors.ts";
import { faultAt, FaultDriver } from "../support/fault_driver.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { raceMerges } from "../support/merge_race.ts";

Deno.test("a merge racing a writer, 100 times: both land, or the new conflict is reported", async () => {
  const kv = new MemoryKv();
  const one = await openStoreOn(kv.open(), { create: true });
  const two = await openStoreOn(kv.open(), {});
  const { merged, conflicts } = await raceMerges(one, two, 100);
  assert.equal(merged + conflicts, 100);
  assert.ok(merged > 0, `${merged} merged, ${conflicts} in conflict`);
});

Deno.test("a merge that loses the branch to a writer is worked out again", async () => {
  for (const id of ["x", "y"]) {
    const kv = new MemoryKv();
    const other = await seeded(kv);
    const driver = new FaultDriver(kv.open());
    const store = await openStoreOn(driver, { clock: () => 1 });
    let written: string | null = null;
    driver.arm(({ operation, nth }) =>
      operation === "commit" && nth === 1
        ? {
          slow: other.write([{ id, content: "writer" }], { message: "late" })
            .then(({ commit }) => written = commit),
        }
        : undefined
    );
    const result = await store.merge("side");
    assert.equal(driver.fired, 1);
    assert.equal((await store.node(id))?.content, "writer");
    if (id === "x") {
      assert.equal(result.status, "conflicts");
      assert.equal(result.conflicts[0]?.ours?.content, "writer");
      assert.equal((await store.head()).commit, written);
    } else {
      assert.equal(result.status, "merged");
      const merge = await store.readCommit("HEAD");
      assert.deepEqual([merge.id, merge.parents[0]], [result.commit, written]);
    }
  }
});

/** Main with a commit of its own, and a branch that changes x. */
async function seeded(kv: MemoryKv): Promise<Store> {
  const store = await openStoreOn(kv.open(), { create: true, clock: () => 1 });
  await store.write([{ id: "x", content: 0 }], { message: "base" });
  await store.createBranch("side");
  await store.createBranch("behind");
  await store.on("side").write([{ id: "x", content: 1 }], { message: "side" });
  await store.write([{ id: "z", content: 2 }], { message: "own" });
  return store;
}

const OPERATIONS: readonly {
  readonly name: string;
  readonly branch: string;
  readonly commits: number;
  readonly status: string;
  readonly run: (store: Store) => Promise<MergeResult>;
}[] = [
  {
    name: "merge",
    branch: "main",
    commits: 4,
    status: "merged",
    run: (store) => store.merge("side"),
  },
  {
    name: "fast-forward",
    branch: "behind",
    commits: 2,
    status: "fast-forwarded",
    run: (store) => store.on("behind").merge("main"),
  },
  {
    name: "revert",
    branch: "main",
    commits: 3,
    status: "merged",
    run: (store) => store.revert("HEAD"),
  },
];

for (const { name, branch, commits, status, run } of OPERATIONS) {
  Deno.test(`${name}: an answer lost or late at any write has one effect, and the right answer`, async () => {
    const kv = new MemoryKv();
    await seeded(kv);
    const expected = await run(
      await openStoreOn(kv.open(), { clock: () => 9 }),
    );
    assert.equal(expected.status, status);
    for (const fault of ["lose", "late", "not_ok", "refuse"] as const) {
      let writes = 0;
      for (let place = 1;; place++) {
        const fresh = new MemoryKv();
        await seeded(fresh);
        const driver = new FaultDriver(fresh.open());
        const store = await openStoreOn(new ClientErrors(driver), {
          clock: () => 9,
        });
        driver.arm(faultAt(place, fault, "commit"));
        const what = `${fault} at write ${place}`;
        assert.deepEqual(await run(store), expected, what);
        const { fired } = driver;
        driver.arm(() => undefined);
        await driver.flush();
        const other = await openStoreOn(fresh.open(), {});
        const log = await Array.fromAsync(other.on(branch).log());
        assert.equal(log.length, commits, what);
        assert.equal(log[0]?.id, expected.commit, what);
        if (fired === 0) break;
        writes++;
      }
      assert.ok(writes >= 1, `${fault}: no write`);
    }
  });
}
