import assert from "node:assert/strict";
import fc from "fast-check";
import { type CborValue, FloatNumber } from "./cbor_value.ts";
import type { Json } from "./json.ts";
import { parseBundleJson, parseJson } from "./json_reader.ts";
import { stringifyBundleJson, stringifyJson } from "./json_writer.ts";

const SEED = 20261201;

/** Random doubles of every magnitude, from random bits. */
const double = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((bits) => {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}).filter(Number.isFinite);

Deno.test("stringifyJson() writes what JSON.stringify writes", () => {
  // The three differences are left out: bigint, -0 and integral numbers beyond 2^53.
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((
    x,
  ) => !Object.is(x, -0) && (Number.isSafeInteger(x) || !Number.isInteger(x)));
  const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
    tree: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.oneof(
        number,
        fc.maxSafeInteger(),
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
  }));
  fc.assert(
    fc.property(
      tree,
      fc.constantFrom(0, 1, 2, 4, 10, 12, -1, 2.7),
      (value, indent) => {
        assert.equal(
          stringifyJson(value, indent),
          JSON.stringify(value, null, indent),
        );
        assert.deepEqual(
          parseJson(stringifyJson(value, indent)),
          JSON.parse(JSON.stringify(value)),
        );
      },
    ),
    { seed: SEED, numRuns: 300 },
  );
});

Deno.test("stringifyJson() writes text that parseJson() reads as the same value", () => {
  const cases: [Json, string][] = [
    [18446744073709551615n, "18446744073709551615"],
    [-(2n ** 63n), "-9223372036854775808"],
    [9007199254740993n, "9007199254740993"],
    [-0, "-0"],
    [[-0, 0], "[-0,0]"],
    [1e300, "1e+300"],
    [1e21, "1e+21"],
    [2 ** 60, "1.152921504606847e+18"],
    [2 ** 53, "9007199254740992.0"],
    [-1e20, "-1e+20"],
    [0.000001, "0.000001"],
    [1e-7, "1e-7"],
  ];
  for (const [value, text] of cases) {
    assert.equal(stringifyJson(value), text);
    assert.deepEqual(parseJson(text), value, text);
  }
});

Deno.test("stringifyJson() refuses what is not JSON", () => {
  const faults: unknown[] = [
    undefined,
    NaN,
    Infinity,
    -Infinity,
    () => 1,
    Symbol("s"),
    [undefined],
    { a: undefined },
    [, 1],
    { a: { b: NaN } },
    new Date(0),
    new Map(),
    new Uint8Array(2),
    new (class Thing {})(),
  ];
  for (const fault of faults) {
    assert.throws(
      () => Reflect.apply(stringifyJson, undefined, [fault]),
      TypeError,
      typeof fault,
    );
  }
  assert.equal(stringifyJson(Object.create(null)), "{}");
});

Deno.test("stringifyBundleJson() writes numbers in the form of the reference", () => {
  const cases: [CborValue, string][] = [
    [1, "1"],
    [new FloatNumber(1), "1.0"],
    [new FloatNumber(0), "0.0"],
    [-0, "-0.0"],
    [1.5, "1.5"],
    [0.00001, "0.00001"],
    [0.000009, "9e-6"],
    [1e-7, "1e-7"],
    [-1.5e-7, "-1.5e-7"],
    [2 ** 53, "9007199254740992.0"],
    [new FloatNumber(1e15), "1000000000000000.0"],
    [1e16, "1e+16"],
    [1.25e17, "1.25e+17"],
    [1e300, "1e+300"],
    [5e-324, "5e-324"],
    [9007199254740993n, "9007199254740993"],
    [Number.MAX_VALUE, "1.7976931348623157e+308"],
  ];
  for (const [value, text] of cases) {
    assert.equal(stringifyBundleJson(value), text);
    assert.deepEqual(parseBundleJson(text), value, text);
  }
});

Deno.test("stringifyBundleJson() gives back 300 random doubles, no bit off", () => {
  let exponents = 0;
  fc.assert(
    fc.property(double, (value) => {
      const text = stringifyBundleJson(value);
      if (text.includes("e")) exponents++;
      const back = parseBundleJson(text);
      const found = back instanceof FloatNumber ? back.value : back;
      assert.ok(
        Object.is(found, value),
        `${text} is ${found}, must be ${value}`,
      );
      assert.ok(Object.is(parseJson(stringifyJson(value)), value), text);
    }),
    { seed: SEED, numRuns: 300 },
  );
  assert.ok(exponents > 200);
});

Deno.test("stringifyBundleJson() sorts the keys of objects by UTF-8, not those of Maps", () => {
  const value = { "😀": 1, "～": 2, b: 3, aa: 4, "10": 5, "9": { z: 1, y: 2 } };
  assert.equal(
    stringifyBundleJson(value),
    '{"10":5,"9":{"y":2,"z":1},"aa":4,"b":3,"～":2,"😀":1}',
  );
  const map = new Map<string, CborValue>([["z", { b: 1, a: 2 }], ["10", []], [
    "9",
    {},
  ]]);
  assert.equal(stringifyBundleJson(map), '{"z":{"a":2,"b":1},"10":[],"9":{}}');
  assert.equal(
    stringifyBundleJson(map, { indent: 2, level: 1 }),
    '{\n    "z": {\n      "a": 2,\n      "b": 1\n    },\n    "10": [],\n    "9": {}\n  }',
  );
});

Deno.test("stringifyBundleJson() refuses byte strings", () => {
  assert.throws(() => stringifyBundleJson(new Uint8Array(2)), TypeError);
  assert.throws(
    () => stringifyBundleJson({ a: [new Uint8Array(2)] }),
    TypeError,
  );
});
