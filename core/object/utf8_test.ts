import assert from "node:assert/strict";
import fc from "fast-check";
import {
  compareCbor,
  compareUtf8,
  decodeUtf8,
  decodeUtf8Part,
  encodeUtf8,
  faultyByte,
  utf8Length,
} from "./utf8.ts";

const SEED = 20261201;

/** Well-formed texts that meet in the places where orders differ. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.string({
    unit: fc.constantFrom(
      "",
      "a",
      "\u007f",
      "\u0080",
      "é",
      "\u07ff",
      "\u0800",
      "\ud7ff",
      "\ue000",
      "～",
      "\uffff",
      "😀",
      "\u{10000}",
      "\u{10ffff}",
    ),
    maxLength: 5,
  }),
);

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] !== b[i]) return a[i]! - b[i]!;
  }
  return a.length - b.length;
}

Deno.test("compareUtf8() and compareCbor() order the example of three orders", () => {
  const ids = ["😀", "é", "aa", "～", "b", "a"];
  assert.deepEqual(ids.toSorted(compareUtf8), [
    "a",
    "aa",
    "b",
    "é",
    "～",
    "😀",
  ]);
  assert.deepEqual(ids.toSorted(compareCbor), [
    "a",
    "b",
    "aa",
    "é",
    "～",
    "😀",
  ]);
  assert.deepEqual(ids.toSorted(), ["a", "aa", "b", "é", "😀", "～"]);
});

Deno.test("compareUtf8() is the order of the encoded bytes", () => {
  fc.assert(
    fc.property(text, text, text, (a, b, prefix) => {
      for (const [left, right] of [[a, b], [prefix + a, prefix + b]] as const) {
        const expected = compareBytes(encodeUtf8(left), encodeUtf8(right));
        assert.equal(Math.sign(compareUtf8(left, right)), Math.sign(expected));
      }
    }),
    { seed: SEED, numRuns: 2000 },
  );
});

Deno.test("compareCbor() is the order of the encoded bytes, shorter first", () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [left, right] = [encodeUtf8(a), encodeUtf8(b)];
      const expected = left.length - right.length || compareBytes(left, right);
      assert.equal(Math.sign(compareCbor(a, b)), Math.sign(expected));
    }),
    { seed: SEED, numRuns: 2000 },
  );
});

Deno.test("utf8Length() counts the encoded bytes, lone surrogates included", () => {
  const lone = fc.string({
    unit: fc.constantFrom(
      "a",
      "é",
      "～",
      "😀",
      "\ud7ff",
      "\ud800",
      "\udbff",
      "\udc00",
      "\udfff",
      "\ue000",
    ),
  });
  fc.assert(
    fc.property(fc.oneof(text, lone), (value) => {
      assert.equal(utf8Length(value), encodeUtf8(value).length);
    }),
    { seed: SEED, numRuns: 2000 },
  );
});

Deno.test("decodeUtf8() gives back what encodeUtf8() was given, a byte order mark too", () => {
  for (const value of ["", "plain", "\ufeffmarked", "é～😀", "\0"]) {
    assert.equal(decodeUtf8(encodeUtf8(value)), value);
  }
});

Deno.test("decodeUtf8() refuses bytes that are not UTF-8", () => {
  const faults = [[0x80], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [
    0xf5,
    0x80,
    0x80,
    0x80,
  ], [0xff]];
  for (const bytes of faults) {
    assert.throws(
      () => decodeUtf8(Uint8Array.from(bytes)),
      TypeError,
      `${bytes}`,
    );
  }
});

Deno.test("decodeUtf8Part() decodes a part, short or long, ASCII or not", () => {
  const texts = [
    "",
    "a",
    "é😀",
    "x".repeat(64),
    "x".repeat(65),
    "x".repeat(64) + "é",
    // Of whatever length, and with a character of two bytes wherever it may be.
    ...Array.from({ length: 20 }, (_, i) => "abcdefghijklmnopqrst".slice(i)),
    ...Array.from({ length: 20 }, (_, i) => "x".repeat(i).padEnd(i + 1, "é")),
    ...Array.from({ length: 20 }, (_, i) => "é".padEnd(20 - i, "y")),
    ...Array.from({ length: 20 }, (_, i) => `${"x".repeat(i)}é`.padEnd(20)),
  ];
  for (const text of texts) {
    const bytes = encodeUtf8(`[${text}]`);
    assert.equal(decodeUtf8Part(bytes, 1, bytes.length - 1), text);
  }
  assert.throws(
    () => decodeUtf8Part(Uint8Array.of(0x61, 0xff), 0, 2),
    TypeError,
  );
});

Deno.test("encodeUtf8() encodes short and long texts alike", () => {
  const encoder = new TextEncoder();
  for (
    const text of [
      "",
      "a\0",
      "x".repeat(64),
      "x".repeat(65),
      "x".repeat(63) + "é",
    ]
  ) {
    assert.deepEqual(encodeUtf8(text), encoder.encode(text));
  }
});

Deno.test("faultyByte() finds the first byte that is not UTF-8", () => {
  const faults: [number[], number][] = [
    [[], 0],
    [[0x61, 0xc3, 0xa9], 3],
    [[0x61, 0x80], 1],
    [[0xc3, 0x28], 1],
    [[0x61, 0xed, 0xa0, 0x80], 2],
    [[0xff, 0x61], 0],
  ];
  for (const [bytes, at] of faults) {
    assert.equal(faultyByte(Uint8Array.from(bytes)), at, `${bytes}`);
  }
});
