/**
 * Bits flipped in rows of every kind: verify finds each, and no read gives a wrong answer in silence.
 *
 * @module
 */

import assert from "node:assert/strict";
import { ROW_KINDS } from "../support/every_row.ts";
import { runFlips } from "../support/flip_run.ts";
import { reportFigures } from "../support/report_figures.ts";

/** How long it takes on two busy cores. */
export const SECONDS = 26;

const FLIPS = 400;

Deno.test(`${FLIPS} flipped bits in rows of every kind change no answer in silence`, async () => {
  const seed = Number(Deno.env.get("MNEM_TEST_SEED") ?? 2_026);
  const counts = await runFlips({ seed, flips: FLIPS });
  assert.equal(counts.flips, FLIPS);
  assert.equal(counts.kinds, ROW_KINDS.length);
  assert.equal(counts.wrongAnswers, 0);
  reportFigures("bit-flips", { ...counts });
});
