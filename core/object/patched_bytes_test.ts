import { deepEqual, equal } from "node:assert/strict";
import { blake3 } from "@noble/hashes/blake3.js";
import { Chance } from "../../tests/support/tree_cases.ts";
import { PatchedBytes } from "./patched_bytes.ts";
import { toHex } from "./hex.ts";

const SEED = 29;
/** Enough that a tree is built, and goes on. */
const PATCHES = 14;

Deno.test("patched() gives the hash that another library gives, below and above the size of trees", () => {
  const chance = new Chance(SEED);
  const sizes = [40, 1024, 8191, 8192, 8193, 9216, 16_384, 20_000, 63_489];
  for (const size of sizes) {
    let tree = new PatchedBytes(randomBytes(chance, size));
    for (let i = 0; i < PATCHES; i++) {
      const patches = Array.from({ length: 1 + chance.below(3) }, () => ({
        place: chance.below(size - 39),
        bytes: randomBytes(chance, 1 + chance.below(40)),
      }));
      tree = tree.patched(patches);
      const expected = toHex(blake3(tree.bytes));
      equal(toHex(tree.id), expected, `seed ${SEED}, size ${size}, patch ${i}`);
    }
  }
});

Deno.test("patched() leaves the bytes as they were: two that come of one do not meet", () => {
  const chance = new Chance(SEED + 1);
  const size = 30_000;
  let tree = new PatchedBytes(randomBytes(chance, size));
  for (let i = 0; i < PATCHES; i++) tree = tree.patched([]);
  const before = tree.bytes.slice();
  const left = tree.patched([{ place: 0, bytes: randomBytes(chance, 32) }]);
  const right = tree.patched([{
    place: size - 32,
    bytes: randomBytes(chance, 32),
  }]);
  deepEqual(tree.bytes, before);
  for (const one of [tree, left, right, left.patched([])]) {
    equal(toHex(one.id), toHex(blake3(one.bytes)));
  }
  equal(new Set([tree, left, right].map(({ id }) => toHex(id))).size, 3);
});

Deno.test("patched() over the edge of two chunks hashes both anew", () => {
  const chance = new Chance(SEED + 2);
  let tree = new PatchedBytes(randomBytes(chance, 10_000));
  for (let i = 0; i < PATCHES; i++) {
    const bytes = randomBytes(chance, 2_100);
    tree = tree.patched([{ place: 1_000 + i, bytes }]);
    equal(toHex(tree.id), toHex(blake3(tree.bytes)), `patch ${i}`);
  }
});

function randomBytes(chance: Chance, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, () => chance.below(256));
}
