/**
 * The `filter` of a search: fields by their values.
 *
 * @module
 */

import assert from "node:assert/strict";
import { finds, NONE } from "./filter_rule.ts";
import { topic } from "./store_case.ts";
import { putEach } from "./stored_items.ts";

const PATH_SEEN = "https://github.com/langchain-ai/langgraph/issues/8786";

/** Rules of plain values. */
export const FILTER_CASES = topic("filter", {
  "by-text-number-boolean": finds("a field equals a text, number or boolean", {
    text: { x: "1" },
    number: { x: 1 },
    other: { x: 2 },
    yes: { x: true },
    no: { x: false },
    missing: {},
  }, [
    [{ x: 2 }, "other"],
    [{ x: true }, "yes"],
    [{ x: false }, "no"],
    [{ x: 3 }, NONE],
  ]),
  "text-and-number-differ": finds("the text 1 is not the number 1", {
    text: { x: "1" },
    number: { x: 1 },
    yes: { x: true },
    word: { x: "true" },
  }, [
    [{ x: "1" }, "text"],
    [{ x: 1 }, "number"],
    [{ x: "true" }, "word"],
    [{ x: true }, "yes"],
  ]),
  "case-matters": finds("texts are compared letter by letter", {
    upper: { x: "Pro" },
    lower: { x: "pro" },
    longer: { x: "pro " },
  }, [[{ x: "pro" }, "lower"], [{ x: "Pro" }, "upper"], [{ x: "p%" }, NONE]]),
  "fields-are-all-met": finds("every field of a filter must be met", {
    both: { x: 1, y: 2 },
    one: { x: 1, y: 3 },
    half: { x: 1 },
  }, [[{ x: 1, y: 2 }, "both"], [{ x: 1 }, "both half one"], [
    { x: 9, y: 2 },
    NONE,
  ]]),
  "empty-finds-all": finds("an empty filter finds every item", {
    one: { x: 1 },
    none: {},
  }, [[{}, "none one"]]),
  "null-is-a-value": {
    ...finds("null finds a stored null, not a missing field", {
      nothing: { x: null },
      missing: {},
      zero: { x: 0 },
      word: { x: "null" },
    }, [[{ x: null }, "nothing"]]),
    basis: "reference",
  },
  "undefined-is-missing": {
    ...finds("undefined finds the items without that field", {
      missing: { y: 1 },
      nothing: { x: null },
      zero: { x: 0 },
      word: { x: "undefined" },
    }, [[{ x: undefined }, "missing"], [{ x: undefined, y: 2 }, NONE]]),
    basis: "reference",
  },
  "empty-object": {
    ...finds("{} as a value finds an empty object only", {
      empty: { x: {} },
      full: { x: { n: 1 } },
      word: { x: "w" },
      missing: {},
    }, [[{ x: {} }, "empty"]]),
    basis: "choice",
  },
  "empty-list": {
    ...finds("[] as a value finds an empty list only", {
      empty: { x: [] },
      full: { x: [1] },
      word: { x: "w" },
      missing: {},
    }, [[{ x: [] }, "empty"]]),
    basis: "choice",
  },
  "lists-by-content": {
    ...finds("a list equals one with the same items in order", {
      same: { x: ["p", "q"] },
      turned: { x: ["q", "p"] },
      longer: { x: ["p", "q", "r"] },
      text: { x: '["p","q"]' },
      joined: { x: "p,q" },
    }, [[{ x: ["p", "q"] }, "same"]]),
    basis: "choice",
  },
  "objects-by-content": {
    ...finds("an object equals one with the same fields", {
      same: { x: { z: 1, y: [2] } },
      other: { x: { z: 2, y: [2] } },
      text: { x: '{"z":1,"y":[2]}' },
    }, [[{ x: { y: [2], z: 1 } }, "same"]]),
    basis: "choice",
  },
  "objects-are-equal-whole": {
    ...finds("a part of an object does not equal it", {
      same: { x: { z: 1 } },
      more: { x: { z: 1, y: 2 } },
    }, [[{ x: { z: 1 } }, "same"]]),
    basis: "choice",
  },
  "fields-with-signs": {
    ...finds("a field access-level is no operator", {
      same: { user: { "access-level": "x" } },
      other: { user: { "access-level": "y" } },
    }, [[{ user: { "access-level": "x" } }, "same"]]),
    basis: "choice",
    seen: PATH_SEEN,
  },
  "a-period-is-no-path": {
    ...finds("a name with a period is one field", {
      flat: { "user.level": "x" },
      nested: { user: { level: "x" } },
    }, [[{ "user.level": "x" }, "flat"]]),
    basis: "reference",
    seen: PATH_SEEN,
  },
  "inherited-names": {
    ...finds("what objects inherit is no field of theirs", {
      own: { constructor: "x", toString: "y" },
      none: { n: 1 },
    }, [
      [{ constructor: "x" }, "own"],
      [{ toString: { $eq: "y" } }, "own"],
    ]),
    basis: "reference",
  },
  "inherited-values": {
    rule: "a filter for an inherited value finds nothing, or is refused",
    basis: "choice",
    async run({ store }) {
      await putEach(store, ["a"], { k: { n: 1 } });
      const filter = { constructor: Object };
      const search = store.search(["a"], { filter });
      assert.deepEqual(await search.catch(() => []), []);
      assert.equal((await store.search(["a"], { filter: {} })).length, 1);
    },
  },
});
