import assert from "node:assert/strict";
import { MnemError } from "@mnem/core";
import { protocolError, resourceError } from "./protocol_error.ts";

const SECRET = "/home/ada/mem/.mnem/kv.db: plan is pro";
const failing = () => assert.fail("it was foreseen");

Deno.test("protocolError() has the number of whose fault it is, and the code of the store", () => {
  for (
    const [error, number, code] of [
      [new MnemError("not_found", "No node"), -32602, "not_found"],
      [new MnemError("invalid_ref", "No branch"), -32602, "invalid_ref"],
      [new TypeError("No text"), -32602, "invalid_argument"],
      [new MnemError("busy", "Locked"), -32603, "busy"],
      [new MnemError("corrupt_store", "Torn"), -32603, "corrupt_store"],
    ] as const
  ) {
    const shown = protocolError(error, failing);
    assert.equal(shown.code, number);
    assert.equal(shown.message, `${code}: ${error.message}`);
    assert.deepEqual(shown.data, { code });
  }
});

Deno.test("protocolError() reports what nobody foresaw, and shows nothing of it", () => {
  const error = new Error(SECRET);
  const reported: unknown[] = [];
  const { code, message, data } = protocolError(
    error,
    (one) => reported.push(one),
  );
  assert.equal(code, -32603);
  assert.equal(message, "internal: The server failed; its log says why");
  assert.deepEqual(data, { code: "internal" });
  assert.deepEqual(reported, [error]);
});

Deno.test("resourceError() says that a resource is not found, and why", () => {
  const uri = "mnem://status";
  const gone = new MnemError("invalid_ref", 'Branch "try" does not exist');
  const { code, message, data } = resourceError(uri, gone, failing);
  assert.equal(code, -32602);
  assert.equal(
    message,
    'Resource not found: mnem://status: Branch "try" does not exist',
  );
  assert.deepEqual(data, { uri, code: "invalid_ref" });
});

Deno.test("resourceError() does not say so of a resource that the store failed to give", () => {
  const uri = "mnem://memory";
  const busy = new MnemError("busy", "Locked");
  const { code, message, data } = resourceError(uri, busy, failing);
  assert.equal(code, -32603);
  assert.equal(message, "busy: Locked");
  assert.deepEqual(data, { uri, code: "busy" });
});
