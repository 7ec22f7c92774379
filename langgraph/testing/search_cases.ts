/**
 * `search`: which items, in which order.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { BaseStore } from "@langchain/langgraph-checkpoint";
import { topic } from "./store_case.ts";
import {
  assertListed,
  fillNamespaces,
  keySet,
  keysOf,
  namespaceSet,
} from "./stored_items.ts";

const PREFIX_SEEN = "https://github.com/langchain-ai/langgraphjs/issues/2721";
const WILDCARD_SEEN = "https://github.com/langchain-ai/langgraphjs/pull/2512";
const ORDER_SEEN = "https://github.com/langchain-ai/langgraph/issues/8831";

/** Fails unless a search finds the items of these namespaces. */
async function assertFound(
  store: BaseStore,
  prefix: readonly string[],
  ...expected: readonly string[][]
): Promise<void> {
  const found = await store.search([...prefix], { limit: 100 });
  assert.deepEqual(
    namespaceSet(found.map(({ namespace }) => namespace)),
    namespaceSet(expected),
    JSON.stringify(prefix),
  );
}

/** Rules of `search`. */
export const SEARCH_CASES = topic("search", {
  "prefix-is-by-label": {
    rule: "a prefix finds its namespace and those below, never a longer word",
    basis: "contract",
    seen: PREFIX_SEEN,
    async run({ store }) {
      const acme = [["tenant", "acme"], ["tenant", "acme", "eu"]];
      await fillNamespaces(
        store,
        ...acme,
        ["tenant", "acme-corp"],
        ["tenant", "acm"],
        ["tenant"],
        ["acme"],
      );
      await assertFound(store, ["tenant", "acme"], ...acme);
      await assertFound(
        store,
        ["tenant"],
        ...acme,
        ["tenant", "acme-corp"],
        ["tenant", "acm"],
        ["tenant"],
      );
    },
  },
  "empty-prefix-finds-all": {
    rule: "the empty prefix finds every item",
    basis: "contract",
    seen: "https://github.com/langchain-ai/langgraphjs/pull/2803",
    async run({ store }) {
      await fillNamespaces(store, ["a"], ["b", "c"], ["d"]);
      await assertFound(store, [], ["a"], ["b", "c"], ["d"]);
    },
  },
  "wildcards-are-literal": {
    rule: "no label of a prefix is a pattern: % * _ find nothing",
    basis: "contract",
    seen: WILDCARD_SEEN,
    async run({ store }) {
      await fillNamespaces(store, ["a"], ["b", "c"]);
      for (const label of ["%", "*", "_", "a%"]) {
        await assertFound(store, [label]);
        await assertFound(store, ["b", label]);
      }
      await assertFound(store, ["b"], ["b", "c"]);
    },
  },
  "unknown-prefix-finds-nothing": {
    rule: "an unknown prefix finds nothing, and creates nothing",
    basis: "contract",
    async run({ store }) {
      await fillNamespaces(store, ["real"]);
      await assertFound(store, ["ghost"]);
      await assertFound(store, ["real", "below"]);
      assertListed(await store.listNamespaces(), ["real"]);
    },
  },
  "results-are-items": {
    rule: "a result is the item that get returns",
    basis: "contract",
    async run({ store }) {
      await store.put(["a", "b"], "k", { n: 1 });
      const [found] = await store.search(["a"]);
      const item = await store.get(["a", "b"], "k");
      assert.ok(found && item);
      const { value, key, namespace, createdAt, updatedAt } = found;
      assert.deepEqual({ value, key, namespace, createdAt, updatedAt }, item);
    },
  },
  "no-score-without-ranking": {
    rule: "without a query no result has a score",
    basis: "contract",
    async run({ store }) {
      await store.put(["a"], "k", { n: 1 });
      const [found] = await store.search(["a"]);
      assert.ok(found);
      assert.equal(found.score, undefined);
    },
  },
});

/** Rules of order. */
export const ORDER_CASES = topic("order", {
  "items-stand-as-created": {
    rule: "items stand in the order in which they were created",
    basis: "reference",
    seen: ORDER_SEEN,
    async run({ store, tick }) {
      for (const key of ["c", "a", "b"]) {
        await store.put(["a"], key, { key });
        await tick();
      }
      assert.deepEqual(keysOf(await store.search(["a"])), ["c", "a", "b"]);
    },
  },
  "an-update-keeps-its-place": {
    rule: "an item that is put again keeps its place",
    basis: "reference",
    seen: ORDER_SEEN,
    async run({ store, tick }) {
      for (const key of ["a", "b", "c"]) {
        await store.put(["a"], key, { n: 1 });
        await tick();
      }
      await store.put(["a"], "a", { n: 2 });
      assert.deepEqual(keysOf(await store.search(["a"])), ["a", "b", "c"]);
    },
  },
  "created-again-is-last": {
    rule: "an item that was deleted and put again stands last",
    basis: "reference",
    async run({ store, tick }) {
      for (const key of ["a", "b", "c"]) {
        await store.put(["a"], key, { n: 1 });
        await tick();
      }
      await store.delete(["a"], "a");
      await tick();
      await store.put(["a"], "a", { n: 1 });
      assert.deepEqual(keysOf(await store.search(["a"])), ["b", "c", "a"]);
    },
  },
  "namespaces-do-not-matter": {
    rule: "across namespaces items stand as they were created too",
    basis: "choice",
    async run({ store, tick }) {
      const puts = [["b", "1"], ["a", "2"], ["b", "3"], ["a", "4"]] as const;
      for (const [label, key] of puts) {
        await store.put(["all", label], key, { key });
        await tick();
      }
      const found = await store.search(["all"]);
      assert.deepEqual(keysOf(found), ["1", "2", "3", "4"]);
    },
  },
  "the-same-every-time": {
    rule: "the same question has the same answer in the same order",
    basis: "contract",
    async run({ store }) {
      const batch = ["d", "b", "a", "c"].map((key) => ({
        namespace: ["a"],
        key,
        value: { n: 1 },
      }));
      await store.batch(batch);
      const first = keysOf(await store.search(["a"]));
      assert.deepEqual(keysOf(await store.search(["a"])), first);
      assert.deepEqual(keySet(await store.search(["a"])), ["a", "b", "c", "d"]);
    },
  },
});
