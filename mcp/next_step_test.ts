import assert from "node:assert/strict";
import { isMnemError, MnemError, type MnemErrorCode } from "@mnem/core";
import { type NextSteps, withNextStep } from "./next_step.ts";

function messageOf(error: unknown, steps: NextSteps = {}): string {
  const shown = withNextStep(error, steps);
  assert.ok(isMnemError(shown));
  return shown.message;
}

Deno.test("withNextStep() says what helps, and keeps all else of the error", () => {
  const data = { head: "ab", conflicts: [] };
  const error = new MnemError("conflict", "lost", { data });
  const shown = withNextStep(error, { conflict: "recall it" });
  assert.ok(isMnemError(shown, "conflict"));
  assert.equal(shown.message, "lost; recall it");
  assert.deepEqual(shown.data, data);
  assert.equal(shown.outcome, "none");
  assert.equal(shown.cause, error);
});

Deno.test("withNextStep() leaves alone what it knows no help for", () => {
  const errors = [
    new MnemError("conflict", "lost"),
    new TypeError("Cannot recall: id is 5"),
    new Error("a defect"),
    "text",
  ];
  for (const error of errors) {
    assert.equal(withNextStep(error, { busy: "wait" }), error);
  }
});

Deno.test("withNextStep() has a word for what may befall any tool", () => {
  const said: readonly (readonly [MnemErrorCode, RegExp])[] = [
    ["busy", /^told; try again$/],
    ["refused", /^told; nothing was written/],
    ["store_io", /^told; if it stays so, tell the user$/],
    ["corrupt_store", /^told; no call can mend it, tell the user$/],
    ["format_version", /^told; no call can mend it, tell the user$/],
    ["no_store", /^told; no call can mend it, tell the user$/],
  ];
  for (const [code, expected] of said) {
    assert.match(messageOf(new MnemError(code, "told")), expected);
  }
});

Deno.test("withNextStep() says nothing twice", () => {
  const busy = new MnemError("busy", "Cannot write: others were; try again");
  assert.equal(withNextStep(busy, {}), busy);
});

Deno.test("withNextStep() warns of a write that nobody answered, whatever the tool would say", () => {
  for (const code of ["busy", "store_io"] as const) {
    const error = new MnemError(code, "no answer", { outcome: "unknown" });
    const shown = withNextStep(error, { busy: "wait", store_io: "wait" });
    assert.ok(isMnemError(shown, code));
    assert.match(shown.message, /^no answer; it may have been written/);
    assert.equal(shown.outcome, "unknown");
  }
});

Deno.test("withNextStep() says of a call with a key that it may be made again", () => {
  const error = new MnemError("busy", "no answer", { outcome: "unknown" });
  const shown = withNextStep(error, {}, true);
  assert.ok(isMnemError(shown, "busy"));
  assert.equal(
    shown.message,
    "no answer; try again with the same key, it is written once",
  );
  assert.equal(shown.outcome, "unknown");
  assert.match(messageOf(error), /recall before you try again$/);
});

Deno.test("withNextStep() adds nothing to a conflict of keys, which says it all", () => {
  const data = { key: "k", commit: null };
  const error = new MnemError("conflict", "used", { data });
  assert.equal(withNextStep(error, { conflict: "recall it" }), error);
});
