/**
 * What must be true of any merge, over random ones; more of them in the deep tests.
 *
 * @module
 */

import assert from "node:assert/strict";
import { chaosTrial, crissCrossTrial } from "../support/chaos.ts";

Deno.test("random merges lose nothing, invent nothing, and converge", async () => {
  for (let seed = 1; seed <= 200; seed++) {
    try {
      await chaosTrial(seed);
    } catch (cause) {
      throw new Error(`seed ${seed}`, { cause });
    }
  }
});

Deno.test("swapping the sides changes nothing, over random criss-cross histories", async () => {
  let conflicts = 0;
  for (let seed = 1; seed <= 60; seed++) {
    try {
      conflicts += await crissCrossTrial(seed);
    } catch (cause) {
      throw new Error(`seed ${seed}`, { cause });
    }
  }
  assert.ok(conflicts > 20 && conflicts < 340, `${conflicts} of 360`);
});
