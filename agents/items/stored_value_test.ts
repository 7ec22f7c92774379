import assert from "node:assert/strict";
import { checkContent } from "@mnem/core";
import { storedObject, storedValue, valueOf } from "./stored_value.ts";

const WHERE = 'content of node "a:k"';

Deno.test("storedValue() turns a program's values into JSON", () => {
  const when = new Date(1_700_000_000_000);
  const message = {
    toJSON: () => ({ type: "human", sent: when, draft: undefined }),
  };
  const known: [unknown, unknown][] = [
    [{ when }, { when: "2023-11-14T22:13:20.000Z" }],
    [{ a: undefined, b: null }, { b: null }],
    [{ zero: -0 }, { zero: 0 }],
    [{ list: [message] }, {
      list: [{ type: "human", sent: when.toISOString() }],
    }],
    [{ url: new URL("https://example.com/") }, { url: "https://example.com/" }],
    [{ toJSON: "a text" }, { toJSON: "a text" }],
    [{ text: "a\0b", deep: [[{}]] }, { text: "a\0b", deep: [[{}]] }],
  ];
  for (const [value, stored] of known) {
    assert.deepEqual(storedValue(value, WHERE), stored);
    assert.ok(
      !Object.is(Reflect.get(Object(storedValue(value, WHERE)), "zero"), -0),
    );
  }
});

Deno.test("storedValue() names the field to toJSON, and asks once", () => {
  const names: string[] = [];
  const inner = { toJSON: () => assert.fail("asked again") };
  const field = {
    toJSON(name: string) {
      names.push(name);
      return this;
    },
  };
  const value = { a: field, b: [field] };
  // A method is no JSON, and is left for the store to refuse.
  assert.throws(
    () => checkContent(storedValue(value, WHERE), WHERE),
    TypeError,
  );
  assert.deepEqual(names, ["a", "0"]);
  const outer = { toJSON: () => ({ ...inner, x: 1 }) };
  assert.deepEqual(Object.keys(Object(storedValue(outer, WHERE))), [
    "toJSON",
    "x",
  ]);
});

Deno.test("storedValue() keeps an own __proto__ as data", () => {
  const value: unknown = JSON.parse('{"__proto__":{"x":1},"a":1}');
  const stored = storedValue(value, WHERE);
  assert.equal(JSON.stringify(stored), '{"__proto__":{"x":1},"a":1}');
  assert.equal(Object.getPrototypeOf(stored), Object.prototype);
});

Deno.test("storedValue() copies, whatever its owner does later", () => {
  const value = { list: [{ n: 1 }] };
  const stored = storedValue(value, WHERE);
  value.list[0]!.n = 2;
  assert.deepEqual(stored, { list: [{ n: 1 }] });
});

Deno.test("storedValue() and the store refuse by its path what would be lost", () => {
  const cycle: { self?: unknown } = {};
  cycle.self = { a: [cycle] };
  const accessor = Object.defineProperty({}, "x", {
    get: () => 1,
    enumerable: true,
  });
  const gap = [1, 2];
  delete gap[0];
  const wrong: [unknown, RegExp][] = [
    [{ items: [0, { "a/b": 1n }] }, /value at "\/items\/1\/a~1b" is a bigint/],
    [{ when: new Date(NaN) }, /value at "\/when" is an invalid Date/],
    [cycle, /value at "\/self\/a\/0" is an object that contains itself/],
    [{ a: [undefined] }, /value at "\/a\/0" is undefined/],
    [{ a: NaN }, /value at "\/a" is NaN/],
    [{ a: -Infinity }, /value at "\/a" is -Infinity/],
    [{ a: new Map([[1, 2]]) }, /value at "\/a" is an instance of Map/],
    [{ a: new Set() }, /value at "\/a" is an instance of Set/],
    [{ a: /x/ }, /value at "\/a" is an instance of RegExp/],
    [{ a: new Error("x") }, /value at "\/a" is an instance of Error/],
    [{ a: new Uint8Array(1) }, /value at "\/a" is an instance of Uint8Array/],
    [{ a: () => 1 }, /value at "\/a" is a function/],
    [{ a: Symbol("x") }, /value at "\/a" is a symbol/],
    [{ [Symbol("x")]: 1 }, /symbol as a key/],
    [{ a: accessor }, /value at "\/a\/x" is an accessor/],
    [{ a: gap }, /gaps/],
    [{ a: Object.assign([1], { extra: 1 }) }, /other properties/],
    [{ a: "\ud800" }, /lone surrogate/],
  ];
  for (const [value, message] of wrong) {
    assert.throws(() => checkContent(storedValue(value, WHERE), WHERE), {
      name: "TypeError",
      message,
    });
  }
  let deep: unknown = 1;
  for (let i = 0; i < 500; i++) deep = [deep];
  assert.throws(
    () => checkContent(storedValue({ deep }, WHERE), WHERE),
    { name: "RangeError", message: /nested over 127 levels/ },
  );
  const endless = { toJSON: () => ({ endless: { ...endless } }) };
  assert.throws(
    () => checkContent(storedValue(endless, WHERE), WHERE),
    { name: "RangeError", message: /nested over 127 levels/ },
  );
});

Deno.test("storedValue() takes one object in two places for two", () => {
  const shared = { n: 1 };
  assert.deepEqual(storedValue({ a: shared, b: [shared] }, WHERE), {
    a: { n: 1 },
    b: [{ n: 1 }],
  });
});

Deno.test("storedValue() converts one object once, however many places it stands in", () => {
  let asked = 0;
  let value: object = {
    get toJSON() {
      asked++;
      return undefined;
    },
  };
  // 2^60 places.
  for (let i = 0; i < 60; i++) value = { a: value, b: [value] };
  storedValue(value, WHERE);
  assert.equal(asked, 1);
});

Deno.test("storedObject() takes plain objects alone", () => {
  assert.deepEqual(storedObject({ a: 1 }, WHERE), { a: 1 });
  assert.deepEqual(storedObject({ toJSON: () => ({ a: 1 }) }, WHERE), { a: 1 });
  const bare: object = Object.assign(Object.create(null), { a: 1 });
  assert.deepEqual(storedObject(bare, WHERE), { a: 1 });
  for (
    const value of [
      "text",
      5,
      true,
      [1],
      undefined,
      new Date(0),
      new Map(),
      () => 1,
    ]
  ) {
    assert.throws(() => storedObject(value, WHERE), {
      name: "TypeError",
      message:
        /^Cannot encode content of node "a:k": it is .*, must be a plain object/,
    });
  }
});

Deno.test("valueOf() wraps content that is no object", () => {
  for (const content of ["text", 5, true, null, [1]]) {
    assert.deepEqual(valueOf(content), { content });
  }
  assert.deepEqual(valueOf({ a: 1 }), { a: 1 });
  // As code of graphs expects of any object.
  assert.ok("hasOwnProperty" in valueOf({ a: 1 }));
});
