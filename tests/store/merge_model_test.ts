/**
 * Dense random histories of few nodes and few values, with merges of everything into everything:
 * every answer is the naive model's, the ids included.
 *
 * @module
 */

import assert from "node:assert/strict";
import { playMerges } from "../support/merge_run.ts";
import { trials } from "../support/trials.ts";

const FIRST_SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 1);

Deno.test("random histories with merges: every answer is the model's", async () => {
  const seen = new Map<string, number>();
  for (let seed = FIRST_SEED; seed < FIRST_SEED + trials(60); seed++) {
    try {
      for (const what of await playMerges(seed, 40)) {
        seen.set(what, (seen.get(what) ?? 0) + 1);
      }
    } catch (error) {
      throw new Error(`seed ${seed}: MNEM_TEST_SEED=${seed} plays it first`, {
        cause: error,
      });
    }
  }
  // Otherwise the histories would prove nothing of these.
  for (
    const what of [
      "merged",
      "conflicts",
      "fast-forwarded",
      "up-to-date",
      "not_found",
      "unrelated",
      "reconciled",
      "several bases",
      "dry run",
      "resolved by base",
      "resolved by delete",
      "resolved by a node",
      "reverted",
      "reverted a merge",
    ]
  ) assert.ok((seen.get(what) ?? 0) >= trials(3), `${what}: ${seen.get(what)}`);
});
