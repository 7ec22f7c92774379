import assert from "node:assert/strict";
import { shownFault } from "./protocol_fault.ts";

const issues = [
  { code: "invalid_type", path: ["params", "uri"], message: "expected string" },
  { code: "custom", path: [], message: "no" },
];

Deno.test("shownFault() calls params that do not fit so, in one line", () => {
  const shown = {
    code: -32602,
    message: "Invalid request: params.uri: expected string; no",
  };
  const text = JSON.stringify(issues, null, 2);
  assert.deepEqual(shownFault({ code: -32603, message: text }), shown);
  assert.deepEqual(
    shownFault({
      code: -32602,
      message: `Invalid tools/call request: ${text}`,
      data: { a: 1 },
    }),
    { ...shown, data: { a: 1 } },
  );
});

Deno.test("shownFault() calls a URI that is too long the request's fault", () => {
  const message =
    "URI exceeds maximum length of 1000000 characters (got 1048590)";
  assert.deepEqual(shownFault({ code: -32603, message }), {
    code: -32602,
    message,
  });
});

Deno.test("shownFault() leaves other errors as they are", () => {
  for (
    const message of [
      "Internal error",
      "[]",
      "[{]",
      '[{"a":1}]',
      "Invalid x request: []",
      '[{"path":"a","message":"b"}]',
    ]
  ) {
    const fault = { code: -32603, message };
    assert.equal(shownFault(fault), fault);
  }
});

Deno.test("shownFault() cuts a message that quotes a whole frame, between characters", () => {
  const { code, message } = shownFault({
    code: -32601,
    message: `Tool ${"x".repeat(994)}\u{1f600} not found`,
  });
  assert.equal(code, -32601);
  assert.equal(message, `Tool ${"x".repeat(994)}\ufffd...`);
});
