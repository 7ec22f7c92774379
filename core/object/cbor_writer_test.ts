import assert from "node:assert/strict";
import { encode as oracle } from "cborg";
import fc from "fast-check";
import { type CborValue, FloatNumber, isIntegerNumber } from "./cbor_value.ts";
import { CborWriter } from "./cbor_writer.ts";
import { encodeCbor } from "./encode_cbor.ts";
import { fromHex, toHex } from "./hex.ts";
import { encodeUtf8 } from "./utf8.ts";

const SEED = 20261201;

/** Values and their bytes, from RFC 8949, appendix A, and by hand. */
const CASES: [CborValue, string][] = [
  [0, "00"],
  [1, "01"],
  [10, "0a"],
  [23, "17"],
  [24, "1818"],
  [25, "1819"],
  [100, "1864"],
  [255, "18ff"],
  [256, "190100"],
  [1000, "1903e8"],
  [65535, "19ffff"],
  [65536, "1a00010000"],
  [1000000, "1a000f4240"],
  [4294967295, "1affffffff"],
  [4294967296, "1b0000000100000000"],
  [1000000000000, "1b000000e8d4a51000"],
  [Number.MAX_SAFE_INTEGER, "1b001fffffffffffff"],
  [2n ** 53n, "1b0020000000000000"],
  [18446744073709551615n, "1bffffffffffffffff"],
  [-1, "20"],
  [-10, "29"],
  [-24, "37"],
  [-25, "3818"],
  [-100, "3863"],
  [-256, "38ff"],
  [-257, "390100"],
  [-1000, "3903e7"],
  [Number.MIN_SAFE_INTEGER, "3b001ffffffffffffe"],
  [-(2n ** 63n), "3b7fffffffffffffff"],
  [0n, "00"],
  [-1n, "20"],
  [500n, "1901f4"],
  [-0, "f98000"],
  [1.5, "f93e00"],
  [65504.5, "fa477fe080"],
  [5.960464477539063e-8, "f90001"],
  [0.00006103515625, "f90400"],
  [-4.1, "fbc010666666666666"],
  [1.1, "fb3ff199999999999a"],
  [3.4028234663852886e+38, "fa7f7fffff"],
  [1e300, "fb7e37e43c8800759c"],
  [2 ** 53, "fa5a000000"],
  [2 ** 60, "fa5d800000"],
  [new FloatNumber(0), "f90000"],
  [new FloatNumber(-0), "f98000"],
  [new FloatNumber(1), "f93c00"],
  [new FloatNumber(100000), "fa47c35000"],
  [new FloatNumber(16777217), "fb4170000010000000"],
  [false, "f4"],
  [true, "f5"],
  [null, "f6"],
  [new Uint8Array(0), "40"],
  [Uint8Array.of(1, 2, 3, 4), "4401020304"],
  ["", "60"],
  ["a", "6161"],
  ["IETF", "6449455446"],
  ['"\\', "62225c"],
  ["ü", "62c3bc"],
  ["水", "63e6b0b4"],
  ["😀", "64f09f9880"],
  [[], "80"],
  [[1, [2, 3], [4, 5]], "8301820203820405"],
  [{}, "a0"],
  [{ b: [2, 3], a: 1 }, "a26161016162820203"],
  [{ bb: 1, c: 2, "": 3 }, "a36003616302626262" + "01"],
  [
    new Map<string, CborValue>([["z", 1], ["é", 2], ["a", 3]]),
    "a3616103617a0162c3a902",
  ],
  [
    JSON.parse('{"__proto__":{"__proto__":1}}'),
    "a1695f5f70726f746f5f5fa1695f5f70726f746f5f5f01",
  ],
];

Deno.test("encodeCbor() writes the shortest canonical form", () => {
  for (const [value, hex] of CASES) {
    assert.equal(toHex(encodeCbor(value)), hex);
  }
});

Deno.test("encodeCbor() writes texts of every length around the edges", () => {
  for (
    const length of [22, 23, 24, 95, 96, 97, 254, 255, 256, 4090, 65535, 65536]
  ) {
    for (const tail of ["", "\u007f", "\u0080", "é", "～", "😀"]) {
      const text = "x".repeat(length - 1) + (tail || "y");
      const bytes = encodeUtf8(text);
      assert.equal(
        toHex(encodeCbor(text)),
        toHex(oracle(text)),
        `${length} ${tail}`,
      );
      assert.deepEqual(encodeCbor(text).subarray(-bytes.length), bytes);
    }
  }
});

Deno.test("encodeCbor() grows from one item to the next", () => {
  const items = Array.from(
    { length: 3000 },
    (_, i) => i % 3 === 0 ? i : "é".repeat(i % 40),
  );
  assert.equal(
    toHex(encodeCbor([items, items])),
    toHex(oracle([items, items])),
  );
});

Deno.test("encodeCbor() agrees with another implementation", () => {
  // It writes -0 and integral floats its own way.
  const number = fc.double({ noNaN: true, noDefaultInfinity: true })
    .filter((x) => isIntegerNumber(x) || !Number.isInteger(x));
  const { tree } = fc.letrec<{ tree: CborValue }>((tie) => ({
    tree: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.oneof(
        number,
        fc.maxSafeInteger(),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
        fc.string({ unit: "binary" }),
        fc.boolean(),
        fc.constant(null),
        fc.uint8Array(),
      ),
      fc.array(tie("tree")),
      fc.dictionary(fc.string({ unit: "binary" }), tie("tree"), {
        noNullPrototype: true,
      })
        .filter((object) => !Object.hasOwn(object, "__proto__")),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      assert.equal(toHex(encodeCbor(value)), toHex(oracle(value)));
    }),
    { seed: SEED, numRuns: 300 },
  );
});

Deno.test("encodeCbor() refuses what the format cannot hold", () => {
  for (const value of [2n ** 64n, -(2n ** 63n) - 1n]) {
    assert.throws(() => encodeCbor(value), RangeError, `${value}`);
  }
  const faults = [
    NaN,
    Infinity,
    -Infinity,
    "\ud800",
    "a\udc00",
    "x".repeat(200) + "\ud800",
    { "\ud800": 1 },
  ];
  for (const value of faults) {
    assert.throws(() => encodeCbor(value), TypeError, String(value));
  }
});

Deno.test("CborWriter.id() writes 32 bytes from 64 hex digits", () => {
  const hex =
    "0123456789abcdefABCDEF0000000000000000000000000000000000000000ff";
  const writer = new CborWriter();
  writer.id(hex);
  assert.equal(toHex(writer.finish()), "5820" + hex.toLowerCase());
  for (
    const fault of ["", "0".repeat(63), "0".repeat(66), "g" + "0".repeat(63)]
  ) {
    assert.throws(() => new CborWriter().id(fault), SyntaxError, fault);
  }
});

Deno.test("CborWriter keeps apart writers at work at the same time", () => {
  const [a, b] = [new CborWriter(), new CborWriter()];
  a.text("first");
  b.text("other");
  const first = a.finish();
  const c = new CborWriter();
  c.text("third");
  b.int(1);
  assert.equal(toHex(first), "65" + toHex(encodeUtf8("first")));
  assert.equal(toHex(b.finish()), "65" + toHex(encodeUtf8("other")) + "01");
  assert.equal(toHex(c.finish()), "65" + toHex(encodeUtf8("third")));
  a.raw(fromHex("f6"));
  a.bool(true);
  a.null();
  assert.equal(a.length, 3);
  assert.equal(toHex(a.finish()), "f6f5f6");
  assert.equal(a.length, 0);
});

Deno.test("closeArray() and closeMap() give what heads written first give", () => {
  for (const count of [0, 1, 23, 24, 255, 256, 70_000]) {
    const writer = new CborWriter();
    writer.text("before");
    const start = writer.length;
    for (let i = 0; i < count; i++) writer.int(i);
    writer.closeArray(start, count);
    writer.bool(true);
    const items = Array.from({ length: count }, (_, i) => i);
    const parts = ["before", items, true].map((part) => encodeCbor(part));
    assert.equal(toHex(writer.finish()), parts.map(toHex).join(""));
  }
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({ unit: "binary" }), fc.integer())),
      (pairs) => {
        const writer = new CborWriter();
        writer.null();
        const places: number[] = [];
        for (const [key, value] of pairs) {
          places.push(writer.length);
          writer.text(key);
          places.push(writer.length);
          writer.int(value);
        }
        const left = writer.closeMap(1, places);
        // A Map keeps the last value of a key too.
        const map = new Map(pairs);
        assert.equal(left, map.size);
        assert.equal(toHex(writer.finish()), "f6" + toHex(encodeCbor(map)));
      },
    ),
    { seed: SEED, numRuns: 500 },
  );
});

Deno.test("rewind() forgets what was written after a length", () => {
  const writer = new CborWriter();
  writer.text("kept");
  const { length } = writer;
  writer.text("gone");
  writer.rewind(length);
  writer.int(1);
  assert.equal(toHex(writer.finish()), toHex(encodeCbor("kept")) + "01");
});

Deno.test("utf8() writes a part of some bytes as a text, short or long", () => {
  for (const text of ["", "a", "é😀", "x".repeat(50), "y".repeat(5_000)]) {
    const bytes = encodeUtf8(`<${text}>`);
    const writer = new CborWriter();
    writer.utf8(bytes, 1, bytes.length - 1);
    assert.equal(toHex(writer.finish()), toHex(encodeCbor(text)));
  }
});

Deno.test("int() writes a number below -2^53 as the integer that it is", () => {
  const writer = new CborWriter();
  writer.int(-(2 ** 63));
  assert.equal(toHex(writer.finish()), "3b7fffffffffffffff");
});
