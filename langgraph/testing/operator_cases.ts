/**
 * The operators of a filter.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Item } from "@langchain/langgraph-checkpoint";
import { finds, NONE, type Rule, show, type Values } from "./filter_rule.ts";
import { refusalOf } from "./refusal.ts";
import { topic } from "./store_case.ts";
import { keySet, putEach } from "./stored_items.ts";

const RANGE_SEEN = "https://github.com/langchain-ai/langgraph/issues/8365";
const NE_SEEN = "https://github.com/langchain-ai/langgraph/issues/8366";
const NUMBER_SEEN = "https://github.com/langchain-ai/langgraph/issues/7684";
const UNKNOWN_SEEN = "https://github.com/langchain-ai/langgraph/issues/8829";

const NUMBERS: Values = {
  nine: { n: 9 },
  ten: { n: 10 },
  hundred: { n: 100 },
  minus: { n: -1 },
};
const MIXED: Values = {
  thirty: { age: 30 },
  zero: { age: 0 },
  missing: {},
  word: { age: "unknown" },
  nothing: { age: null },
  yes: { age: true },
  list: { age: [99] },
};

/** A filter that asks for what there is not: finding nothing, or all, would be a wrong answer. */
function refuses(filter: Item["value"]): Rule {
  return {
    rule: `${JSON.stringify(filter)} is refused, not answered`,
    basis: "choice",
    seen: UNKNOWN_SEEN,
    async run({ store }) {
      await putEach(store, ["a"], { k: { n: 1 } });
      await refusalOf(show(filter), () => store.search(["a"], { filter }));
      const found = await store.search(["a"], { filter: { n: { $gt: 0 } } });
      assert.deepEqual(keySet(found), ["k"]);
    },
  };
}

/** Rules of operators. */
export const OPERATOR_CASES = topic("operator", {
  "eq": finds("$eq is plain equality", NUMBERS, [
    [{ n: { $eq: 10 } }, "ten"],
    [{ n: { $eq: 11 } }, NONE],
  ]),
  "eq-of-objects": {
    ...finds("$eq compares objects and lists by content", {
      same: { x: { $set: 1 } },
      list: { x: [1] },
      other: { x: { $set: 2 } },
    }, [
      [{ x: { $eq: { $set: 1 } } }, "same"],
      [{ x: { $eq: [1] } }, "list"],
    ]),
    basis: "choice",
  },
  "ne": finds("$ne finds what differs", NUMBERS, [
    [{ n: { $ne: 10 } }, "hundred minus nine"],
  ]),
  "ne-finds-missing": {
    ...finds("$ne finds items without the field", {
      thirty: { age: 30 },
      forty: { age: 40 },
      missing: {},
      nothing: { age: null },
    }, [[{ age: { $ne: 30 } }, "forty missing nothing"]]),
    basis: "reference",
    seen: NE_SEEN,
  },
  "gt": finds("$gt is greater", NUMBERS, [
    [{ n: { $gt: 10 } }, "hundred"],
    [{ n: { $gt: 9.5 } }, "hundred ten"],
    [{ n: { $gt: 100 } }, NONE],
  ]),
  "gte": {
    ...finds("$gte is greater or equal, by number and not by text", NUMBERS, [
      [{ n: { $gte: 10 } }, "hundred ten"],
      [{ n: { $gte: 101 } }, NONE],
    ]),
    seen: NUMBER_SEEN,
  },
  "lt": finds("$lt is less", NUMBERS, [
    [{ n: { $lt: 10 } }, "minus nine"],
    [{ n: { $lt: -1 } }, NONE],
  ]),
  "lte": finds("$lte is less or equal", NUMBERS, [
    [{ n: { $lte: 10 } }, "minus nine ten"],
    [{ n: { $lte: -2 } }, NONE],
  ]),
  "in": {
    ...finds("$in finds any of a list", NUMBERS, [
      [{ n: { $in: [9, 100, 7] } }, "hundred nine"],
      [{ n: { $in: [7] } }, NONE],
    ]),
    basis: "reference",
  },
  "text-and-number-differ": finds("no operator takes a text for a number", {
    text: { x: "9" },
    number: { x: 9 },
  }, [
    [{ x: { $eq: "9" } }, "text"],
    [{ x: { $eq: 9 } }, "number"],
    [{ x: { $in: ["9", "x"] } }, "text"],
    [{ x: { $nin: ["9", "x"] } }, "number"],
    [{ x: { $ne: 9 } }, "text"],
  ]),
  "in-of-nothing": {
    ...finds("$in of an empty list finds nothing", NUMBERS, [
      [{ n: { $in: [] } }, NONE],
      [{ n: { $in: [9] } }, "nine"],
    ]),
    basis: "reference",
  },
  "nin": {
    ...finds("$nin finds what is none of a list", NUMBERS, [
      [{ n: { $nin: [9, 100] } }, "minus ten"],
      [{ n: { $nin: [] } }, "hundred minus nine ten"],
    ]),
    basis: "reference",
  },
  "nin-finds-missing": {
    ...finds("$nin finds items without the field", {
      one: { n: 1 },
      two: { n: 2 },
      missing: {},
    }, [[{ n: { $nin: [1] } }, "missing two"]]),
    basis: "reference",
    seen: NE_SEEN,
  },
  "in-of-objects": {
    ...finds("$in and $nin compare by content", {
      list: { x: [1, 2] },
      object: { x: { y: 1 } },
      other: { x: 3 },
    }, [
      [{ x: { $in: [[1, 2], { y: 1 }] } }, "list object"],
      [{ x: { $nin: [[1, 2], { y: 1 }] } }, "other"],
    ]),
    basis: "choice",
  },
  "all-operators-are-met": finds("operators of one field must all be met", {
    ...NUMBERS,
    eleven: { n: 11 },
  }, [
    [{ n: { $gte: 10, $lt: 100 } }, "eleven ten"],
    [{ n: { $gt: 9, $ne: 10, $lt: 100 } }, "eleven"],
  ]),
  "beside-plain-fields": finds("operators and plain fields go together", {
    good: { n: 5, kind: "x" },
    small: { n: 1, kind: "x" },
    other: { n: 5, kind: "y" },
  }, [[{ n: { $gt: 2 }, kind: "x" }, "good"]]),
  "ranges-skip-what-is-no-number": {
    ...finds(
      "no range finds a missing field, a word or null, and none fails on them",
      MIXED,
      [
        [{ age: { $gt: 25 } }, "thirty"],
        [{ age: { $gte: 0 } }, "thirty zero"],
        [{ age: { $lt: 1 } }, "zero"],
        [{ age: { $lte: 0 } }, "zero"],
      ],
    ),
    basis: "choice",
    seen: RANGE_SEEN,
  },
  "ranges-of-texts": {
    ...finds("ranges compare texts with texts", {
      old: { day: "2023-12-31" },
      new: { day: "2024-01-02" },
      number: { day: 2024 },
      missing: {},
    }, [
      [{ day: { $gt: "2023-12-31" } }, "new"],
      [{ day: { $gte: "2023-12-31" } }, "new old"],
      [{ day: { $lt: "2024" } }, "old"],
    ]),
    basis: "choice",
  },
  "ranges-of-texts-by-code-point": {
    ...finds("texts stand by code point", {
      last: { t: "\u{10000}" },
      high: { t: "\uffff" },
      upper: { t: "Z" },
      lower: { t: "a" },
    }, [
      [{ t: { $gt: "\uffff" } }, "last"],
      [{ t: { $lt: "a" } }, "upper"],
    ]),
    basis: "choice",
  },
  "ranges-never-mix": {
    ...finds("a number is neither above nor below a text", {
      text: { x: "10" },
      number: { x: 10 },
    }, [
      [{ x: { $gt: 5 } }, "number"],
      [{ x: { $gt: "1" } }, "text"],
      [{ x: { $lt: 50 } }, "number"],
    ]),
    basis: "choice",
  },
  "refuses-an-unknown-operator": refuses({ n: { $regex: "a" } }),
  "refuses-operators-above-fields": refuses({ $and: [{ n: 1 }] }),
  "refuses-a-mixture": refuses({ n: { $gt: 0, unit: "kg" } }),
});
