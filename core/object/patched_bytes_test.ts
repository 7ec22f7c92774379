import { deepEqual, equal } from "node:assert/strict";
import { blake3 } from "@noble/hashes/blake3.js";
import { Chance } from "../../tests/support/tree_cases.ts";
import { PatchedBytes } from "./patched_bytes.ts";
import { toHex } from "./hex.ts";

const SEED = 29;
/** Enough that a tree is built, and goes on. */
const PATCHES = 14;

Deno.test("patch() gives the hash that another library gives, below and above the size of trees", () => {
  const chance = new Chance(SEED);
  const sizes = [40, 1024, 8191, 8192, 8193, 9216, 16_384, 20_000, 63_489];
  for (const size of sizes) {
    const tree = new PatchedBytes(randomBytes(chance, size));
    for (let i = 0; i < PATCHES; i++) {
      const patches = Array.from({ length: 1 + chance.below(3) }, () => ({
        place: chance.below(size - 39),
        bytes: randomBytes(chance, 1 + chance.below(40)),
      }));
      tree.patch(patches);
      const expected = toHex(blake3(tree.bytes));
      equal(toHex(tree.id), expected, `seed ${SEED}, size ${size}, patch ${i}`);
    }
  }
});

Deno.test("copy() goes its own way: two that come of one do not meet", () => {
  const chance = new Chance(SEED + 1);
  const size = 30_000;
  const tree = new PatchedBytes(randomBytes(chance, size));
  for (let i = 0; i < PATCHES; i++) tree.patch([]);
  const before = tree.bytes.slice();
  const [left, right] = [tree.copy(), tree.copy()];
  left.patch([{ place: 0, bytes: randomBytes(chance, 32) }]);
  right.patch([{ place: size - 32, bytes: randomBytes(chance, 32) }]);
  deepEqual(tree.bytes, before);
  left.patch([]);
  for (const one of [tree, left, right]) {
    equal(toHex(one.id), toHex(blake3(one.bytes)));
  }
  equal(new Set([tree, left, right].map(({ id }) => toHex(id))).size, 3);
});

Deno.test("patch() over the edge of two chunks hashes both anew", () => {
  const chance = new Chance(SEED + 2);
  const tree = new PatchedBytes(randomBytes(chance, 10_000));
  for (let i = 0; i < PATCHES; i++) {
    const bytes = randomBytes(chance, 2_100);
    tree.patch([{ place: 1_000 + i, bytes }]);
    equal(toHex(tree.id), toHex(blake3(tree.bytes)), `patch ${i}`);
  }
});

function randomBytes(chance: Chance, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, () => chance.below(256));
}
