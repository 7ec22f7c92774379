/**
 * The closing line tells what really ran.
 *
 * @module
 */

import assert from "node:assert/strict";
import { countTests, formatCounts } from "./test_counts.ts";

Deno.test("countTests() adds up every run of a log", () => {
  const log = `
running 2 tests from ./a_test.ts
first ... ok (1ms)
second needs Python ... ignored (0ms)
ok | 1 passed (3 steps) | 0 failed | 1 ignored (9ms)
\x1b[0m\x1b[31mFAILED\x1b[0m | 3 passed | 2 failed (1 step) \x1b[38;5;245m(725ms)\x1b[0m
ok | 40 passed | 0 failed (1s)
`;
  assert.deepEqual(countTests(log), {
    passed: 44,
    failed: 2,
    skipped: ["second needs Python"],
  });
});

Deno.test("countTests() counts no steps and no lines that only look like a closing one", () => {
  const log = `
  a step ... ignored (0ms)
the child said: ok | 5 passed | 0 failed (1s)
ok | 0 passed | 0 failed | 2 ignored (1ms)
`;
  assert.deepEqual(countTests(log), {
    passed: 0,
    failed: 0,
    skipped: ["(without a name)", "(without a name)"],
  });
});

Deno.test("formatCounts() ends with the counts and names what was skipped", () => {
  const text = formatCounts({ passed: 7, failed: 0, skipped: ["a", "b"] });
  assert.equal(text, "skipped: a\nskipped: b\n7 passed, 0 failed, 2 skipped");
});
