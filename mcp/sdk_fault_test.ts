import assert from "node:assert/strict";
import { ProtocolError } from "@modelcontextprotocol/server";
import { readableFault, shownFault } from "./sdk_fault.ts";

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

const SECRET = "/home/ada/mem/.mnem/kv.db: plan is pro";

Deno.test("readableFault() calls params that do not fit what they are", () => {
  const complaints = JSON.stringify(
    [{ path: ["params", "uri"], message: "expected string" }, {
      path: [],
      message: "too much",
    }],
    null,
    2,
  );
  for (
    const error of [
      new Error(complaints),
      new ProtocolError(-32602, `Invalid tools/call request: ${complaints}`),
    ]
  ) {
    const { code, message } = Object(readableFault(error));
    assert.equal(code, -32602);
    assert.equal(
      message,
      "Invalid request: params.uri: expected string; too much",
    );
  }
});

Deno.test("readableFault() leaves protocol errors as they are", () => {
  const error = new ProtocolError(-32602, "Tool [1] not found", { a: 1 });
  assert.equal(readableFault(error), error);
});

Deno.test("readableFault() shows nothing of what nobody foresaw", () => {
  for (
    const thrown of [
      new Error(SECRET),
      new TypeError(`[\n${SECRET}`),
      SECRET,
      null,
    ]
  ) {
    const { code, message, data } = Object(
      readableFault(thrown),
    );
    assert.equal(code, -32603);
    assert.equal(message, "internal: The server failed; its log says why");
    assert.deepEqual(data, { code: "internal" });
  }
});
