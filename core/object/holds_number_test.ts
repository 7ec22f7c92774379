import assert from "node:assert/strict";
import { encodeContent } from "./content.ts";
import { holdsNumber } from "./holds_number.ts";

Deno.test("holdsNumber() finds every form of number, however deep", () => {
  const numbers = [
    0,
    23,
    24,
    -1,
    1e9,
    2 ** 53,
    -(2 ** 40),
    -0,
    1.5,
    1e-7,
    0.1,
    1e300,
    2n ** 64n - 1n,
    -(2n ** 63n),
  ];
  for (const number of numbers) {
    const places = [
      number,
      [number],
      { a: number },
      ["x".repeat(300), { b: [null, { c: [true, number] }] }],
      [...Array.from({ length: 70_000 }, () => false), number],
    ];
    for (const [place, content] of places.entries()) {
      assert.ok(holdsNumber(encodeContent(content, "a")), `${number} ${place}`);
    }
  }
});

Deno.test("holdsNumber() takes no text, length or constant for a number", () => {
  const contents = [
    null,
    true,
    false,
    "",
    "1",
    "\u0019\u00f9",
    "x".repeat(23),
    "x".repeat(24),
    "x".repeat(256),
    "x".repeat(65_536),
    [],
    {},
    Array.from({ length: 24 }, () => null),
    Array.from({ length: 300 }, () => "1"),
    { 1: "2", "\u0001": [{ x: {} }, [[]]] },
    Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, "v"])),
  ];
  for (const [place, content] of contents.entries()) {
    assert.equal(holdsNumber(encodeContent(content, "a")), false, `${place}`);
  }
});
