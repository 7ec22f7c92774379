import { equal } from "node:assert/strict";
import { blake3 } from "@noble/hashes/blake3.js";
import { levelVectors } from "../../tests/support/tree_vectors.ts";
import { levelOf } from "./boundary.ts";

Deno.test("levelOf() gives the levels of the vectors", () => {
  const vectors = levelVectors();
  equal(vectors.length, 14);
  equal(vectors.some(([, level]) => level === 2), true);
  for (const [id, level] of vectors) equal(levelOf(id), level, id);
});

Deno.test("levelOf() counts the leading zero bits of the first 8 bytes", () => {
  const seen = new Set<number>();
  for (let i = 0; i < 20_000; i++) {
    const id = `é😀-${i}`;
    // An independent reading: 64 bits as text.
    const bits = [...blake3(new TextEncoder().encode(id)).subarray(0, 8)]
      .map((byte) => byte.toString(2).padStart(8, "0")).join("");
    const zeros = bits.padEnd(65, "1").indexOf("1");
    seen.add(zeros);
    equal(levelOf(id), Math.floor(zeros / 5), id);
    equal(levelOf(id, { bits: 1 }), zeros, id);
    equal(levelOf(id, { bits: 2 }), Math.floor(zeros / 2), id);
  }
  // Past the first byte too.
  equal([0, 1, 7, 8, 9, 10].every((zeros) => seen.has(zeros)), true);
});
