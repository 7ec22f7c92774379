/**
 * The `query` of a search, where a store filters by text. One that ranks by meaning deviates from all
 * of it, and one without an index may ignore the query.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Item } from "@langchain/langgraph-checkpoint";
import { type StoreCase, topic } from "./store_case.ts";
import { keySet, putEach } from "./stored_items.ts";

/** Each query finds these keys, separated by blanks, and no other. */
function finds(
  rule: string,
  values: { readonly [key: string]: Item["value"] },
  answers: { readonly [query: string]: string },
): Omit<StoreCase, "id" | "topic"> {
  return {
    rule,
    basis: "choice",
    async run({ store }) {
      await putEach(store, ["a"], values);
      for (const [query, keys] of Object.entries(answers)) {
        const found = await store.search(["a"], { query });
        const expected = keys.split(" ").filter((key) => key !== "");
        assert.deepEqual(keySet(found), expected.sort(), `query ${query}`);
      }
    },
  };
}

const TALK = {
  one: { text: "Alice likes green tea" },
  two: { text: "Bob likes coffee" },
  three: { inner: { list: ["nothing", { deep: "GREEN house" }] } },
};

/** Rules of `query`. */
export const QUERY_CASES = topic("query", {
  "finds-a-part-of-a-text": finds("a query finds a part of any text", TALK, {
    "green tea": "one",
    "likes": "one two",
    "ea": "one",
    "whisky": "",
  }),
  "finds-deep-texts": finds("texts inside lists and objects are found", TALK, {
    "house": "three",
    "nothing": "three",
  }),
  "ignores-case": finds("a query is not minded for its case", TALK, {
    "ALICE": "one",
    "gReEn": "one three",
  }),
  "finds-names-of-fields": finds("names of fields are found", TALK, {
    "inner": "three",
    "deep": "three",
  }),
  "finds-the-key": finds("the key of an item is found", {
    "invoice-8842": { n: 1 },
    "other": { n: 2 },
  }, { "8842": "invoice-8842", "INVOICE": "invoice-8842" }),
  "quotes-and-lines": finds("quotes and line ends are found as they are", {
    quote: { t: 'he said "hi" twice' },
    line: { t: "line1\nline2" },
    plain: { t: "he said hi; line1 line2" },
  }, { 'said "hi"': "quote", "line1\nline2": "line" }),
  "no-signs-of-json": finds("signs that only JSON text has are not found", {
    one: { t: "text" },
    brace: { t: "a { brace" },
  }, { "{": "brace", '":"': "" }),
  "no-patterns": finds("no sign of a query is a pattern", {
    one: { t: "100 apples" },
    percent: { t: "100% apples" },
    dot: { t: "1.0" },
  }, { "100%": "percent", "1_0": "", ".*": "", "1.0": "dot" }),
  "with-a-filter": {
    rule: "query, filter, limit and offset go together",
    basis: "choice",
    async run({ store }) {
      await putEach(store, ["a"], {
        one: { t: "green", kind: "x" },
        two: { t: "red", kind: "x" },
        three: { t: "green", kind: "y" },
        four: { t: "green", kind: "x" },
      });
      const question = { query: "green", filter: { kind: "x" } };
      const found = keySet(await store.search(["a"], question));
      assert.deepEqual(found, ["four", "one"]);
      const pages = [0, 1, 2].map((offset) =>
        store.search(["a"], { ...question, limit: 1, offset })
      );
      const keys = (await Promise.all(pages)).map(keySet);
      assert.deepEqual(keys.flat().sort(), found);
      assert.deepEqual(keys[2], []);
    },
  },
  "empty-finds-all": {
    rule: "an empty query leaves nothing out",
    basis: "choice",
    async run({ store }) {
      await putEach(store, ["a"], TALK);
      const found = await store.search(["a"], { query: "" });
      assert.deepEqual(keySet(found), ["one", "three", "two"]);
    },
  },
});
