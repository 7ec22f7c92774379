import assert from "node:assert/strict";
import { MnemError } from "@mnem/core";
import { guard } from "./tool_result.ts";

const unexpected = (error: unknown): void => {
  throw error;
};

Deno.test("guard() gives the same JSON as structure and as text", async () => {
  const value = JSON.parse('{"result":{"__proto__":1},"as_of":"none"}');
  const result = await guard(() => Promise.resolve(value), unexpected);
  assert.deepEqual(result, {
    content: [{ type: "text", text: JSON.stringify(value) }],
    structuredContent: value,
  });
});

Deno.test("guard() turns integers beyond 2^53 into decimal strings in both forms", async () => {
  const value = { result: [18446744073709551615n, 1, 1e300] };
  const result = await guard(() => Promise.resolve(value), unexpected);
  const shown = { result: ["18446744073709551615", 1, 1e300] };
  assert.deepEqual(result.structuredContent, shown);
  assert.deepEqual(result.content, [
    { type: "text", text: JSON.stringify(shown) },
  ]);
});

Deno.test("guard() makes an error result with the code in text and _meta, and no structure", async () => {
  const data = { head: "ab", conflicts: [{ id: "a", base: null, head: 2n }] };
  const result = await guard(
    () => Promise.reject(new MnemError("conflict", "lost", { data })),
    unexpected,
  );
  assert.deepEqual(result, {
    isError: true,
    content: [{ type: "text", text: "conflict: lost" }],
    _meta: {
      "dev.mnem/error": {
        code: "conflict",
        message: "lost",
        data: { head: "ab", conflicts: [{ id: "a", base: null, head: "2" }] },
      },
    },
  });
});

Deno.test("guard() catches what is thrown before a promise is made", async () => {
  const result = await guard(() => {
    throw new TypeError("Cannot recall: id is 5");
  }, unexpected);
  assert.equal(result.isError, true);
  assert.deepEqual(result._meta, {
    "dev.mnem/error": {
      code: "invalid_argument",
      message: "Cannot recall: id is 5",
    },
  });
});

Deno.test("guard() reports an unforeseen error and hides it from the client", async () => {
  const reported: unknown[] = [];
  const error = new Error("/home/someone/mem");
  const result = await guard(
    () => Promise.reject(error),
    (caught) => reported.push(caught),
  );
  assert.deepEqual(reported, [error]);
  assert.equal(result.isError, true);
  assert.doesNotMatch(JSON.stringify(result), /someone/);
  assert.match(JSON.stringify(result), /internal/);
});
