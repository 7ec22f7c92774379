/**
 * Random histories, played here and on the reference: every id and every answer is the same. The seed
 * is drawn anew for each run; `MNEM_SEED` repeats one.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Json } from "@mnem/core";
import { expectedOf } from "../support/trace_run.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { tempStore } from "../support/temp_store.ts";
import { Chance } from "../support/tree_cases.ts";
import { firstSeed } from "./first_seed.ts";
import { referencePython } from "./programs.ts";
import { playOnReference } from "./play_on_reference.ts";
import { playRandomTrace } from "./random_trace.ts";

/** How long it takes on two busy cores, with the reference to be had first. */
export const SECONDS = 50;

const SCRIPTS = 20;
const STEPS = 200;

const python = await referencePython();
if (python.path === undefined) console.log(`skipped: ${python.missing}`);

Deno.test({
  name:
    `${SCRIPTS} random histories of ${STEPS} calls are answered as the reference does`,
  ignore: python.path === undefined,
}, async () => {
  const first = firstSeed();
  const counts = new Map<string, number>();
  for (let seed = first; seed < first + SCRIPTS; seed++) {
    await using temp = await tempStore();
    const played = await playRandomTrace(temp.store, {
      chance: new Chance(seed),
      steps: STEPS,
    });
    await using folder = await tempFolder();
    const results = await playOnReference(played, {
      python: python.path ?? "",
      folder: folder.path,
    });
    for (const [index, { op, args, answer }] of played.entries()) {
      counts.set(op, (counts.get(op) ?? 0) + 1);
      assert.deepEqual(
        answer,
        referenceAnswer(op, results[index] ?? null),
        `MNEM_SEED=${seed}, call ${index}: ${op} ${JSON.stringify(args)}`,
      );
    }
    assert.equal(results.length, played.length);
  }
  const all = [...counts].map(([op, count]) => `${op} ${count}`).join(", ");
  console.log(
    `against the reference: ${SCRIPTS} scripts from MNEM_SEED=${first}, ${
      SCRIPTS * STEPS
    } operations, 0 differences (${all})`,
  );
});

function referenceAnswer(op: string, result: Json): Json {
  return Object(result).error === undefined
    ? expectedOf({ op, result })
    : result;
}
