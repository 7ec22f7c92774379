import assert from "node:assert/strict";
import fc from "fast-check";
import { CONTENT_BYTES_MAX, CONTENT_DEPTH_MAX } from "../limits.ts";
import { decodeCbor } from "./cbor_reader.ts";
import { encodeCbor } from "./encode_cbor.ts";
import { checkContent, encodeContent, sameContent } from "./content.ts";
import { toHex } from "./hex.ts";
import type { Json } from "./json.ts";
import { stringifyJson } from "./json_writer.ts";

const SEED = 20261201;

const json = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.maxSafeInteger(),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
      fc.string({ unit: "binary" }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie("tree")),
    fc.dictionary(
      fc.oneof(fc.string({ unit: "binary" }), fc.constant("__proto__")),
      tie("tree"),
    ),
  ),
})).tree;

function nested(depth: number): unknown {
  let value: unknown = [];
  for (let i = 1; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

Deno.test("encodeContent() writes what encodeCbor() writes, and it reads back the same", () => {
  fc.assert(
    fc.property(json, (value) => {
      const bytes = encodeContent(value, "n");
      assert.equal(toHex(bytes), toHex(encodeCbor(value)));
      assert.ok(sameContent(checkContent(decodeCbor(bytes), "copy"), value));
      assert.equal(checkContent(value, "value"), value);
    }),
    { seed: SEED, numRuns: 300 },
  );
});

class Thing {
  readonly a = 1;
}

class List extends Array<number> {}

/** Each with the place and the words of its error. */
function refusedValues(): [string, unknown, string, RegExp][] {
  const cycle: { [key: string]: unknown } = {};
  cycle.self = [{ cycle }];
  const sparse = [1, 2, 3];
  delete sparse[1];
  return [
    ["undefined", undefined, "", /undefined/],
    ["undefined in an object", { a: undefined }, "/a", /undefined/],
    ["undefined in an array", [1, undefined], "/1", /undefined/],
    ["a function", { f: () => 1 }, "/f", /a function/],
    ["a symbol", [Symbol("s")], "/0", /a symbol/],
    ["a symbol as a key", { [Symbol("s")]: 1 }, "", /symbol as a key/],
    ["NaN", { a: { b: NaN } }, "/a/b", /NaN/],
    ["Infinity", [[Infinity]], "/0/0", /Infinity/],
    ["-Infinity", -Infinity, "", /-Infinity/],
    ["a Date", { at: new Date(0) }, "/at", /instance of Date/],
    ["a Map", new Map(), "", /instance of Map/],
    ["a Set", [new Set()], "/0", /instance of Set/],
    ["bytes", { raw: new Uint8Array(1) }, "/raw", /instance of Uint8Array/],
    ["a boxed number", [Object(1)], "/0", /instance of Number/],
    ["a regular expression", [/x/], "/0", /instance of RegExp/],
    ["an error", [new Error("x")], "/0", /instance of Error/],
    ["a class instance", { thing: new Thing() }, "/thing", /instance of Thing/],
    [
      "an array of a class",
      { list: List.from([1]) },
      "/list",
      /instance of List/,
    ],
    [
      "an object made from another",
      Object.create({ a: 1 }),
      "",
      /instance of a class/,
    ],
    ["a promise", Promise.resolve(1), "", /instance of Promise/],
    ["a lone surrogate", { a: "x\ud800" }, "/a", /lone surrogate/],
    [
      "a lone surrogate in a key",
      { a: { "\udc00": 1 } },
      "/a",
      /lone surrogate in a key/,
    ],
    [
      "a getter",
      {
        get a() {
          throw new Error("called");
        },
      },
      "/a",
      /an accessor/,
    ],
    [
      "a getter in an array",
      Object.defineProperty([1, 2], 1, {
        get: () => {
          throw new Error("called");
        },
      }),
      "/1",
      /an accessor/,
    ],
    [
      "a setter",
      Object.defineProperty({}, "a", { set: () => 1, enumerable: true }),
      "/a",
      /an accessor/,
    ],
    [
      "a hidden property",
      Object.defineProperty({}, "a", { value: 1 }),
      "/a",
      /not enumerable/,
    ],
    ["an array with a gap", sparse, "", /gaps/],
    ["an empty array with a length", [new Array(3)], "/0", /gaps/],
    ["an array with a name", Object.assign([1], { extra: 1 }), "", /gaps or/],
    [
      "a gap made up by a name",
      Object.assign(new Array(1), { extra: 1 }),
      "/0",
      /missing/,
    ],
    ["an object in itself", cycle, "/self/0/cycle", /contains itself/],
    [
      "a path to escape",
      { "a/b": { "c~d": undefined } },
      "/a~1b/c~0d",
      /undefined/,
    ],
  ];
}

Deno.test("checkContent() refuses what is not JSON, with its JSON Pointer", async (t) => {
  for (const [name, value, pointer, words] of refusedValues()) {
    await t.step(name, () => {
      assert.throws(() => checkContent(value, "content of x"), (error) => {
        assert.ok(error instanceof TypeError, `${error}`);
        assert.match(error.message, words);
        if (name !== "an object in itself") {
          assert.ok(
            error.message.includes(` ${JSON.stringify(pointer)} is `),
            error.message,
          );
        }
        return error.message.startsWith("Cannot encode content of x: ");
      });
    });
  }
});

Deno.test("checkContent() accepts plain objects of every make", () => {
  const bare = Object.create(null);
  bare.a = 1;
  for (
    const value of [
      {},
      bare,
      JSON.parse('{"__proto__":1}'),
      Object.freeze([Object.freeze({ a: 1 })]),
      [[], {}],
      { toJSON: 1, constructor: null },
    ]
  ) {
    assert.doesNotThrow(() => checkContent(value, "value"));
  }
  assert.equal(toHex(encodeContent(bare, "n")), "a1616101");
});

Deno.test("checkContent() allows the same object in two places", () => {
  const shared = { a: [1] };
  assert.doesNotThrow(() =>
    checkContent([shared, shared, { shared }], "value")
  );
});

Deno.test("checkContent() bounds nesting, bigints and bytes by RangeErrors", () => {
  assert.doesNotThrow(() => checkContent(nested(CONTENT_DEPTH_MAX), "value"));
  assert.throws(() => checkContent(nested(CONTENT_DEPTH_MAX + 1), "value"), {
    name: "RangeError",
    message: /nested over 127 levels/,
  });
  assert.throws(() => checkContent(nested(20_000), "value"), RangeError);
  for (const bigint of [2n ** 64n, -(2n ** 63n) - 1n, 10n ** 400n]) {
    assert.throws(() => checkContent({ a: [bigint] }, "value"), {
      name: "RangeError",
      message: /"\/a\/0" is .*-2\^63/,
    });
  }
  assert.doesNotThrow(() =>
    checkContent([2n ** 64n - 1n, -(2n ** 63n)], "value")
  );
});

Deno.test("encodeContent() states limit and size of content that is too large", () => {
  const fits = "x".repeat(CONTENT_BYTES_MAX - 5);
  assert.equal(encodeContent(fits, "big").length, CONTENT_BYTES_MAX);
  assert.throws(() => encodeContent(fits + "x", "big"), {
    name: "RangeError",
    message:
      'Cannot encode content of node "big": 8388609 bytes, the limit is 8388608',
  });
});

Deno.test("encodeContent() gives up on content that would never end", () => {
  let bomb: unknown = "x".repeat(1000);
  for (let i = 0; i < 100; i++) bomb = [bomb, bomb];
  assert.throws(() => encodeContent(bomb, "bomb"), {
    name: "RangeError",
    message: /the limit is 8388608/,
  });
});

Deno.test("checkContent() survives proxies", () => {
  const { proxy, revoke } = Proxy.revocable({ a: 1 }, {});
  assert.deepEqual(toHex(encodeContent(proxy, "n")), "a1616101");
  revoke();
  assert.throws(() => checkContent({ a: proxy }, "value"), TypeError);
  const lying = new Proxy([1, 2], {
    get: (target, key) => key === "length" ? 7 : Reflect.get(target, key),
  });
  assert.throws(() => checkContent(lying, "value"), TypeError);
  const endless: unknown = new Proxy({}, {
    ownKeys: () => ["a"],
    getOwnPropertyDescriptor: () => ({
      value: endless,
      enumerable: true,
      configurable: true,
    }),
  });
  assert.throws(() => checkContent(endless, "value"), /itself|127 levels/);
  const throwing = new Proxy({}, {
    ownKeys: () => {
      throw new Error("trap");
    },
  });
  assert.throws(() => checkContent(throwing, "value"), /trap/);
});

function shown(a: Json, b: Json): string {
  return `${stringifyJson(a)}, ${stringifyJson(b)}`;
}

Deno.test("sameContent() compares by value", () => {
  const same: [Json, Json][] = [
    [1, 1n],
    [0, -0],
    [0n, -0],
    [2n ** 60n, 2 ** 60],
    [1e3, 1000],
    [{ a: 1, b: [2, { c: null }] }, { b: [2, { c: null }], a: 1 }],
    [[1, [2n]], [1n, [2]]],
    ["é", "\u00e9"],
    [{}, Object.create(null)],
    [JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
  ];
  for (const [a, b] of same) {
    assert.ok(
      sameContent(a, b) && sameContent(b, a),
      shown(a, b),
    );
  }
  const different: [Json, Json][] = [
    [1, 2],
    [1, "1"],
    [1n, "1"],
    [0, false],
    [0, null],
    ["", null],
    [null, {}],
    [[], {}],
    [[], null],
    [true, 1],
    [2n ** 60n + 1n, 2 ** 60],
    [2n ** 53n + 1n, 2 ** 53],
    [1n, 1.5],
    [[1, 2], [2, 1]],
    [[1], [1, 1]],
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: null }, { b: null }],
    ["é", "e\u0301"],
    [{ toString: 1 }, { a: 1 }],
    [{}, JSON.parse('{"__proto__":1}')],
    [{ a: 1 }, JSON.parse('{"__proto__":1}')],
  ];
  for (const [a, b] of different) {
    assert.ok(
      !sameContent(a, b) && !sameContent(b, a),
      shown(a, b),
    );
  }
});

Deno.test("sameContent() holds exactly when the canonical bytes do, numbers apart", () => {
  const value = fc.letrec<{ tree: Json }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<Json>(0, 1, "", "a", null, true),
      fc.array(tie("tree"), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom("a", "b", "__proto__"), tie("tree"), {
        maxKeys: 2,
      }),
    ),
  })).tree;
  let same = 0;
  fc.assert(
    fc.property(value, value, (a, b) => {
      const expected = toHex(encodeCbor(a)) === toHex(encodeCbor(b));
      if (expected) same++;
      assert.equal(sameContent(a, b), expected);
    }),
    { seed: SEED, numRuns: 3000 },
  );
  assert.ok(same > 100 && same < 2900, `${same}`);
});
