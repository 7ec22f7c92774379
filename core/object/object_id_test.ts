import assert from "node:assert/strict";
import { isObjectId, objectIdOf, parseObjectId } from "./object_id.ts";

const ID = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";

Deno.test("parseObjectId() reads 64 hex digits of either case", () => {
  assert.equal(parseObjectId(ID), ID);
  assert.equal(parseObjectId(ID.toUpperCase()), ID);
  assert.ok(isObjectId(ID) && isObjectId(ID.toUpperCase()));
});

Deno.test("parseObjectId() refuses any other text", () => {
  for (
    const text of [
      "",
      ID.slice(1),
      ID + "0",
      " " + ID.slice(1),
      ID + "\n",
      "g" + ID.slice(1),
      "HEAD",
    ]
  ) {
    assert.throws(() => parseObjectId(text), SyntaxError, text);
    assert.ok(!isObjectId(text), text);
  }
});

Deno.test("objectIdOf() is the hash of the bytes in hex", () => {
  assert.equal(objectIdOf(new Uint8Array(0)), ID);
});
