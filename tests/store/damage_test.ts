/**
 * A store on a disk that lies: any bit of any row may flip, and no answer changes in silence. Here a
 * share of the flips; `tests/deep/bit_flips_deep.ts` has the rest.
 *
 * @module
 */

import assert from "node:assert/strict";
import { runFlips } from "../support/flip_run.ts";
import { ROW_KINDS } from "../support/every_row.ts";

const SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 61);

Deno.test("no flipped bit of any row changes an answer in silence, and verify() finds it", async () => {
  const flips = 5 * ROW_KINDS.length;
  const counts = await runFlips({ seed: SEED, flips });
  assert.equal(counts.flips, flips);
  assert.equal(counts.kinds, ROW_KINDS.length);
  assert.equal(counts.found + counts.notPartOfAnyAnswer, flips);
  assert.equal(counts.wrongAnswers, 0);
  assert.ok(counts.refusals > flips, "most flips are in the way of answers");
});
