import assert from "node:assert/strict";
import { runWithFaults } from "../support/fault_run.ts";
import { reportFigures } from "../support/report_figures.ts";

const FIRST_SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 1);

Deno.test("writers at the same time, each storage call may fail: nothing twice, nothing lost", async () => {
  const sum = { committed: 0, unchanged: 0, none: 0, unknown: 0 };
  for (let seed = FIRST_SEED; seed < FIRST_SEED + 10; seed++) {
    try {
      const counts = await runWithFaults({
        seed,
        writers: 3,
        calls: 20,
        percent: 12,
      });
      for (
        const end of ["committed", "unchanged", "none", "unknown"] as const
      ) {
        sum[end] += counts[end];
      }
    } catch (cause) {
      throw new Error(`seed ${seed}: MNEM_TEST_SEED=${seed} plays it first`, {
        cause,
      });
    }
  }
  // All of it happened.
  assert.ok(
    Object.values(sum).every((count) => count > 0),
    JSON.stringify(sum),
  );
  reportFigures("random-faults", { ...sum, twice: 0, lost: 0 });
});
