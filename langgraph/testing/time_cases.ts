/**
 * `createdAt` and `updatedAt`.
 *
 * @module
 */

import assert from "node:assert/strict";
import { topic } from "./store_case.ts";
import { present } from "./stored_items.ts";

const SEEN = "https://github.com/langchain-ai/langgraph/issues/8340";

/** Fails unless a Date is later than another; without a clock, unless it is not earlier. */
function assertLater(later: Date, earlier: Date, moved: boolean): void {
  const [a, b] = [later.getTime(), earlier.getTime()];
  assert.ok(moved ? a > b : a >= b, `${a} must be later than ${b}`);
}

/** Rules of times. */
export const TIME_CASES = topic("time", {
  "both-begin-together": {
    rule: "a new item has one time, as createdAt and updatedAt",
    basis: "reference",
    async run({ store, tick }) {
      await store.put(["a"], "before", { n: 1 });
      await tick();
      await store.put(["a"], "k", { n: 1 });
      const { createdAt, updatedAt } = await present(store, ["a"], "k");
      assert.equal(createdAt.getTime(), updatedAt.getTime());
    },
  },
  "update-keeps-created": {
    rule: "an update keeps createdAt",
    basis: "contract",
    seen: SEEN,
    async run({ store, tick }) {
      await store.put(["a"], "k", { n: 1 });
      const created = (await present(store, ["a"], "k")).createdAt.getTime();
      await tick();
      await store.put(["a"], "k", { n: 2 });
      const { createdAt, value } = await present(store, ["a"], "k");
      assert.equal(createdAt.getTime(), created);
      assert.deepEqual(value, { n: 2 });
    },
  },
  "update-moves-updated": {
    rule: "an update moves updatedAt",
    basis: "contract",
    seen: SEEN,
    async run({ store, tick }) {
      await store.put(["a"], "k", { n: 1 });
      const before = new Date((await present(store, ["a"], "k")).updatedAt);
      const moved = await tick();
      await store.put(["a"], "k", { n: 2 });
      const { updatedAt } = await present(store, ["a"], "k");
      assertLater(updatedAt, before, moved);
    },
  },
  "other-items-keep-theirs": {
    rule: "a put changes the times of no other item",
    basis: "contract",
    async run({ store, tick }) {
      await store.put(["a"], "k", { n: 1 });
      const before = await present(store, ["a"], "k");
      const times = [before.createdAt.getTime(), before.updatedAt.getTime()];
      await tick();
      await store.put(["a"], "other", { n: 1 });
      await store.put(["a", "b"], "k", { n: 1 });
      await store.delete(["a"], "other");
      const after = await present(store, ["a"], "k");
      assert.deepEqual(
        [after.createdAt.getTime(), after.updatedAt.getTime()],
        times,
      );
    },
  },
  "a-read-changes-neither": {
    rule: "get and search change no time",
    basis: "contract",
    seen: SEEN,
    async run({ store, tick }) {
      await store.put(["a"], "k", { n: 1 });
      const before = (await present(store, ["a"], "k")).updatedAt.getTime();
      await tick();
      await store.get(["a"], "k");
      await store.search(["a"]);
      const { createdAt, updatedAt } = await present(store, ["a"], "k");
      assert.equal(updatedAt.getTime(), before);
      assert.ok(createdAt.getTime() <= before);
    },
  },
  "created-again-is-new": {
    rule: "an item that was deleted and put again has new times",
    basis: "reference",
    async run({ store, tick }) {
      await store.put(["a"], "k", { n: 1 });
      const before = new Date((await present(store, ["a"], "k")).updatedAt);
      const moved = await tick();
      await store.delete(["a"], "k");
      await store.put(["a"], "k", { n: 1 });
      const { createdAt, updatedAt } = await present(store, ["a"], "k");
      assertLater(createdAt, before, moved);
      assertLater(updatedAt, before, moved);
    },
  },
  "created-is-never-later": {
    rule: "updatedAt is never before createdAt, in search as in get",
    basis: "contract",
    async run({ store, tick }) {
      for (const n of [1, 2, 3]) {
        await store.put(["a"], "k", { n });
        await store.put(["a"], `k${n}`, { n });
        await tick();
      }
      const found = await store.search(["a"]);
      assert.equal(found.length, 4);
      for (const { key, createdAt, updatedAt } of found) {
        assert.ok(createdAt.getTime() <= updatedAt.getTime());
        const item = await present(store, ["a"], key);
        assert.deepEqual([item.createdAt, item.updatedAt], [
          createdAt,
          updatedAt,
        ]);
      }
    },
  },
});
