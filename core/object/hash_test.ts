import assert from "node:assert/strict";
import { blake3 as oracle } from "@noble/hashes/blake3.js";
import { blake3, blake3Into } from "./hash.ts";
import { toHex } from "./hex.ts";

const EMPTY =
  "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";

function pattern(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8)) & 0xff);
}

Deno.test("blake3() of nothing is the published vector", () => {
  assert.equal(toHex(blake3(new Uint8Array(0))), EMPTY);
});

Deno.test("blake3() agrees with another implementation around block and chunk edges", () => {
  const edges = [64, 128, 1024, 2048, 3072, 4096, 5120, 8192, 16384, 65536];
  const lengths = edges.flatMap((n) => [n - 1, n, n + 1]);
  for (const length of [1, 2, 3, ...lengths, 300_007]) {
    const bytes = pattern(length);
    assert.equal(toHex(blake3(bytes)), toHex(oracle(bytes)), `${length} bytes`);
  }
});

Deno.test("blake3() reads views at any offset", () => {
  const bytes = pattern(70_000);
  for (const start of [1, 2, 3, 5]) {
    for (const length of [1, 63, 200, 1025, 5000, 66_000]) {
      const view = bytes.subarray(start, start + length);
      assert.equal(
        toHex(blake3(view)),
        toHex(oracle(view)),
        `${length} at ${start}`,
      );
    }
  }
});

Deno.test("blake3() returns bytes that a later call leaves alone", () => {
  for (const length of [0, 10, 1024, 1025, 5000, 100_000]) {
    const first = blake3(pattern(length));
    const before = toHex(first);
    blake3(pattern(length + 1));
    blake3(new Uint8Array(0));
    assert.equal(toHex(first), before, `${length} bytes`);
    assert.equal(first.length, 32);
    assert.equal(first.buffer.byteLength, 32);
  }
});

Deno.test("blake3Into() puts the same bytes where they are wanted", () => {
  const id = new Uint8Array(32);
  for (const length of [0, 1, 64, 200, 1025, 70_000]) {
    const bytes = pattern(length + 3).subarray(3);
    blake3Into(bytes, id);
    assert.equal(toHex(id), toHex(oracle(bytes)), `${length} bytes`);
  }
});
