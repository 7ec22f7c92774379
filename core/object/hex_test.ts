import assert from "node:assert/strict";
import { fromHex, hexByte, isHex, toHex } from "./hex.ts";

const ALL = Uint8Array.from({ length: 256 }, (_, i) => i);
const ALL_HEX = Array.from(ALL, (byte) => byte.toString(16).padStart(2, "0"))
  .join("");

Deno.test("toHex() writes every byte as two lowercase digits", () => {
  assert.equal(toHex(ALL), ALL_HEX);
  assert.equal(toHex(new Uint8Array(0)), "");
  const old = Object.defineProperty(ALL.slice(), "toHex", { value: undefined });
  assert.equal(toHex(old), ALL_HEX);
});

Deno.test("fromHex() reads every byte in either case", () => {
  assert.deepEqual(fromHex(ALL_HEX), ALL);
  assert.deepEqual(fromHex(ALL_HEX.toUpperCase()), ALL);
  assert.deepEqual(fromHex(""), new Uint8Array(0));
});

Deno.test("fromHex() refuses an odd length and any other character", () => {
  assert.throws(() => fromHex("abc"), SyntaxError);
  for (const other of ["g", "G", "/", ":", "@", "`", " ", "\0", "é", "１"]) {
    assert.throws(() => fromHex(`0${other}`), SyntaxError, other);
    assert.throws(() => fromHex(`${other}0`), SyntaxError, other);
    assert.equal(isHex(`0${other}`), false, other);
  }
});

Deno.test("hexByte() says where the wrong character stands", () => {
  assert.equal(hexByte("00ff", 2), 255);
  assert.throws(() => hexByte("000x", 2), /position 3/);
  assert.throws(() => hexByte("00x0", 2), /position 2/);
});

Deno.test("isHex() wants whole bytes", () => {
  for (const text of ["", "00", ALL_HEX, "aB"]) assert.ok(isHex(text), text);
  for (const text of ["0", "abc", "0x00", "00\n"]) {
    assert.ok(!isHex(text), text);
  }
});
