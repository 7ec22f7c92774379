import assert from "node:assert/strict";
import { ProtocolError } from "@modelcontextprotocol/server";
import { readableFault } from "./careful_server.ts";

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
