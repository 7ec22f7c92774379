import assert from "node:assert/strict";
import { checkText, typeName } from "./check_text.ts";

const RULE = { what: "label", bytesMax: 6 };

Deno.test("checkText() returns text up to its limit in UTF-8 bytes", () => {
  for (const text of ["", "abcdef", "ééé", "～～", "😀ab", "\0"]) {
    assert.equal(checkText(text, RULE), text);
  }
});

Deno.test("checkText() states limit and size of text that is too long", () => {
  for (
    const [text, size] of [["abcdefg", 7], ["éééa", 7], ["～～a", 7], [
      "😀😀",
      8,
    ]] as const
  ) {
    assert.throws(() => checkText(text, RULE), {
      name: "RangeError",
      message: `Cannot use label: ${size} bytes, the limit is 6`,
    });
  }
});

Deno.test("checkText() refuses other types and lone surrogates", () => {
  for (const value of [undefined, null, 1, {}, ["a"], Object("a")]) {
    assert.throws(() => checkText(value, RULE), {
      name: "TypeError",
      message: /label: .*must be a string/,
    });
  }
  for (const text of ["\ud800", "a\udc00", "\ude00\ud83d"]) {
    assert.throws(() => checkText(text, RULE), {
      name: "TypeError",
      message: /lone surrogate/,
    });
  }
});

Deno.test("typeName() tells null from objects", () => {
  assert.deepEqual([null, {}, "a", undefined].map(typeName), [
    "null",
    "object",
    "string",
    "undefined",
  ]);
});
