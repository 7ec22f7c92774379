import { deepEqual, equal, notEqual } from "node:assert/strict";
import { briefBytes } from "./brief_bytes.ts";

Deno.test("briefBytes() gives zero bytes of the size, and never the same twice", () => {
  const sizes = [0, 1, 32, 5_000, 16_384, 16_385, 200_000];
  const given: Uint8Array[] = [];
  // More than one slab holds.
  for (let turn = 0; turn < 12; turn++) {
    for (const size of sizes) {
      const bytes = briefBytes(size);
      equal(bytes.length, size);
      equal(bytes.every((byte) => byte === 0), true);
      given.push(bytes.fill(1 + given.length));
    }
  }
  given.forEach((bytes, i) =>
    equal(bytes.every((byte) => byte === 1 + i), true, `bytes ${i}`)
  );
});

Deno.test("briefBytes() puts small ones together, and large ones by themselves", () => {
  const large = briefBytes(100_000);
  equal(large.buffer.byteLength, 100_000);
  const [a, b] = [briefBytes(8), briefBytes(8)];
  deepEqual([a.length, b.length], [8, 8]);
  notEqual(a.buffer.byteLength, 8);
  equal(a.buffer === b.buffer || b.byteOffset === 0, true);
});
