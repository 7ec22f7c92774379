/**
 * `batch`, the one door through which a graph reaches a store.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Item } from "@langchain/langgraph-checkpoint";
import { refusalOf } from "./refusal.ts";
import { topic } from "./store_case.ts";
import {
  assertListed,
  batchOf,
  fillNamespaces,
  keySet,
  keysOf,
  present,
  putEach,
  valueOf,
} from "./stored_items.ts";
import { untyped } from "./untyped_store.ts";

const ONE_VALUE_SEEN = "https://github.com/langchain-ai/langgraph/issues/8590";
const LAST_SEEN = "https://github.com/langchain-ai/langgraph/pull/4359";

function put(key: string, value: Item["value"] | null) {
  return { namespace: ["a"], key, value };
}

/** Rules of what a batch answers. */
const ANSWERS = topic("batch", {
  "results-stand-by-position": {
    rule: "results stand in the order of the operations, one each",
    basis: "contract",
    async run({ store }) {
      await putEach(store, ["a"], { one: { n: 1 }, two: { n: 2 } });
      const results = await batchOf(
        store,
        { namespacePrefix: ["a"] },
        { namespace: ["a"], key: "two" },
        put("three", { n: 3 }),
        { namespace: ["a"], key: "nobody" },
        { matchConditions: [], limit: 10, offset: 0 },
        put("one", null),
        { namespace: ["a"], key: "two" },
      );
      assert.equal(results.length, 7);
      assert.deepEqual(keySet(results[0]), ["one", "two"]);
      assert.deepEqual(results[1]?.value, { n: 2 });
      assert.equal(results[3], null);
      assert.deepEqual(results[4], [["a"]]);
      assert.equal(results[6]?.key, "two");
      assert.deepEqual(keySet(await store.search(["a"])), ["three", "two"]);
    },
  },
  "empty": {
    rule: "no operations, no results",
    basis: "contract",
    async run({ store }) {
      await store.put(["a"], "k", { n: 1 });
      assert.deepEqual(await store.batch([]), []);
      assert.deepEqual(await valueOf(store, ["a"], "k"), { n: 1 });
    },
  },
  "writes-answer-undefined": {
    rule: "a put and a delete are answered by undefined, as typed",
    basis: "contract",
    async run({ store }) {
      const results = await store.batch([put("k", { n: 1 }), put("x", null)]);
      assert.deepEqual(results, [undefined, undefined]);
      assert.deepEqual(await valueOf(store, ["a"], "k"), { n: 1 });
    },
  },
  "get-is-as-the-method": {
    rule: "a get answers the same by batch and by method",
    basis: "contract",
    async run({ store }) {
      await store.batch([put("k", { n: 1 })]);
      const [item] = await batchOf(store, { namespace: ["a"], key: "k" });
      assert.deepEqual(item, await present(store, ["a"], "k"));
    },
  },
  "search-is-as-the-method": {
    rule: "a search answers the same, in the same order, by both",
    basis: "contract",
    async run({ store, tick }) {
      for (const key of ["c", "a", "b"]) {
        await store.put(["a"], key, { key });
        await tick();
      }
      await store.put(["a"], "c", { key: "c", again: true });
      const [found] = await batchOf(store, { namespacePrefix: ["a"] });
      assert.deepEqual(
        found.map(({ key, value }) => ({ key, value })),
        (await store.search(["a"])).map(({ key, value }) => ({ key, value })),
      );
      assert.equal(found.length, 3);
    },
  },
  "search-limit-is-ten": {
    rule: "a search by batch without a limit returns ten items",
    basis: "contract",
    async run({ store }) {
      const keys = Array.from({ length: 12 }, (_, i) => `k${i}`);
      await store.batch(keys.map((key) => put(key, { key })));
      const [ten, all] = await batchOf(store, { namespacePrefix: ["a"] }, {
        namespacePrefix: ["a"],
        limit: 20,
      });
      assert.deepEqual([ten.length, all.length], [10, 12]);
    },
  },
  "list-is-as-the-method": {
    rule: "a list of namespaces answers the same by both",
    basis: "contract",
    async run({ store }) {
      await fillNamespaces(store, ["a", "x"], ["b", "x"], ["b", "y"]);
      const [listed] = await batchOf(store, {
        matchConditions: [{ matchType: "prefix", path: ["b"] }],
        limit: 10,
        offset: 0,
      });
      assert.deepEqual(listed, await store.listNamespaces({ prefix: ["b"] }));
      assert.equal(listed.length, 2);
    },
  },
  "list-without-conditions": {
    rule: "an operation with limit and offset alone lists namespaces",
    basis: "contract",
    async run({ store }) {
      await fillNamespaces(store, ["a"], ["b"]);
      const results = await batchOf(store, { limit: 10, offset: 0 }, {
        namespace: ["a"],
        key: "k",
      });
      assert.equal(results.length, 2);
      assertListed(results[0], ["a"], ["b"]);
      assert.equal(results[1]?.key, "k");
    },
  },
  "refuses-an-unknown-operation": {
    rule: "an operation of no known kind is refused, and nothing is written",
    basis: "choice",
    async run({ store }) {
      await store.put(["a"], "k", { n: 1 });
      for (const odd of [{}, { remove: "k" }, { namespace: ["a"] }]) {
        await refusalOf(
          JSON.stringify(odd),
          () => untyped(store).batch([odd, put("k", { n: 2 })]),
        );
      }
      assert.deepEqual(await valueOf(store, ["a"], "k"), { n: 1 });
    },
  },
});

/** Rules of what a batch does. */
const EFFECTS = topic("batch", {
  "get-sees-the-state-before": {
    rule: "a get sees the state before the batch, wherever it stands",
    basis: "reference",
    async run({ store }) {
      await store.put(["a"], "k", { n: 1 });
      const [, changed, , added, , removed] = await batchOf(
        store,
        put("k", { n: 2 }),
        { namespace: ["a"], key: "k" },
        put("new", { n: 3 }),
        { namespace: ["a"], key: "new" },
        put("k", null),
        { namespace: ["a"], key: "k" },
      );
      assert.deepEqual(changed?.value, { n: 1 });
      assert.equal(added, null);
      assert.deepEqual(removed?.value, { n: 1 });
      assert.equal(await store.get(["a"], "k"), null);
      assert.deepEqual(await valueOf(store, ["a"], "new"), { n: 3 });
    },
  },
  "search-sees-the-state-before": {
    rule: "a search sees the state before the batch",
    basis: "reference",
    async run({ store }) {
      await store.put(["a"], "k", { n: 1 });
      const [, , found] = await batchOf(
        store,
        put("k", { n: 2 }),
        put("new", { n: 3 }),
        { namespacePrefix: ["a"] },
      );
      assert.deepEqual(found.map(({ value }) => value), [{ n: 1 }]);
      assert.equal((await store.search(["a"])).length, 2);
    },
  },
  "list-sees-the-state-before": {
    rule: "a list of namespaces sees the state before the batch",
    basis: "reference",
    async run({ store }) {
      await fillNamespaces(store, ["old"]);
      const [, listed] = await batchOf(store, {
        namespace: ["new"],
        key: "k",
        value: { n: 1 },
      }, { matchConditions: [], limit: 10, offset: 0 });
      assertListed(listed, ["old"]);
      assertListed(await store.listNamespaces(), ["new"], ["old"]);
    },
  },
  "last-put-wins": {
    rule: "of two puts of one key the last one counts",
    basis: "contract",
    seen: LAST_SEEN,
    async run({ store }) {
      await store.batch([
        put("k", { n: 1, first: true }),
        put("other", { n: 9 }),
        put("k", { n: 2 }),
      ]);
      assert.deepEqual(await valueOf(store, ["a"], "k"), { n: 2 });
      assert.deepEqual(await valueOf(store, ["a"], "other"), { n: 9 });
      assert.equal((await store.search(["a"])).length, 2);
    },
  },
  "put-then-delete": {
    rule: "a put and then a delete of one key leave it absent",
    basis: "contract",
    seen: LAST_SEEN,
    async run({ store }) {
      await store.put(["a"], "k", { n: 0 });
      await store.batch([
        put("k", { n: 1 }),
        put("k", null),
        put("new", { n: 1 }),
        put("new", { n: 2 }),
        put("new", null),
        put("other", { n: 9 }),
      ]);
      assert.equal(await store.get(["a"], "k"), null);
      assert.equal(await store.get(["a"], "new"), null);
      assert.deepEqual(keysOf(await store.search(["a"])), ["other"]);
    },
  },
  "delete-then-put": {
    rule: "a delete and then a put of one key leave the new value",
    basis: "contract",
    seen: LAST_SEEN,
    async run({ store }) {
      await store.put(["a"], "k", { n: 0, old: true });
      await store.batch([put("k", null), put("k", { n: 1 })]);
      assert.deepEqual(await valueOf(store, ["a"], "k"), { n: 1 });
    },
  },
  "a-bad-namespace-writes-nothing": {
    rule: "a batch with one bad namespace writes nothing at all",
    basis: "reference",
    async run({ store }) {
      await store.put(["a"], "k", { n: 1 });
      const bad = { namespace: ["a.b"], key: "k", value: { n: 2 } };
      await refusalOf(
        "a bad namespace",
        () => store.batch([put("k", { n: 2 }), put("new", { n: 2 }), bad]),
      );
      assert.deepEqual(await valueOf(store, ["a"], "k"), { n: 1 });
      assert.equal(await store.get(["a"], "new"), null);
    },
  },
  "a-bad-value-writes-nothing": {
    rule: "a batch with one value that no JSON holds writes nothing at all",
    basis: "choice",
    seen: ONE_VALUE_SEEN,
    async run({ store }) {
      await store.put(["a"], "k", { n: 1 });
      await refusalOf(
        "a bigint",
        () => store.batch([put("k", { n: 2 }), put("bad", { x: 1n })]),
      );
      assert.deepEqual(await valueOf(store, ["a"], "k"), { n: 1 });
      assert.deepEqual(keysOf(await store.search(["a"])), ["k"]);
    },
  },
  "three-thousand-puts": {
    rule: "a batch holds three thousand puts",
    basis: "contract",
    async run({ store }) {
      const keys = Array.from({ length: 3_000 }, (_, i) => `k${i}`);
      const results = await store.batch(keys.map((key) => put(key, { key })));
      assert.equal(results.length, 3_000);
      const found = await store.search(["a"], { limit: 4_000 });
      assert.deepEqual(keySet(found), [...keys].sort());
      assert.deepEqual(await valueOf(store, ["a"], "k2999"), { key: "k2999" });
    },
  },
});

/** Rules of `batch`. */
export const BATCH_CASES = [...ANSWERS, ...EFFECTS];
