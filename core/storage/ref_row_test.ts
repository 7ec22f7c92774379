import assert from "node:assert/strict";
import { isMnemError } from "../errors.ts";
import { decodeRefRow, encodeRefRow } from "./ref_row.ts";

const ID = "0123456789abcdef".repeat(4);

Deno.test("decodeRefRow() reads what encodeRefRow() wrote", () => {
  const meta = Uint8Array.of(1, 2);
  const root = Uint8Array.of(3);
  assert.deepEqual(decodeRefRow(encodeRefRow(ID, meta, root)), {
    commit: ID,
    meta,
    root,
  });
  assert.deepEqual(decodeRefRow(encodeRefRow(ID, meta, null)), {
    commit: ID,
    meta,
    root: null,
  });
});

Deno.test("encodeRefRow() leaves out what goes over 16 KB: the root first, then the meta block", () => {
  const sizes = [[100, 16_284], [100, 16_285], [16_384, 0], [16_384, 1], [
    16_385,
    0,
  ], [60_000, 60_000]];
  const kept = sizes.map(([meta, root]) => {
    const bytes = encodeRefRow(
      ID,
      new Uint8Array(meta!),
      new Uint8Array(root!),
    );
    assert.ok(
      bytes.length < 16_384 + 100,
      `${meta} + ${root} make ${bytes.length}`,
    );
    const row = decodeRefRow(bytes);
    return [row.meta?.length, row.root?.length];
  });
  assert.deepEqual(kept, [
    [100, 16_284],
    [100, undefined],
    [16_384, 0],
    [16_384, undefined],
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

Deno.test("decodeRefRow() refuses rows that are cut or grown", () => {
  const bytes = encodeRefRow(ID, Uint8Array.of(1), Uint8Array.of(2));
  assert.equal(decodeRefRow(bytes).commit, ID);
  const broken = Array.from(bytes, (_, size) => bytes.slice(0, size));
  for (
    const row of [
      ...broken,
      Uint8Array.from([...bytes, 0]),
      Uint8Array.of(0x82, 0x40, 0xf6),
    ]
  ) {
    assert.throws(
      () => decodeRefRow(row),
      (error) => isMnemError(error, "corrupt_store"),
    );
  }
});
