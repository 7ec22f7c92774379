import assert from "node:assert/strict";
import { halfBits, isSingle, readShortest } from "./float_bits.ts";

function view(size: number, bits: bigint): DataView {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, bits << BigInt(64 - 8 * size));
  return new DataView(bytes.buffer, 0, size);
}

Deno.test("halfBits() and readShortest() invert each other over all 65,536 halves", () => {
  let finite = 0;
  for (let bits = 0; bits < 0x10000; bits++) {
    const half = view(2, BigInt(bits));
    const expected = half.getFloat16(0);
    const value = readShortest(half);
    if (!Number.isFinite(expected)) {
      assert.equal(value, undefined, `${bits}`);
      continue;
    }
    finite++;
    assert.ok(Object.is(value, expected), `${bits}: ${value}, ${expected}`);
    assert.equal(halfBits(expected), bits);
  }
  assert.equal(finite, 0x10000 - 2 * 1024);
});

Deno.test("halfBits() knows no half for the neighbours of halves", () => {
  const halves = [2 ** -24, 2 ** -14, 1, 1.5, 2047 / 2, 65504, 3 * 2 ** -24];
  for (const value of halves) {
    assert.notEqual(halfBits(value), undefined, `${value}`);
    for (const step of [2 ** -40, -(2 ** -40), 2 ** -23, 2 ** -13]) {
      const near = value * (1 + step);
      assert.equal(halfBits(near), undefined, `${near}`);
      assert.equal(halfBits(-near), undefined, `${-near}`);
    }
  }
  for (
    const value of [
      65505,
      65520,
      65536,
      1e300,
      2 ** -25,
      2 ** -149,
      5e-324,
      2049,
    ]
  ) {
    assert.equal(halfBits(value), undefined, `${value}`);
  }
});

Deno.test("readShortest() refuses singles and doubles that fewer bytes would hold", () => {
  const scratch = new DataView(new ArrayBuffer(8));
  for (const value of [0, -0, 1, -1.5, 65504, 2 ** -24]) {
    scratch.setFloat32(0, value);
    assert.equal(
      readShortest(view(4, BigInt(scratch.getUint32(0)))),
      undefined,
    );
    scratch.setFloat64(0, value);
    assert.equal(readShortest(view(8, scratch.getBigUint64(0))), undefined);
  }
  for (const value of [100000, 2 ** -25, 2 ** 100, Math.fround(0.1)]) {
    assert.ok(isSingle(value));
    scratch.setFloat32(0, value);
    assert.equal(readShortest(view(4, BigInt(scratch.getUint32(0)))), value);
    scratch.setFloat64(0, value);
    assert.equal(readShortest(view(8, scratch.getBigUint64(0))), undefined);
  }
  for (const value of [0.1, 1e300, 16777217, 5e-324]) {
    assert.ok(!isSingle(value));
    scratch.setFloat64(0, value);
    assert.equal(readShortest(view(8, scratch.getBigUint64(0))), value);
  }
});

Deno.test("readShortest() refuses NaN and infinities of every size", () => {
  const faults = [
    view(2, 0x7c00n),
    view(2, 0xfc00n),
    view(2, 0x7e00n),
    view(4, 0x7f800000n),
    view(4, 0xff800000n),
    view(4, 0x7fc00001n),
    view(8, 0x7ff0000000000000n),
    view(8, 0xfff0000000000000n),
    view(8, 0x7ff8000000000001n),
  ];
  for (const fault of faults) assert.equal(readShortest(fault), undefined);
});
