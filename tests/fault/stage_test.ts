/**
 * The stage and its commit: both, or neither, whatever the storage answers.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Store } from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { checkHistory } from "../support/check_history.ts";
import type { Fault, FaultDriver } from "../support/fault_driver.ts";
import { faultStore } from "../support/fault_store.ts";

const same = { message: "the call", author: "tester", timeMs: 5 };

async function stagedIn(store: Store): Promise<number> {
  const { nodes, removals } = await store.stage.list();
  return nodes.size + removals.length;
}

/** The nth write that is to land, counted by its checks, goes wrong. */
function faultAtLanding(
  driver: FaultDriver,
  nth: number,
  fault: () => Fault,
): void {
  let seen = 0;
  driver.arm(({ write }) =>
    write?.checks !== undefined && ++seen === nth ? fault() : undefined
  );
}

Deno.test("more staged rows than one atomic write holds: the stage is empty afterwards", async () => {
  for (
    const fault of [undefined, "lose", "late", "locked", "not_ok"] as const
  ) {
    // The first is the commit, the next two empty the stage.
    for (const nth of [1, 2, 3]) {
      const { driver, store, other } = await faultStore();
      for (let i = 0; i < 1_000; i++) {
        await other.stage.put(`s${i}`, { content: i });
      }
      await other.stage.remove("b");
      if (fault !== undefined) faultAtLanding(driver, nth, () => fault);
      const { changes } = await store.stage.commit(same);
      assert.equal(driver.fired, fault === undefined ? 0 : 1);
      assert.equal(changes.size, 1_001);
      await driver.flush();
      const what = `${fault} at ${nth}`;
      assert.equal(await stagedIn(other), 0, what);
      const { messages, memory } = await checkHistory(other);
      assert.deepEqual(messages, ["seed", "the call"], what);
      assert.equal(memory.size, 1_001);
      if (fault === undefined) break;
    }
  }
});

Deno.test("the very same commit on two branches empties the stage too", async () => {
  const { kv, store, other } = await faultStore();
  await other.createBranch("dev");
  await other.write([{ id: "a", content: 1 }], same);
  const bound = await openStoreOn(kv.open(), { branch: "dev" });
  await bound.stage.put("a", { content: 1 });
  const { commit } = await bound.stage.commit(same);
  assert.equal(commit, (await store.head()).commit);
  assert.equal(await store.resolve("dev"), commit);
  assert.equal(await stagedIn(store), 0);
});

Deno.test("a change of the stage while it is committed is committed too", async () => {
  const { driver, store, other } = await faultStore();
  await other.stage.put("a", { content: 1 });
  faultAtLanding(driver, 1, () => ({
    slow: other.stage.put("b", { content: 1 }),
  }));
  const { changes } = await store.stage.commit(same);
  assert.deepEqual([...changes.keys()], ["a", "b"]);
  assert.equal(await stagedIn(other), 0);
  const { messages } = await checkHistory(other);
  assert.deepEqual(messages, ["seed", "the call"]);
});

Deno.test("what is staged after a commit whose answer was lost stays staged", async () => {
  const { driver, store, other } = await faultStore();
  await other.stage.put("a", { content: 1 });
  let next: "commit" | "look" | "rest" = "commit";
  driver.arm(({ write }) => {
    if (next === "commit" && write?.checks !== undefined) {
      next = "look";
      return "lose";
    }
    if (next !== "look") return undefined;
    next = "rest";
    return { slow: other.stage.put("b", { content: 1 }) };
  });
  const { changes } = await store.stage.commit(same);
  assert.deepEqual([...changes.keys()], ["a"]);
  assert.deepEqual([...(await other.stage.list()).nodes.keys()], ["b"]);
  const { messages } = await checkHistory(other);
  assert.deepEqual(messages, ["seed", "the call"]);
});

Deno.test("a staged write shares no atomic write with others, and keeps its turn", async () => {
  const { store, other } = await faultStore();
  await other.stage.put("a", { content: "staged" });
  await Promise.all([
    store.write([{ id: "b", content: 1 }], { message: "before" }),
    store.stage.commit({ message: "staged" }),
    store.write([{ id: "b", content: 2 }], { message: "after" }),
  ]);
  const { messages, memory } = await checkHistory(other);
  assert.deepEqual(messages.toSorted(), ["after", "before", "seed", "staged"]);
  assert.equal(memory.get("a")?.content, "staged");
  assert.equal(await stagedIn(other), 0);
});
