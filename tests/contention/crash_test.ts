/**
 * Processes that are killed while they write, merge, make branches and stores, and import.
 *
 * @module
 */

import assert from "node:assert/strict";
import { runCrashes } from "../support/crash_run.ts";

const SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 1);

Deno.test("kill -9, once while each thing is done: what was acknowledged is there", async () => {
  const counts = await runCrashes({ seed: SEED, rounds: 5 });
  assert.deepEqual(counts.map(({ kills }) => kills), [2, 1, 1, 1, 1]);
  assert.ok(counts.every(({ acknowledged }) => acknowledged > 0));
});
