import assert from "node:assert/strict";
import { quote } from "./quote.ts";

Deno.test("quote() writes text as JSON does, cut after 100 units", () => {
  assert.equal(quote('a"b\n'), '"a\\"b\\n"');
  assert.equal(quote("x".repeat(100)), `"${"x".repeat(100)}"`);
  assert.equal(quote("x".repeat(101)), `"${"x".repeat(100)}…"`);
});
