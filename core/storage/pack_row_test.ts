import assert from "node:assert/strict";
import { encode } from "cborg";
import { isMnemError } from "../errors.ts";
import { decodePackOwner, decodePackPart } from "./pack_row.ts";

const ID = Uint8Array.from({ length: 16 }, (_, i) => i);

function isCorrupt(error: unknown): boolean {
  return isMnemError(error, "corrupt_store");
}

Deno.test("decodePackPart() reads chunk records in their order", () => {
  assert.deepEqual(decodePackPart(encode([])), []);
  const records = [Uint8Array.of(1), Uint8Array.of(), Uint8Array.of(2, 3)];
  assert.deepEqual(decodePackPart(encode(records)), records);
});

Deno.test("decodePackPart() refuses anything else", () => {
  const part = encode([Uint8Array.of(1)]);
  for (
    const other of [
      encode("x"),
      encode([1]),
      part.slice(0, -1),
      Uint8Array.of(...part, 0),
      Uint8Array.of(),
    ]
  ) {
    assert.throws(() => decodePackPart(other), isCorrupt);
  }
});

Deno.test("decodePackOwner() reads the commit that a pack belongs to", () => {
  assert.deepEqual(decodePackOwner(encode([ID, -5, 7])), {
    commit: "000102030405060708090a0b0c0d0e0f",
    timeMs: -5,
    generation: 7,
  });
});

Deno.test("decodePackOwner() refuses anything else, and no commit", () => {
  const owner = encode([ID, 1, 2]);
  for (
    const other of [
      encode(null),
      encode([ID, 1]),
      encode([ID, 1, -2]),
      owner.slice(0, -1),
      Uint8Array.of(...owner, 0),
    ]
  ) {
    assert.throws(() => decodePackOwner(other), isCorrupt);
  }
});
