import assert from "node:assert/strict";
import { checkNodeId } from "./node_id.ts";

Deno.test("checkNodeId() accepts any text of 1 to 1,024 bytes without NUL", () => {
  const ids = [
    "a",
    " ",
    "\n",
    "a/b:c=d",
    "é",
    "😀",
    "__proto__",
    "constructor",
    "x".repeat(1024),
    "é".repeat(512),
    "～".repeat(341),
  ];
  for (const id of ids) assert.equal(checkNodeId(id), id);
});

Deno.test("checkNodeId() states limit and size of an id that is empty or too long", () => {
  assert.throws(() => checkNodeId(""), {
    name: "RangeError",
    message: /0 bytes, must have 1 to 1024/,
  });
  for (
    const [id, size] of [["x".repeat(1025), 1025], ["é".repeat(513), 1026], [
      "～".repeat(342),
      1026,
    ]] as const
  ) {
    assert.throws(() => checkNodeId(id), {
      name: "RangeError",
      message: new RegExp(`: ${size} bytes, the limit is 1024$`),
    });
  }
});

Deno.test("checkNodeId() refuses other types, NUL and lone surrogates", () => {
  for (
    const id of [
      undefined,
      null,
      1,
      Symbol("s"),
      {},
      ["a"],
      "a\0",
      "\0",
      "\ud800",
      "a\udfff",
    ]
  ) {
    assert.throws(() => checkNodeId(id), TypeError, typeof id);
  }
});
