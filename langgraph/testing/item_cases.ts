/**
 * One item: getting, putting, deleting.
 *
 * @module
 */

import assert from "node:assert/strict";
import { refusalOf } from "./refusal.ts";
import { topic } from "./store_case.ts";
import {
  assertListed,
  fillNamespaces,
  keySet,
  present,
  putEach,
  valueOf,
} from "./stored_items.ts";
import { untyped } from "./untyped_store.ts";

const NO_OBJECTS_SEEN = "https://github.com/aegra/aegra/pull/162";

/** Rules of `get`. */
export const GET_CASES = topic("get", {
  "missing-is-null": {
    rule: "a key that is not there reads as null",
    basis: "contract",
    async run({ store }) {
      await store.put(["a"], "k", { n: 1 });
      assert.deepEqual(await valueOf(store, ["a"], "k"), { n: 1 });
      assert.equal(await store.get(["a"], "other"), null);
      assert.equal(await store.get(["ghost"], "k"), null);
    },
  },
  "item-has-its-fields": {
    rule: "an item has value, key, namespace, and Dates createdAt, updatedAt",
    basis: "contract",
    async run({ store }) {
      await store.put(["users", "u1"], "plan", { tier: "pro" });
      const item = await present(store, ["users", "u1"], "plan");
      assert.deepEqual(item.value, { tier: "pro" });
      assert.deepEqual(item.namespace, ["users", "u1"]);
      assert.equal(item.key, "plan");
      for (const time of [item.createdAt, item.updatedAt]) {
        assert.equal(Object.prototype.toString.call(time), "[object Date]");
        assert.ok(Number.isFinite(time.getTime()));
      }
    },
  },
  "namespace-is-matched-whole": {
    rule: "get looks in that namespace, in none above or below it",
    basis: "contract",
    async run({ store }) {
      await store.put(["a", "b"], "k", { n: 1 });
      assert.deepEqual(await valueOf(store, ["a", "b"], "k"), { n: 1 });
      assert.equal(await store.get(["a"], "k"), null);
      assert.equal(await store.get(["a", "b", "c"], "k"), null);
    },
  },
  "empty-namespace-is-null": {
    rule: "get in the empty namespace, which BaseStore allows, reads as null",
    basis: "choice",
    async run({ store }) {
      await store.put(["a"], "k", { n: 1 });
      assert.deepEqual(await valueOf(store, ["a"], "k"), { n: 1 });
      assert.equal(await store.get([], "k"), null);
    },
  },
  "creates-nothing": {
    rule: "reading creates no namespace",
    basis: "reference",
    seen: "https://github.com/langchain-ai/langgraph/issues/8734",
    async run({ store }) {
      await fillNamespaces(store, ["real"]);
      await store.get(["ghost"], "k");
      await store.search(["phantom"]);
      assertListed(await store.listNamespaces(), ["real"]);
    },
  },
});

/** A rule that a put of what is no object is refused and leaves nothing behind. */
function refuses(
  what: string,
  value: unknown,
): Parameters<typeof topic>[1][string] {
  return {
    rule: `a put of ${what} as value is refused, and nothing is stored`,
    basis: "choice",
    seen: NO_OBJECTS_SEEN,
    async run({ store }) {
      await store.put(["a"], "good", { n: 1 });
      await refusalOf(
        `a put of ${what}`,
        () => untyped(store).put(["a"], "bad", value),
      );
      assert.deepEqual(keySet(await store.search(["a"])), ["good"]);
    },
  };
}

/** Rules of `put`. */
export const PUT_CASES = topic("put", {
  "resolves-to-undefined": {
    rule: "put and delete resolve to undefined",
    basis: "contract",
    async run({ store }) {
      assert.equal(await store.put(["a"], "k", { n: 1 }), undefined);
      assert.equal(await store.delete(["a"], "k"), undefined);
    },
  },
  "replaces-the-whole-value": {
    rule: "a second put replaces the value, it does not merge into it",
    basis: "contract",
    async run({ store }) {
      await store.put(["a"], "k", { one: 1, two: 2 });
      await store.put(["a"], "k", { one: 3 });
      assert.deepEqual(await valueOf(store, ["a"], "k"), { one: 3 });
      assert.equal((await store.search(["a"])).length, 1);
    },
  },
  "keys-are-apart": {
    rule: "a put changes no other key and no other namespace",
    basis: "contract",
    async run({ store }) {
      await putEach(store, ["a"], { k: { n: 1 }, other: { n: 2 } });
      await store.put(["b"], "k", { n: 3 });
      await store.put(["a"], "k", { n: 4 });
      assert.deepEqual(await valueOf(store, ["a"], "k"), { n: 4 });
      assert.deepEqual(await valueOf(store, ["a"], "other"), { n: 2 });
      assert.deepEqual(await valueOf(store, ["b"], "k"), { n: 3 });
    },
  },
  "index-is-accepted": {
    rule: "index, false or a list of fields, is accepted, and the item found",
    basis: "contract",
    async run({ store }) {
      await store.put(["a"], "unindexed", { text: "one" }, false);
      await store.put(["a"], "indexed", { text: "two" }, ["text"]);
      assert.deepEqual(await valueOf(store, ["a"], "unindexed"), {
        text: "one",
      });
      assert.deepEqual(keySet(await store.search(["a"])), [
        "indexed",
        "unindexed",
      ]);
    },
  },
  "other-options-are-accepted": {
    rule: "a put with options of other stores, such as ttl, is a put",
    basis: "reference",
    async run({ store }) {
      const put = { namespace: ["a"], key: "k", value: { n: 1 } };
      await untyped(store).batch([{ ...put, ttl: 60, options: { ttl: 60 } }]);
      assert.deepEqual(await valueOf(store, ["a"], "k"), { n: 1 });
      assert.deepEqual(keySet(await store.search(["a"])), ["k"]);
    },
  },
  "refuses-a-string": refuses("a string", "text"),
  "refuses-a-number": refuses("a number", 5),
  "refuses-an-array": refuses("an array", [1]),
  "refuses-undefined": refuses("undefined", undefined),
});

/** Rules of `delete`. */
export const DELETE_CASES = topic("delete", {
  "removes-the-item": {
    rule: "what was deleted is found by no get and no search",
    basis: "contract",
    async run({ store }) {
      await putEach(store, ["a"], { gone: { n: 1 }, kept: { n: 2 } });
      await store.delete(["a"], "gone");
      assert.equal(await store.get(["a"], "gone"), null);
      assert.deepEqual(await valueOf(store, ["a"], "kept"), { n: 2 });
      assert.deepEqual(keySet(await store.search(["a"])), ["kept"]);
    },
  },
  "namespace-is-matched-whole": {
    rule: "delete leaves the same key in other namespaces alone",
    basis: "contract",
    async run({ store }) {
      await fillNamespaces(store, ["a"], ["a", "b"], ["ab"]);
      await store.delete(["a"], "k");
      assert.equal(await store.get(["a"], "k"), null);
      assert.ok(await store.get(["a", "b"], "k"));
      assert.ok(await store.get(["ab"], "k"));
    },
  },
  "missing-is-no-error": {
    rule: "deleting what is not there is no error, once or twice",
    basis: "contract",
    async run({ store }) {
      await store.put(["a"], "k", { n: 1 });
      await store.delete(["a"], "other");
      await store.delete(["ghost"], "k");
      assert.deepEqual(await valueOf(store, ["a"], "k"), { n: 1 });
      await store.delete(["a"], "k");
      await store.delete(["a"], "k");
      assert.equal(await store.get(["a"], "k"), null);
    },
  },
  "missing-creates-nothing": {
    rule: "deleting in an unknown namespace does not create it",
    basis: "choice",
    seen: "https://github.com/langchain-ai/langgraph/issues/8734",
    async run({ store }) {
      await fillNamespaces(store, ["real"]);
      await store.delete(["ghost"], "k");
      assertListed(await store.listNamespaces(), ["real"]);
    },
  },
  "put-again-is-new": {
    rule: "a key that is put again after a delete has only its new value",
    basis: "contract",
    seen: "https://github.com/langchain-ai/langgraph/issues/8757",
    async run({ store }) {
      await store.put(["a"], "k", { old: 1, both: 1 });
      await store.delete(["a"], "k");
      await store.put(["a"], "k", { both: 2 });
      assert.deepEqual(await valueOf(store, ["a"], "k"), { both: 2 });
      assert.equal((await store.search(["a"])).length, 1);
      assert.deepEqual(await store.search(["a"], { filter: { old: 1 } }), []);
    },
  },
});
