/**
 * Random damage to stores with rows of every kind: verify finds it, whichever row it hits.
 *
 * @module
 */

import assert from "node:assert/strict";
import { verifyBesideWriters } from "../support/beside_writers.ts";
import { isNoDamage, runDamage } from "../support/damage_run.ts";
import { richStore } from "../support/rich_store.ts";

/** How long it takes on two busy cores. */
export const SECONDS = 20;

const STORES = [
  { name: "of long ids", options: {}, trials: 250 },
  { name: "of many nodes", options: { long: false, wide: 1_100 }, trials: 60 },
  {
    name: "of flat states",
    options: { long: false, wide: 1_100, stateForm: "flat" },
    trials: 60,
  },
] as const;

for (const { name, options, trials } of STORES) {
  Deno.test(`verify() finds ${trials} random damages to a store ${name}`, async () => {
    const { kv } = await richStore(options);
    const seed = Number(Deno.env.get("MNEM_TEST_SEED") ?? 71);
    const found = await runDamage(kv, { seed, trials, isNone: isNoDamage });
    const all = [...found.values()].reduce((sum, count) => sum + count, 0);
    assert.ok(all > trials / 2, `${all} of ${trials}`);
  });
}

Deno.test("verify() beside writers gives no false alarm, five times over", async () => {
  const { kv } = await richStore();
  await verifyBesideWriters(kv, { rounds: 5 });
});
