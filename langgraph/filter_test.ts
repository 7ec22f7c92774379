import assert from "node:assert/strict";
import type { Json } from "@mnem/core";
import { matcherOfFilter } from "./filter.ts";

type ItemValue = { readonly [name: string]: Json };

function passes(filter: unknown, value: ItemValue): boolean {
  return matcherOfFilter(filter)?.(value) ?? true;
}

/** Each with a value that passes and one that does not. */
const CONDITIONS: [unknown, ItemValue, ItemValue][] = [
  [{ n: "a" }, { n: "a", m: 1 }, { n: "A" }],
  [{ n: 5 }, { n: 5 }, { n: "5" }],
  [{ n: 1 }, { n: 1n }, { n: 2n }],
  [{ n: 0 }, { n: -0 }, { n: null }],
  [{ n: null }, { n: null }, {}],
  [{ n: undefined }, {}, { n: null }],
  [{ n: {} }, { n: {} }, { n: { a: 1 } }],
  [{ n: [] }, { n: [] }, { n: [1] }],
  [{ n: ["p", "q"] }, { n: ["p", "q"] }, { n: ["q", "p"] }],
  [{ n: { b: 1, a: [{}] } }, { n: { a: [{}], b: 1 } }, {
    n: { a: [{}], b: 1, c: 1 },
  }],
  [{ n: { "access-level": "x" } }, { n: { "access-level": "x" } }, { n: {} }],
  [{ "a.b": 1 }, { "a.b": 1 }, { a: { b: 1 } }],
  [{ a: 1, b: 2 }, { a: 1, b: 2 }, { a: 1, b: 3 }],
  [{ when: new Date(0) }, { when: "1970-01-01T00:00:00.000Z" }, { when: 0 }],
  [{ n: { $eq: 1 } }, { n: 1 }, {}],
  [{ n: { $eq: undefined } }, {}, { n: 1 }],
  [{ n: { $ne: 1 } }, {}, { n: 1 }],
  [{ n: { $ne: 1 } }, { n: "1" }, { n: 1n }],
  [{ n: { $ne: undefined } }, { n: null }, {}],
  [{ n: { $ne: [1] } }, { n: [2] }, { n: [1] }],
  [{ n: { $in: [1, [2]] } }, { n: [2] }, { n: 2 }],
  [{ n: { $in: [null] } }, { n: null }, {}],
  [{ n: { $nin: [1, 2] } }, {}, { n: 2 }],
  [{ n: { $gt: 10 } }, { n: 100 }, { n: 10 }],
  [{ n: { $gt: 10 } }, { n: 11n }, { n: "100" }],
  [{ n: { $gte: 0 } }, { n: 0 }, { n: null }],
  [{ n: { $gte: 10 } }, { n: 10 }, { n: 9 }],
  [{ n: { $lt: 10 } }, { n: 9 }, {}],
  [{ n: { $lte: 10 } }, { n: 10 }, { n: 10.5 }],
  [{ n: { $gt: "2023" } }, { n: "2024" }, { n: 2024 }],
  // By code points: U+1F600 comes after U+FF5E, which UTF-16 units would put last.
  [{ n: { $gt: "～" } }, { n: "😀" }, { n: "é" }],
  [{ n: { $gt: new Date(0) } }, { n: "2024-01-01T00:00:00.000Z" }, {
    n: "1969",
  }],
  [{ n: { $gt: 1, $lt: 3 } }, { n: 2 }, { n: 3 }],
  [{ n: { $gt: 1, $ne: 2 } }, { n: 3 }, { n: 2 }],
];

Deno.test("matcherOfFilter() holds each condition against a field", () => {
  for (const [filter, right, wrong] of CONDITIONS) {
    const told = Deno.inspect(filter, { depth: 5 });
    assert.equal(
      passes(filter, right),
      true,
      `${told} on ${Deno.inspect(right)}`,
    );
    assert.equal(
      passes(filter, wrong),
      false,
      `${told} on ${Deno.inspect(wrong)}`,
    );
  }
});

Deno.test("matcherOfFilter() lets everything pass where there is no condition", () => {
  for (const filter of [undefined, null, {}, { n: { $nin: [] } }]) {
    assert.equal(passes(filter, { n: 1 }), true);
  }
  assert.equal(passes({ n: { $in: [] } }, { n: 1 }), false);
});

Deno.test("matcherOfFilter() reads own fields alone", () => {
  const names = ["constructor", "toString", "__proto__", "hasOwnProperty"];
  for (const name of names) {
    const filter = Object.fromEntries([[
      name,
      Reflect.get({}, name) ?? Object.prototype,
    ]]);
    assert.equal(passes(filter, { n: 1 }), false, name);
    const lacking = Object.fromEntries([[name, undefined]]);
    assert.equal(passes(lacking, { n: 1 }), true, name);
    const own: ItemValue = Object.fromEntries([[name, 1]]);
    assert.equal(passes(Object.fromEntries([[name, 1]]), own), true, name);
  }
});

Deno.test("matcherOfFilter() finds nothing equal to what cannot be stored", () => {
  for (
    const odd of [
      NaN,
      () => 1,
      Symbol("x"),
      new Map(),
      [undefined],
      new Date(NaN),
    ]
  ) {
    assert.equal(passes({ n: odd }, { n: {} }), false);
    assert.equal(passes({ n: { $ne: odd } }, { n: {} }), true);
    assert.equal(passes({ n: { $gte: odd } }, { n: 0 }), false);
  }
});

Deno.test("matcherOfFilter() refuses operators that it does not know", () => {
  const wrong: [unknown, RegExp][] = [
    [{ n: { $regex: "a" } }, /"\$regex" in the filter is not an operator/],
    [{ n: { $exists: true } }, /"\$exists"/],
    [{ n: { $eq: 1, m: 2 } }, /"m" in the filter is not an operator/],
    [{ n: { m: 2, $eq: 1 } }, /"m" in the filter is not an operator/],
    [{ $and: [{ n: 1 }] }, /"\$and" in the filter is not a field's name/],
    [{ $or: [] }, /"\$or"/],
    [
      { n: { $in: "abc" } },
      /\$in in the filter has a string, must have an array/,
    ],
    [{ n: { $nin: undefined } }, /\$nin in the filter/],
    ["n", /filter is a string, must be a plain object/],
    [[{ n: 1 }], /filter is an array, must be a plain object/],
    [new Map([["n", 1]]), /filter is an instance of Map, must be a plain/],
    [Object.create({ n: 1 }), /filter is an instance of Object, must be/],
  ];
  for (const [filter, message] of wrong) {
    assert.throws(() => matcherOfFilter(filter), {
      name: "TypeError",
      message,
    });
  }
});
