/**
 * Values: JSON comes back as it went in; what JSON cannot hold is refused, never changed in silence.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Item } from "@langchain/langgraph-checkpoint";
import { refusalOf } from "./refusal.ts";
import { type StoreCase, topic } from "./store_case.ts";
import { keySet, putEach, valueOf } from "./stored_items.ts";

type Rule = Omit<StoreCase, "id" | "topic">;

/** These values read, by get and by search, as they were put. */
function kept(
  what: string,
  values: readonly Item["value"][],
  rest: Pick<StoreCase, "basis" | "seen"> = { basis: "contract" },
): Rule {
  return {
    rule: `${what} come back as they were put`,
    ...rest,
    async run({ store }) {
      for (const [n, value] of values.entries()) {
        await store.put(["a"], `k${n}`, value);
        assert.deepEqual(await valueOf(store, ["a"], `k${n}`), value);
      }
      for (const { key, value } of await store.search(["a"])) {
        assert.deepEqual(value, values[Number(key.slice(1))]);
      }
    },
  };
}

/** A value that reads as the JSON that it stands for. */
function asJson(
  what: string,
  value: Item["value"],
  expected: Item["value"],
): Rule {
  return {
    rule: `${what} reads as its JSON`,
    basis: "choice",
    async run({ store }) {
      await store.put(["a"], "k", value);
      assert.deepEqual(await valueOf(store, ["a"], "k"), expected);
    },
  };
}

/** A value that no JSON can hold. */
function refuses(what: string, make: () => unknown): Rule {
  return {
    rule: `a value that holds ${what} is refused, and nothing is stored`,
    basis: "choice",
    async run({ store }) {
      await store.put(["a"], "good", { n: 1 });
      for (const value of [{ x: make() }, { deep: { list: [make()] } }]) {
        await refusalOf(what, () => store.put(["a"], "bad", value));
      }
      assert.deepEqual(keySet(await store.search(["a"])), ["good"]);
    },
  };
}

function cycle(): object {
  const ring: { self?: object } = {};
  ring.self = ring;
  return ring;
}

const NESTED = {
  text: "t",
  list: [1, [2, { three: 3 }], null, true, false],
  inner: { empty: {}, none: [], nothing: null },
};

/** Rules of values. */
export const VALUE_CASES = topic("value", {
  "json": kept("objects, lists, texts, numbers, booleans and null", [
    NESTED,
    {},
    { a: { b: { c: { d: { e: 1 } } } } },
  ]),
  "numbers": kept("numbers", [
    { n: [0, 1, -1, 0.1, -2.5] },
    { n: [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER] },
    { n: [1e21, 1.7976931348623157e308, 5e-324] },
  ]),
  "texts": kept("texts", [
    { t: "" },
    { t: 'say "hi"\nnext line\ttab \\ back' },
    { t: "日本語 😀 e\u0301 \u2028" },
    { t: "x".repeat(100_000) },
  ]),
  "text-with-nul": kept("texts with NUL", [{ t: "a\u0000b" }], {
    basis: "contract",
    seen: "https://github.com/langchain-ai/langgraph/issues/1878",
  }),
  "names-of-fields": kept("fields of any name", [
    { "": 1, " ": 2, "a.b": 3, "a:b": 4, "$eq": 5, "é": 6, "0": 7 },
    { value: 1, key: 2, namespace: 3 },
    { constructor: 1, toString: 2 },
  ]),
  "many-fields": kept("two thousand fields", [
    Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`f${i}`, i])),
  ]),
  "own-proto": {
    rule: "a field __proto__ stays a field and changes no prototype",
    basis: "choice",
    async run({ store }) {
      const value = JSON.parse('{"__proto__": {"admin": true}, "n": 1}');
      await store.put(["a"], "k", value);
      const read = await valueOf(store, ["a"], "k");
      assert.equal(
        JSON.stringify(Object.keys(read).sort()),
        '["__proto__","n"]',
      );
      assert.equal(read["admin"], undefined);
      assert.deepEqual(Object.entries(read).sort(), [
        ["__proto__", { admin: true }],
        ["n", 1],
      ]);
    },
  },
  "plain-objects": {
    rule: "values come back as plain objects, with what those inherit",
    basis: "reference",
    async run({ store }) {
      await store.put(["a"], "k", { inner: { n: 1 }, list: [{ n: 2 }] });
      const read = await valueOf(store, ["a"], "k");
      for (const one of [read, read["inner"], read["list"][0]]) {
        assert.equal(Object.getPrototypeOf(one), Object.prototype);
      }
      assert.ok(Array.isArray(read["list"]));
      const [found] = await store.search(["a"]);
      assert.equal(Object.getPrototypeOf(found?.value), Object.prototype);
    },
  },
  "lone-surrogate": {
    rule: "a text with a lone surrogate is kept as it is, or refused",
    basis: "choice",
    async run({ store }) {
      await store.put(["a"], "good", { t: "\ufffd" });
      const put = store.put(["a"], "odd", { t: "\ud800" });
      const taken = await put.then(() => true, () => false);
      const read = (await store.get(["a"], "odd"))?.value;
      assert.deepEqual(read, taken ? { t: "\ud800" } : undefined);
      assert.deepEqual(await valueOf(store, ["a"], "good"), { t: "\ufffd" });
    },
  },
  "date-as-iso-text": asJson("a Date", {
    when: new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 6)),
  }, { when: "2026-01-02T03:04:05.006Z" }),
  "to-json": asJson("an object with toJSON", {
    link: new URL("https://example.com/x"),
    own: { hidden: 1, toJSON: () => ({ shown: 2 }) },
  }, { link: "https://example.com/x", own: { shown: 2 } }),
  "undefined-field-is-dropped": asJson(
    "a field that is undefined",
    { a: 1, b: undefined, c: { d: undefined } },
    { a: 1, c: {} },
  ),
  "refuses-bigint": refuses("a bigint", () => 1n),
  "refuses-nan": refuses("NaN", () => NaN),
  "refuses-infinity": refuses("Infinity", () => Infinity),
  "refuses-map": refuses("a Map", () => new Map([["a", 1]])),
  "refuses-set": refuses("a Set", () => new Set([1])),
  "refuses-function": refuses("a function", () => () => 1),
  "refuses-symbol": refuses("a symbol", () => Symbol("s")),
  "refuses-cycle": refuses("itself", cycle),
  "refuses-undefined-in-a-list": {
    rule: "a list that holds undefined is refused: JSON would make it null",
    basis: "choice",
    async run({ store }) {
      await putEach(store, ["a"], { good: { list: [null] } });
      await refusalOf(
        "a list with undefined",
        () => store.put(["a"], "bad", { list: [undefined] }),
      );
      assert.deepEqual(keySet(await store.search(["a"])), ["good"]);
    },
  },
});
