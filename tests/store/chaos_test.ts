/**
 * What must be true of any merge, over random ones; more of them in the deep tests.
 *
 * @module
 */

import assert from "node:assert/strict";
import { chaosTrial, crissCrossTrial } from "../support/chaos.ts";
import { trials } from "../support/trials.ts";

Deno.test("random merges lose nothing, invent nothing, and converge", async () => {
  for (let seed = 1; seed <= trials(200); seed++) {
    try {
      await chaosTrial(seed);
    } catch (cause) {
      throw new Error(`seed ${seed}`, { cause });
    }
  }
});

Deno.test("swapping the sides changes nothing, over random criss-cross histories", async () => {
  let conflicts = 0;
  for (let seed = 1; seed <= trials(60); seed++) {
    try {
      conflicts += await crissCrossTrial(seed);
    } catch (cause) {
      throw new Error(`seed ${seed}`, { cause });
    }
  }
  assert.ok(
    conflicts > trials(20) && conflicts < trials(340),
    `${conflicts} of ${trials(360)}`,
  );
});
