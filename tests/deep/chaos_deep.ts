/**
 * What must be true of any merge, over thousands of random ones.
 *
 * @module
 */

import { chaosTrial, crissCrossTrial } from "../support/chaos.ts";
import { playMerges } from "../support/merge_run.ts";

/** How long it takes on two busy cores. */
export const SECONDS = 50;

const SUITES = [
  { name: "random merges", run: chaosTrial, trials: 5_000 },
  { name: "criss-cross histories", run: crissCrossTrial, trials: 500 },
  {
    name: "histories beside the model",
    run: (seed: number) => playMerges(seed, 40),
    trials: 500,
  },
];

for (const { name, run, trials } of SUITES) {
  Deno.test(`${trials} ${name}`, async () => {
    for (let seed = 10_000; seed < 10_000 + trials; seed++) {
      try {
        await run(seed);
      } catch (cause) {
        throw new Error(`seed ${seed}`, { cause });
      }
    }
  });
}
