/**
 * The pages of a search: `limit` and `offset`.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { BaseStore } from "@langchain/langgraph-checkpoint";
import { refusedAs } from "./refusal.ts";
import { type StoreCase, topic } from "./store_case.ts";
import { keysOf, putEach } from "./stored_items.ts";
import { untyped } from "./untyped_store.ts";

const LIMIT_SEEN = "https://github.com/langchain-ai/langgraph/issues/8696";
const ORDER_SEEN = "https://github.com/langchain-ai/langgraph/issues/8831";

/** A limit or an offset that counts nothing. */
function refuses(
  what: string,
  numbers: readonly number[],
  options: (n: number) => object,
): Omit<StoreCase, "id" | "topic"> {
  return {
    rule: `${what} is a RangeError`,
    basis: "choice",
    seen: LIMIT_SEEN,
    async run({ store }) {
      await store.put(["a"], "k", { n: 1 });
      assert.equal((await store.search(["a"], options(1))).length, 1);
      for (const n of numbers) {
        const search = () => store.search(["a"], options(n));
        await refusedAs("RangeError", `${what}: ${n}`, search);
      }
    },
  };
}

function putTwelve(store: BaseStore): Promise<void> {
  const keys = Array.from({ length: 12 }, (_, n) => [`k${n}`, { n }]);
  return putEach(store, ["a"], Object.fromEntries(keys));
}

/** Rules of `limit` and `offset`. */
export const PAGE_CASES = topic("page", {
  "limit-is-ten": {
    rule: "without a limit ten items are returned",
    basis: "contract",
    async run({ store }) {
      await putTwelve(store);
      assert.equal((await store.search(["a"])).length, 10);
      assert.equal((await store.search(["a"], { offset: 5 })).length, 7);
    },
  },
  "limit-is-kept": {
    rule: "no more than limit items are returned, and all if it allows",
    basis: "contract",
    async run({ store }) {
      await putTwelve(store);
      for (const limit of [1, 11, 12, 500]) {
        const count = Math.min(limit, 12);
        assert.equal((await store.search(["a"], { limit })).length, count);
      }
    },
  },
  "limit-zero-is-nothing": {
    rule: "a limit of 0 returns nothing",
    basis: "reference",
    seen: LIMIT_SEEN,
    async run({ store }) {
      await store.put(["a"], "k", { n: 1 });
      assert.deepEqual(await store.search(["a"], { limit: 0 }), []);
      assert.equal((await store.search(["a"], { limit: 1 })).length, 1);
    },
  },
  "null-is-no-limit-given": {
    rule: "null as limit or offset counts as not given",
    basis: "reference",
    async run({ store }) {
      await putTwelve(store);
      const [found] = await untyped(store).batch([
        { namespacePrefix: ["a"], limit: null, offset: null },
      ]);
      assert.ok(Array.isArray(found));
      assert.equal(found.length, 10);
    },
  },
  "offset-skips": {
    rule: "offset skips that many items of the order",
    basis: "contract",
    async run({ store }) {
      await putTwelve(store);
      const all = keysOf(await store.search(["a"], { limit: 12 }));
      for (const offset of [0, 3, 10, 11]) {
        const page = await store.search(["a"], { offset, limit: 3 });
        assert.deepEqual(keysOf(page), all.slice(offset, offset + 3));
      }
      assert.equal(all.length, 12);
    },
  },
  "offset-past-the-end": {
    rule: "an offset past the end returns nothing",
    basis: "contract",
    async run({ store }) {
      await putTwelve(store);
      assert.deepEqual(await store.search(["a"], { offset: 12 }), []);
      assert.deepEqual(await store.search(["a"], { offset: 999 }), []);
      assert.equal((await store.search(["a"], { offset: 11 })).length, 1);
    },
  },
  "pages-cover-all-once": {
    rule: "pages one behind the other hold every item once",
    basis: "contract",
    seen: ORDER_SEEN,
    async run({ store }) {
      await putTwelve(store);
      const seen: string[] = [];
      for (let offset = 0; offset < 12; offset += 5) {
        const page = await store.search(["a"], { limit: 5, offset });
        seen.push(...keysOf(page));
      }
      assert.deepEqual(
        seen.sort(),
        Array.from({ length: 12 }, (_, n) => `k${n}`).sort(),
      );
    },
  },
  "an-update-between-pages": {
    rule: "an update between two pages makes none repeat or skip an item",
    basis: "reference",
    seen: ORDER_SEEN,
    async run({ store, tick }) {
      for (const key of ["a", "b", "c", "d"]) {
        await store.put(["a"], key, { n: 1 });
        await tick();
      }
      const seen: string[] = [];
      for (let offset = 0; offset < 4; offset++) {
        const page = await store.search(["a"], { limit: 1, offset });
        seen.push(...keysOf(page));
        await tick();
        await store.put(["a"], "a", { offset });
      }
      assert.deepEqual(seen.sort(), ["a", "b", "c", "d"]);
    },
  },
  "limit-counts-what-the-filter-left": {
    rule: "limit and offset count the items that the filter left",
    basis: "contract",
    async run({ store }) {
      for (let n = 0; n < 12; n++) {
        await store.put(["a"], `k${n}`, { even: n % 2 === 0 });
      }
      const filter = { even: true };
      const all = keysOf(await store.search(["a"], { filter }));
      assert.equal(all.length, 6);
      const page = await store.search(["a"], { filter, limit: 2, offset: 3 });
      assert.deepEqual(keysOf(page), all.slice(3, 5));
    },
  },
  "refuses-a-negative-limit": refuses(
    "a limit below 0",
    [-1, -10],
    (limit) => ({ limit }),
  ),
  "refuses-a-negative-offset": refuses(
    "an offset below 0",
    [-1],
    (n) => ({ offset: n === 1 ? 0 : n }),
  ),
  "refuses-a-limit-that-is-no-integer": refuses(
    "a limit that is no integer",
    [1.5, NaN],
    (limit) => ({ limit }),
  ),
});
