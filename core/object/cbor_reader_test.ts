import assert from "node:assert/strict";
import fc from "fast-check";
import { isMnemError } from "../errors.ts";
import { CBOR_DEPTH_MAX, CborReader, decodeCbor } from "./cbor_reader.ts";
import { type CborValue, FloatNumber } from "./cbor_value.ts";
import { encodeCbor } from "./encode_cbor.ts";
import { fromHex, toHex } from "./hex.ts";

const SEED = 20261201;

function isCorrupt(error: unknown): boolean {
  return isMnemError(error, "corrupt_store");
}

/** A small generator of our own, so that mutations repeat: mulberry32. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const { tree } = fc.letrec<{ tree: CborValue }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.maxSafeInteger(),
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }),
      fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.boolean(),
      fc.constant(null),
      fc.uint8Array(),
    ),
    fc.array(tie("tree")),
    fc.dictionary(
      fc.oneof(fc.string({ unit: "binary" }), fc.constant("__proto__")),
      tie("tree"),
      { noNullPrototype: true },
    ),
  ),
}));

Deno.test("decodeCbor() gives back what encodeCbor() was given", () => {
  fc.assert(
    fc.property(tree, (value) => {
      const bytes = encodeCbor(value);
      const back = decodeCbor(bytes);
      assert.deepEqual(back, value);
      assert.equal(toHex(encodeCbor(back)), toHex(bytes));
    }),
    { seed: SEED, numRuns: 300 },
  );
});

Deno.test("decodeCbor() reads the smallest items up to the last byte", () => {
  const cases: [string, CborValue][] = [
    ["a16000", { "": 0 }],
    ["a26000616101", { "": 0, a: 1 }],
    ["8200f6", [0, null]],
    ["8160", [""]],
    ["8140", [new Uint8Array(0)]],
  ];
  for (const [hex, value] of cases) {
    assert.deepEqual(decodeCbor(fromHex(hex)), value, hex);
  }
});

Deno.test("decodeCbor() reads every width of integers and lengths at its edges", () => {
  for (
    const edge of [
      0,
      23,
      24,
      255,
      256,
      257,
      0x1234,
      65535,
      65536,
      0x12345678,
      2 ** 32 - 1,
      2 ** 32,
      2 ** 32 + 1,
      0x123456789abcd,
    ]
  ) {
    for (const value of [edge, -1 - edge]) {
      assert.equal(decodeCbor(encodeCbor(value)), value);
    }
  }
  for (const length of [0, 23, 24, 32, 33, 255, 256, 257, 65535, 65536]) {
    const text = "x".repeat(length);
    const items = new Array<CborValue>(length).fill(1);
    assert.deepEqual(decodeCbor(encodeCbor([text, items])), [text, items]);
  }
});

Deno.test("decodeCbor() tells numbers from bigints at 2^53", () => {
  const cases: [string, CborValue][] = [
    ["1b001fffffffffffff", 2 ** 53 - 1],
    ["1b0020000000000000", 2n ** 53n],
    ["3b001ffffffffffffe", -(2 ** 53 - 1)],
    ["3b001fffffffffffff", -(2n ** 53n)],
    ["3b7fffffffffffffff", -(2n ** 63n)],
    ["1bffffffffffffffff", 2n ** 64n - 1n],
    ["fa5a000000", 2 ** 53],
    ["f93c00", 1],
    ["f98000", -0],
  ];
  for (const [hex, value] of cases) {
    assert.deepEqual(decodeCbor(fromHex(hex)), value, hex);
  }
});

Deno.test("decodeCbor() with keepFloats marks integral floats, and only those", () => {
  const cases: [string, CborValue][] = [
    ["f93c00", new FloatNumber(1)],
    ["f90000", new FloatNumber(0)],
    ["81f93c00", [new FloatNumber(1)]],
    ["a16161f94900", { a: new FloatNumber(10) }],
    ["f98000", -0],
    ["f93e00", 1.5],
    ["fa5a000000", 2 ** 53],
    ["01", 1],
  ];
  for (const [hex, value] of cases) {
    const found = decodeCbor(fromHex(hex), { keepFloats: true });
    assert.deepEqual(found, value, hex);
    assert.equal(toHex(encodeCbor(found)), hex);
  }
});

Deno.test("decodeCbor() takes no key for another of the same length and ends", () => {
  for (const known of ["id", "kind", "content", "content_kind", "tool_call"]) {
    for (let i = 1; i < known.length - 1; i++) {
      const other = `${known.slice(0, i)}\u007f${known.slice(i + 1)}`;
      const value = { [known]: 1, [other]: 2, [`${known}s`]: 3 };
      assert.deepEqual(decodeCbor(encodeCbor(value)), value);
    }
  }
  // As long as one of them, but for what shifting out bits leaves of the length.
  const long = { [`i${"x".repeat(65_536)}d`]: 1 };
  assert.deepEqual(decodeCbor(encodeCbor(long)), long);
  const value = { "": 0, i: 1, id: 2, "\u0080": 3, "k\u0080d": 4, "é": 5 };
  assert.deepEqual(decodeCbor(encodeCbor(value)), value);
});

Deno.test("decodeCbor() makes plain objects, __proto__ an own property", () => {
  const bytes = encodeCbor(JSON.parse('{"a":1,"__proto__":{"b":2}}'));
  const value = decodeCbor(bytes);
  assert.ok(typeof value === "object" && value !== null);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.deepEqual(Object.keys(value), ["a", "__proto__"]);
  assert.equal("b" in value, false);
});

const REFUSED: [string, string][] = [
  ["nothing at all", ""],
  ["bytes after the value", "0000"],
  ["1 in two bytes", "1801"],
  ["23 in two bytes", "1817"],
  ["255 in three bytes", "1900ff"],
  ["65535 in five bytes", "1a0000ffff"],
  ["2^32 - 1 in nine bytes", "1b00000000ffffffff"],
  ["-24 in two bytes", "3817"],
  ["a length in two bytes", "780161"],
  ["a count in two bytes", "980100"],
  ["a map count in two bytes", "b8016100f6"],
  ["a byte string's length in two bytes", "580100"],
  ["an integer below -2^63", "3b8000000000000000"],
  ["an integer below -2^63, the lowest", "3bffffffffffffffff"],
  ["an indefinite array", "9fff"],
  ["an indefinite map", "bfff"],
  ["an indefinite text", "7f6161ff"],
  ["an indefinite byte string", "5f4101ff"],
  ["a break", "ff"],
  ["reserved lengths", "1c"],
  ["a reserved length of a text", "7d"],
  ["a tag", "c000"],
  ["a bignum", "c24101"],
  ["a tag in an array", "81c100"],
  ["undefined", "f7"],
  ["a simple value", "e0"],
  ["a two-byte simple value", "f820"],
  ["true in two bytes", "f815"],
  ["reserved simple values", "fc" + "00".repeat(16)],
  ["another", "fd" + "00".repeat(16)],
  ["and another", "fe"],
  ["a half NaN", "f97e00"],
  ["a half infinity", "f97c00"],
  ["a half -infinity", "f9fc00"],
  ["a single NaN", "fa7fc00000"],
  ["a double NaN", "fb7ff8000000000000"],
  ["a double infinity", "fb7ff0000000000000"],
  ["1.0 as a single", "fa3f800000"],
  ["1.0 as a double", "fb3ff0000000000000"],
  ["0.0 as a double", "fb0000000000000000"],
  ["-0.0 as a single", "fa80000000"],
  ["100000.0 as a double", "fb40f86a0000000000"],
  ["the least half as a single", "fa33800000"],
  ["keys out of order", "a2616200616100"],
  ["a longer key first", "a2626161006162" + "00"],
  ["a key twice", "a2616100616100"],
  ["an empty key last", "a26161006000"],
  ["keys out of order further in", "81a1617aa2616200616100"],
  ["a key that is an integer", "a10000"],
  ["a key that is a byte string", "a1416100"],
  ["a key that is null", "a1f600"],
  ["a text cut short", "6261"],
  ["a text that runs over", "7a7fffffff61"],
  ["a byte string cut short", "4201"],
  ["an array cut short", "8200"],
  ["a map cut short", "a16161"],
  ["a head cut short", "19ff"],
  ["a head cut short, long", "1b00ff"],
  ["a half cut short", "f93c"],
  ["a double cut short", "fb3ff199999999"],
  ["a vast array", "9b0000000100000000"],
  ["a vast map", "bb001fffffffffffff"],
  ["a vaster array", "9bffffffffffffffff"],
  ["a lone continuation byte", "6180"],
  ["an overlong text", "62c080"],
  ["a surrogate in UTF-8", "63eda080"],
  ["a text cut in a character", "61c3"],
  ["a long text that is not UTF-8", "7830" + "61".repeat(47) + "ff"],
];

Deno.test("decodeCbor() refuses every form that is not canonical", async (t) => {
  for (const [name, hex] of REFUSED) {
    await t.step(name, () => {
      assert.throws(() => decodeCbor(fromHex(hex)), isCorrupt);
    });
  }
});

Deno.test("decodeCbor() never reads two bytes strings as the same value", () => {
  const sample: CborValue = {
    kind: "memory_node",
    id: "customer-4821",
    content: {
      plan: "enterprise",
      seats: 40,
      list: [1.5, -0, 2n ** 60n, 1e300, null, true],
      "é": "～😀",
    },
    event_time: 1757000000000,
    id32: new Uint8Array(32).fill(7),
    float: new FloatNumber(3),
  };
  const bytes = encodeCbor(sample);
  const below = random(SEED);
  let read = 0;
  for (let round = 0; round < 2000; round++) {
    const mutant = bytes.slice();
    const at = below(mutant.length);
    mutant[at]! ^= 1 + below(255);
    let value: CborValue;
    try {
      value = decodeCbor(mutant, { keepFloats: true });
    } catch (error) {
      assert.ok(isCorrupt(error), `seed ${SEED}, round ${round}: ${error}`);
      continue;
    }
    read++;
    assert.equal(
      toHex(encodeCbor(value)),
      toHex(mutant),
      `seed ${SEED}, round ${round}, byte ${at}`,
    );
  }
  assert.ok(read > 200 && read < 1800, `${read} of 2,000 mutants were read`);
});

Deno.test("decodeCbor() follows nesting up to its bound", () => {
  const nested = (depth: number) => fromHex("81".repeat(depth - 1) + "80");
  assert.doesNotThrow(() => decodeCbor(nested(CBOR_DEPTH_MAX)));
  assert.throws(() => decodeCbor(nested(CBOR_DEPTH_MAX + 1)), isCorrupt);
  const maps = (depth: number) => fromHex("a16161".repeat(depth) + "00");
  assert.doesNotThrow(() => decodeCbor(maps(CBOR_DEPTH_MAX)));
  assert.throws(() => decodeCbor(maps(CBOR_DEPTH_MAX + 1)), isCorrupt);
  assert.throws(() => decodeCbor(maps(100_000)), isCorrupt);
});

Deno.test("CborReader reads item by item", () => {
  const reader = new CborReader(
    fromHex(
      "ff" + "8a" + "a1616b01" + "63616263" + "420102" + "20" + "18ff" + "f6" +
        "f5" + "820102" + "f93e00" + "03",
    ),
    1,
  );
  assert.equal(reader.offset, 1);
  assert.equal(reader.readArrayHead(), 10);
  assert.equal(reader.readMapHead(), 1);
  assert.equal(reader.readText(), "k");
  assert.equal(reader.readUint(), 1);
  assert.equal(reader.readText(), "abc");
  assert.deepEqual(reader.readBytes(), Uint8Array.of(1, 2));
  assert.equal(reader.readInt(), -1);
  assert.equal(reader.readUint(), 255);
  assert.equal(reader.atNull, true);
  reader.readNull();
  assert.equal(reader.atNull, false);
  reader.skip();
  assert.deepEqual(reader.readJson(), [1, 2]);
  assert.equal(reader.readValue(), 1.5);
  assert.equal(reader.atEnd, false);
  assert.throws(() => reader.end(), isCorrupt);
  reader.skip();
  assert.equal(reader.atEnd, true);
  reader.end();
});

Deno.test("CborReader refuses an item of another type", () => {
  const reads: [string, (reader: CborReader) => unknown][] = [
    ["array", (r) => r.readArrayHead()],
    ["map", (r) => r.readMapHead()],
    ["map", (r) => r.readMap(() => r.skip())],
    ["text", (r) => r.readText()],
    ["bytes", (r) => r.readBytes()],
    ["int", (r) => r.readInt()],
    ["uint", (r) => r.readUint()],
    ["null", (r) => r.readNull()],
  ];
  const items: [string, string][] = [
    ["array", "80"],
    ["map", "a0"],
    ["text", "60"],
    ["bytes", "40"],
    ["uint", "00"],
    ["negative", "20"],
    ["null", "f6"],
    ["true", "f5"],
    ["float", "f93c00"],
    ["big", "1bffffffffffffffff"],
    ["nothing", ""],
  ];
  for (const [wanted, read] of reads) {
    for (const [found, hex] of items) {
      const fits = wanted === found ||
        (wanted === "int" && ["uint", "negative", "big"].includes(found));
      const call = () => read(new CborReader(fromHex(hex)));
      if (fits) assert.doesNotThrow(call, `${wanted}, ${found}`);
      else assert.throws(call, isCorrupt, `${wanted}, ${found}`);
    }
  }
});

Deno.test("CborReader.readJson() refuses byte strings at any depth", () => {
  for (const hex of ["4101", "814101", "a161614101"]) {
    assert.throws(() => new CborReader(fromHex(hex)).readJson(), isCorrupt);
    assert.doesNotThrow(() => new CborReader(fromHex(hex)).readValue());
  }
});

Deno.test("CborReader.skip() is as strict as reading", () => {
  for (const [name, hex] of REFUSED) {
    if (name === "bytes after the value") continue;
    assert.throws(() => new CborReader(fromHex(hex)).skip(), isCorrupt, name);
  }
});
