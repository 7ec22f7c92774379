/**
 * What a program holds is its own: changing it changes nothing in the store.
 *
 * @module
 */

import assert from "node:assert/strict";
import { topic } from "./store_case.ts";
import { assertListed, present, putEach, valueOf } from "./stored_items.ts";

const SEEN = "https://github.com/langchain-ai/langgraph/issues/8835";

/** The same value, which nobody can change any more. */
function frozen<T extends object>(value: T): T {
  for (const one of Object.values(value)) {
    if (typeof one === "object" && one !== null) frozen(one);
  }
  return Object.freeze(value);
}

/** Rules of copying. */
export const COPY_CASES = topic("copy", {
  "what-was-put": {
    rule: "changing a value after it was put changes nothing in the store",
    basis: "choice",
    seen: SEEN,
    async run({ store }) {
      const value = { t: 1, list: [1], inner: { n: 1 } };
      await store.put(["a"], "k", value);
      value.t = 2;
      value.list.push(2);
      value.inner.n = 2;
      const expected = { t: 1, list: [1], inner: { n: 1 } };
      assert.deepEqual(await valueOf(store, ["a"], "k"), expected);
    },
  },
  "what-is-being-put": {
    rule: "a value is taken as it is at the call, not when it is written",
    basis: "choice",
    seen: SEEN,
    async run({ store }) {
      const value = { t: 1, inner: { n: 1 } };
      const put = store.put(["a"], "k", value);
      value.t = 2;
      value.inner.n = 2;
      await put;
      assert.deepEqual(await valueOf(store, ["a"], "k"), {
        t: 1,
        inner: { n: 1 },
      });
    },
  },
  "what-was-got": {
    rule: "changing a value that get returned changes nothing in the store",
    basis: "choice",
    seen: SEEN,
    async run({ store }) {
      await store.put(["a"], "k", { t: 1, inner: { n: 1 } });
      const read = await valueOf(store, ["a"], "k");
      read["t"] = 2;
      read["inner"].n = 2;
      read["new"] = true;
      assert.deepEqual(await valueOf(store, ["a"], "k"), {
        t: 1,
        inner: { n: 1 },
      });
    },
  },
  "what-was-found": {
    rule: "changing a value that search returned changes nothing in the store",
    basis: "choice",
    seen: SEEN,
    async run({ store }) {
      await store.put(["a"], "k", { t: 1, inner: { n: 1 } });
      for (const item of await store.search(["a"])) {
        item.value["t"] = 2;
        item.value["inner"].n = 2;
      }
      const found = await store.search(["a"]);
      const expected = [{ t: 1, inner: { n: 1 } }];
      assert.deepEqual(found.map(({ value }) => value), expected);
    },
  },
  "two-reads-share-nothing": {
    rule: "two reads, of one batch too, share no object",
    basis: "choice",
    seen: SEEN,
    async run({ store }) {
      await store.put(["a"], "k", { inner: { n: 1 } });
      const get = { namespace: ["a"], key: "k" };
      const [one, two] = await store.batch([get, get]);
      assert.ok(one && two);
      one.value["inner"].n = 2;
      assert.deepEqual(two.value, { inner: { n: 1 } });
      assert.deepEqual(await valueOf(store, ["a"], "k"), { inner: { n: 1 } });
    },
  },
  "an-item-that-is-held": {
    rule: "an item that was read earlier does not change with the store",
    basis: "choice",
    seen: SEEN,
    async run({ store }) {
      await store.put(["a"], "k", { t: 1 });
      const held = await present(store, ["a"], "k");
      await store.put(["a"], "k", { t: 2 });
      assert.deepEqual(held.value, { t: 1 });
      assert.deepEqual(await valueOf(store, ["a"], "k"), { t: 2 });
    },
  },
  "namespaces": {
    rule: "changing the namespace that was put, or one read, moves no item",
    basis: "choice",
    async run({ store }) {
      const namespace = ["a", "b"];
      await store.put(namespace, "k", { n: 1 });
      namespace[0] = "x";
      (await present(store, ["a", "b"], "k")).namespace.push("y");
      for (const one of await store.search(["a"])) one.namespace[1] = "z";
      for (const one of await store.listNamespaces()) one.pop();
      const item = await present(store, ["a", "b"], "k");
      assert.deepEqual(item.namespace, ["a", "b"]);
      assertListed(await store.listNamespaces(), ["a", "b"]);
    },
  },
  "dates": {
    rule: "changing the Dates of an item changes nothing in the store",
    basis: "choice",
    async run({ store }) {
      await store.put(["a"], "k", { n: 1 });
      const { createdAt, updatedAt } = await present(store, ["a"], "k");
      const times = [createdAt.getTime(), updatedAt.getTime()];
      createdAt.setFullYear(1999);
      updatedAt.setFullYear(1999);
      const again = await present(store, ["a"], "k");
      assert.deepEqual(
        [again.createdAt.getTime(), again.updatedAt.getTime()],
        times,
      );
    },
  },
  "operations": {
    rule: "a batch takes frozen operations and changes none of them",
    basis: "choice",
    async run({ store }) {
      await putEach(store, ["a"], { k: { n: 1 } });
      const put = frozen({ namespace: ["a"], key: "new", value: { n: 2 } });
      const search = frozen({ namespacePrefix: ["a"], filter: { n: 1 } });
      await store.batch(frozen([put, search, frozen({ ...put, key: "k" })]));
      assert.deepEqual(put, { namespace: ["a"], key: "new", value: { n: 2 } });
      assert.deepEqual(search, { namespacePrefix: ["a"], filter: { n: 1 } });
      assert.deepEqual(await valueOf(store, ["a"], "new"), { n: 2 });
    },
  },
});
