import assert from "node:assert/strict";
import { type Json, MnemError } from "@mnem/core";
import { jsonBytes } from "./json_text.ts";
import { wireError } from "./wire_error.ts";

Deno.test("wireError() shows the code, message and data of a store's error", () => {
  assert.deepEqual(wireError(new MnemError("not_found", "no node")), {
    code: "not_found",
    message: "no node",
  });
  const data = { head: "ab", conflicts: [] };
  assert.deepEqual(wireError(new MnemError("conflict", "lost", { data })), {
    code: "conflict",
    message: "lost",
    data,
  });
});

Deno.test("wireError() says when something may have been written", () => {
  const error = new MnemError("busy", "no answer", { outcome: "unknown" });
  assert.deepEqual(wireError(error), {
    code: "busy",
    message: "no answer",
    data: { outcome: "unknown" },
  });
});

Deno.test("wireError() calls a bad argument so", () => {
  for (const Bad of [TypeError, RangeError, SyntaxError]) {
    assert.deepEqual(wireError(new Bad("limit is 0")), {
      code: "invalid_argument",
      message: "limit is 0",
    });
  }
});

Deno.test("wireError() shows nothing of an error that nobody foresaw", () => {
  for (const error of [new Error("/home/someone/secret"), "secret", null]) {
    const shown = wireError(error);
    assert.equal(shown.code, "internal");
    assert.doesNotMatch(JSON.stringify(shown), /secret/);
  }
});

function lostBase(count: number, bytes: number): MnemError {
  const conflicts: Json[] = Array.from({ length: count }, (_, index) => ({
    id: `node-${index}`,
    base: null,
    head: "x".repeat(bytes),
  }));
  return new MnemError("conflict", "lost", { data: { head: "ab", conflicts } });
}

Deno.test("wireError() bounds the conflicts of a lost base and counts those left out", () => {
  const { data } = wireError(lostBase(100, 1_000));
  assert.ok(data !== undefined && Array.isArray(data["conflicts"]));
  assert.ok(jsonBytes(data) <= 60_000 + 100);
  assert.ok(data["conflicts"].length > 50);
  assert.equal(data["conflicts_omitted"], 100 - data["conflicts"].length);
});

Deno.test("wireError() keeps one conflict, however large", () => {
  const { data } = wireError(lostBase(2, 100_000));
  assert.ok(data !== undefined && Array.isArray(data["conflicts"]));
  assert.equal(data["conflicts"].length, 1);
  assert.equal(data["conflicts_omitted"], 1);
});
