import assert from "node:assert/strict";
import fc from "fast-check";
import type { CborValue } from "../object/cbor_value.ts";
import { encodeCbor } from "../object/encode_cbor.ts";
import { itemEnd } from "./cbor_span.ts";

Deno.test("itemEnd() finds the end of any value", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(5), (value, before) => {
      const bytes = encodeCbor(value as CborValue);
      const all = new Uint8Array(before + bytes.length + 3).fill(0x9f);
      all.set(bytes, before);
      assert.equal(itemEnd(all, before), before + bytes.length);
    }),
    { seed: 8, numRuns: 500 },
  );
});

Deno.test("itemEnd() passes long items of every kind", () => {
  const values: CborValue[] = [
    "x".repeat(300),
    "y".repeat(70_000),
    new Uint8Array(32),
    2n ** 64n - 1n,
    -(2n ** 63n),
    0.1,
    Array.from({ length: 300 }, () => [[]]),
    Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, null])),
  ];
  for (const value of values) {
    const bytes = encodeCbor(value);
    assert.equal(itemEnd(bytes, 0), bytes.length);
  }
});
