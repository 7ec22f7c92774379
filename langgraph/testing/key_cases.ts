/**
 * Keys: any text, no two of which meet.
 *
 * @module
 */

import assert from "node:assert/strict";
import { refusalOf } from "./refusal.ts";
import { type StoreCase, topic } from "./store_case.ts";
import { keySet, valueOf } from "./stored_items.ts";
import { untyped } from "./untyped_store.ts";

type Rule = Omit<StoreCase, "id" | "topic">;

/** Each of these keys is put, got, found and deleted, and none touches another. */
function taken(
  what: string,
  keys: readonly string[],
  seen?: string,
): Rule {
  return {
    rule: `${what} are put, got, found and deleted as keys`,
    basis: "contract",
    ...(seen === undefined ? {} : { seen }),
    async run({ store }) {
      for (const [n, key] of keys.entries()) await store.put(["a"], key, { n });
      for (const [n, key] of keys.entries()) {
        assert.deepEqual(await valueOf(store, ["a"], key), { n }, key);
      }
      const limit = keys.length + 1;
      const found = await store.search(["a"], { limit });
      assert.deepEqual(keySet(found), [...keys].sort());
      for (const key of keys) {
        await store.delete(["a"], key);
        assert.equal(await store.get(["a"], key), null, key);
      }
      assert.deepEqual(await store.search(["a"]), []);
    },
  };
}

const FILES_SEEN =
  "https://github.com/redis-developer/langgraph-redis/issues/196";
const PAIRS_SEEN = "https://github.com/langchain-ai/langgraphjs/issues/2721";

/** Parts that a careless join or escape would confuse. */
const PARTS = ["a", "~", "~0", "~1", "~01", "_", "/", "-"];
const KEYS = [
  ...PARTS,
  ...[":", ".", ...PARTS].map((part) => `a${part}a`),
  ...["", ":a", "a:", "a~2a"],
];

/** Rules of keys. */
export const KEY_CASES = topic("key", {
  "names-of-files": taken("names of files", [
    "my-doc.md#0",
    "/AGENTS.md",
    "a\\b",
    "!s",
    "../up",
  ], FILES_SEEN),
  "empty": taken("the empty text and blanks", ["", " ", "\n"], FILES_SEEN),
  "separators": taken("separators", [":", "a:b", ".", "a.b", "|", "~", "~1"]),
  "wildcards": taken("wildcards", ["*", "%", "_", "?", "a%", "ab"]),
  "nul": taken("texts with NUL", ["\0", "a\0b", "ab"]),
  "any-script": taken("words of any script", ["é", "日本語", "😀", "ß", "SS"]),
  "names-of-the-prototype": taken("names that objects inherit", [
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
  ]),
  "words-of-operations": taken("words that operations use", [
    "langgraph",
    "key",
    "value",
    "namespace",
    "$eq",
  ]),
  "long": taken("texts of 255 letters", ["x".repeat(255), "y".repeat(255)]),
  "case-matters": taken("texts that differ by case", ["Plan", "plan", "PLAN"]),
  "forms-of-unicode-stay-apart": taken("composed and decomposed text", [
    "caf\u00e9",
    "cafe\u0301",
  ]),
  "no-two-pairs-meet": {
    rule: "two pairs of namespace and key never are one item",
    basis: "contract",
    seen: PAIRS_SEEN,
    async run({ store }) {
      const namespaces = [
        ...PARTS.map((one) => [one]),
        ...PARTS.map((one) => ["a", one]),
      ];
      const pairs = namespaces.flatMap((namespace) =>
        KEYS.map((key) => ({ namespace, key }))
      );
      for (const [n, { namespace, key }] of pairs.entries()) {
        await store.put(namespace, key, { n });
      }
      const read = await store.batch(pairs);
      assert.deepEqual(
        read.map((item) => item?.value),
        pairs.map((_, n) => ({ n })),
      );
    },
  },
  "pairs-that-join-alike-in-one-batch": {
    rule: "neither do they when one batch puts both",
    basis: "contract",
    seen: PAIRS_SEEN,
    async run({ store }) {
      await store.batch([
        { namespace: ["a"], key: "b:c", value: { n: 1 } },
        { namespace: ["a", "b"], key: "c", value: { n: 2 } },
      ]);
      assert.deepEqual(await valueOf(store, ["a", "b"], "c"), { n: 2 });
      assert.deepEqual(await valueOf(store, ["a"], "b:c"), { n: 1 });
    },
  },
  "refuses-a-number": {
    rule: "a key that is no text is refused, and nothing is stored",
    basis: "choice",
    async run({ store }) {
      await store.put(["a"], "5", { text: true });
      await refusalOf(
        "the number 5 as key",
        () => untyped(store).put(["a"], 5, { text: false }),
      );
      assert.deepEqual(await valueOf(store, ["a"], "5"), { text: true });
      assert.equal((await store.search(["a"])).length, 1);
    },
  },
  "lone-surrogates-never-meet": {
    rule: "keys with lone surrogates are refused or kept apart",
    basis: "choice",
    async run({ store }) {
      await store.put(["a"], "good", { n: 0 });
      const put: string[] = [];
      for (const key of ["\ud800", "\udbff", "\ufffd"]) {
        const value = { code: key.charCodeAt(0) };
        const done = store.put(["a"], key, value).then(() => put.push(key));
        await done.catch(() => {});
      }
      assert.ok(put.includes("\ufffd"), "U+FFFD is an ordinary letter");
      for (const key of put) {
        const code = key.charCodeAt(0);
        assert.deepEqual(await valueOf(store, ["a"], key), { code });
      }
      const found = await store.search(["a"]);
      assert.equal(found.length, put.length + 1);
    },
  },
});
