import assert from "node:assert/strict";
import { blake3 as oracle } from "@noble/hashes/blake3.js";
import { encode } from "cborg";
import { Chance } from "../../tests/support/tree_cases.ts";
import { isMnemError } from "../errors.ts";
import { CborWriter } from "../object/cbor_writer.ts";
import { KV_VALUE_BYTES_MAX } from "../limits.ts";
import type { Key } from "./driver.ts";
import {
  corruptRow,
  describeKey,
  frameRow,
  hasSeal,
  joinPieces,
  sameBytes,
  unframeRow,
} from "./row.ts";

const SEED = 11;
const KEY: Key = ["c", Uint8Array.of(1, 2, 3)];
const OTHER_KEY: Key = ["c", Uint8Array.of(1, 2, 4)];

Deno.test("frameRow() puts the form before a value, and the seal after it", () => {
  const payload = new TextEncoder().encode("abc");
  const open = frameRow(KEY, payload, false);
  assert.deepEqual([...open.value], [1, 0x61, 0x62, 0x63]);
  assert.deepEqual(open.pieces, []);
  const sealed = frameRow(KEY, payload, true);
  const framed = [1, 0x61, 0x62, 0x63];
  const seal = oracle(
    Uint8Array.from([...encode(["c", Uint8Array.of(1, 2, 3)]), ...framed]),
  ).slice(0, 8);
  assert.deepEqual([...sealed.value], [...framed, ...seal]);
  assert.equal(sealed.key, KEY);
});

for (const sealed of [false, true]) {
  const name = sealed ? "sealed" : "open";
  const room = 60_000 - 1 - (sealed ? 8 : 0);

  Deno.test(`frameRow() splits an ${name} value over 60,000 bytes`, () => {
    const sizes = [
      0,
      1,
      room,
      room + 1,
      60_000,
      60_001,
      120_000,
      120_001,
      300_007,
    ];
    for (const size of sizes) {
      const payload = bytesOf(size);
      const { value, pieces } = frameRow(KEY, payload, sealed);
      assert.ok(value.length <= 60_000, `${size}`);
      const inside = unframeRow(KEY, value, sealed);
      if (size <= room) {
        assert.ok("payload" in inside, `${size} lies in the row`);
        assert.deepEqual(inside.payload, payload);
        assert.deepEqual(pieces, []);
        continue;
      }
      assert.ok("pieces" in inside, `${size} lies in pieces`);
      assert.equal(pieces.length, Math.ceil(size / 60_000));
      assert.deepEqual(pieces.map(({ key }) => key), inside.pieces);
      assert.deepEqual(
        pieces.map(({ key }) => key.slice(0, 2)),
        pieces.map(() => ["x", oracle(payload).slice(0, 16)]),
      );
      assert.ok(
        pieces.every((piece) => piece.value.length <= KV_VALUE_BYTES_MAX),
      );
      const parts = pieces.map((piece) => piece.value);
      assert.deepEqual(joinPieces(KEY, parts, inside), payload);
    }
  });
}

Deno.test("joinPieces() finds pieces that are missing, changed or in another order", () => {
  const { value, pieces } = frameRow(KEY, bytesOf(150_000), false);
  const inside = unframeRow(KEY, value, false);
  assert.ok("pieces" in inside);
  const parts = pieces.map((piece) => piece.value);
  assert.equal(joinPieces(KEY, parts, inside).length, 150_000);
  const changed = parts.map((part) => part.slice());
  changed[2]![29_999]! ^= 1;
  const broken = [
    [],
    parts.slice(1),
    parts.slice(0, 2),
    [...parts, Uint8Array.of(0)],
    parts.toReversed(),
    changed,
  ];
  for (const some of broken) {
    assert.throws(() => joinPieces(KEY, some, inside), isCorrupt);
  }
});

Deno.test("unframeRow() finds every flipped bit of a sealed row", () => {
  const chance = new Chance(SEED);
  for (let i = 0; i < 400; i++) {
    const size = chance.pick([0, 1, 5, 30, 300, 2_000, 70_000]);
    const { value } = frameRow(KEY, bytesOf(size), true);
    const flipped = value.slice();
    const bit = chance.below(value.length * 8);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    assert.throws(
      () => unframeRow(KEY, flipped, true),
      isCorrupt,
      `seed ${SEED}, flip ${i}: bit ${bit} of ${size} bytes`,
    );
  }
});

Deno.test("hasSeal() tells a sealed row from every other", () => {
  const { value } = frameRow(KEY, Uint8Array.of(7), true);
  assert.ok(hasSeal(KEY, value));
  assert.ok(!hasSeal(OTHER_KEY, value));
  for (let at = 0; at < value.length; at++) {
    const changed = value.slice();
    changed[at]! ^= 1;
    assert.ok(!hasSeal(KEY, changed));
    assert.ok(!hasSeal(KEY, value.subarray(0, at)));
  }
  // A seal of nothing is none: a frame has a form byte.
  const nothing = oracle(encode(["c", Uint8Array.of(1, 2, 3)])).slice(0, 8);
  assert.ok(!hasSeal(KEY, nothing));
});

Deno.test("unframeRow() finds a sealed row that was cut, grown or put under another key", () => {
  const { value } = frameRow(KEY, bytesOf(20), true);
  assert.ok("payload" in unframeRow(KEY, value, true));
  for (let size = 0; size < value.length; size++) {
    assert.throws(() => unframeRow(KEY, value.slice(0, size), true), isCorrupt);
  }
  assert.throws(
    () => unframeRow(KEY, Uint8Array.from([...value, 0]), true),
    isCorrupt,
  );
  assert.throws(() => unframeRow(OTHER_KEY, value, true), isCorrupt);
  assert.throws(
    () => unframeRow(["c", "\u0001\u0002\u0003"], value, true),
    isCorrupt,
  );
});

Deno.test("unframeRow() refuses a form or a pointer that it does not know", () => {
  const digest = new Uint8Array(16);
  const pointers = [
    pointer(2, 70_000, digest),
    pointer(3, 70_000, digest),
    pointer(2, 70_000, digest.slice(1)),
    pointer(2, 2 ** 30 + 1, digest),
    pointer(2, Number.MAX_SAFE_INTEGER, digest),
    Uint8Array.from([...pointer(2, 70_000, digest), 0]),
    Uint8Array.of(0x82),
    new Uint8Array(),
  ];
  const good = unframeRow(KEY, Uint8Array.from([2, ...pointers[0]!]), false);
  assert.ok("pieces" in good && good.pieces.length === 2);
  for (const inside of pointers.slice(1)) {
    const value = Uint8Array.from([2, ...inside]);
    assert.throws(() => unframeRow(KEY, value, false), isCorrupt);
  }
  for (const form of [0, 3, 255]) {
    assert.throws(
      () => unframeRow(KEY, Uint8Array.of(form), false),
      /unknown form/,
    );
  }
  assert.throws(() => unframeRow(KEY, new Uint8Array(), false), isCorrupt);
});

Deno.test("corruptRow() names the row", () => {
  const error = corruptRow(["n", 'a"b', Uint8Array.of(0, 255)], "is broken");
  assert.equal(error.code, "corrupt_store");
  assert.equal(error.message, 'Row ["n", "a\\"b", 00ff] is broken');
  assert.equal(describeKey([]), "[]");
});

Deno.test("sameBytes() compares lengths and bytes", () => {
  assert.equal(sameBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2)), true);
  assert.equal(sameBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 3)), false);
  assert.equal(sameBytes(Uint8Array.of(1, 2), Uint8Array.of(1)), false);
  assert.equal(sameBytes(new Uint8Array(), new Uint8Array()), true);
});

function bytesOf(size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, i) => (i * 7 + (i >> 8)) & 255);
}

function pointer(items: number, bytes: number, digest: Uint8Array): Uint8Array {
  const writer = new CborWriter();
  writer.array(items);
  writer.int(bytes);
  writer.bytes(digest);
  return writer.finish();
}

function isCorrupt(error: unknown): boolean {
  return isMnemError(error, "corrupt_store");
}
