/**
 * A history given as its changes: out of a store, and back into the bundle of the same store.
 *
 * @module
 */

import assert from "node:assert/strict";
import { exportHistory, historyBundle, initStore } from "@mnem/core";
import { playBundleHistory } from "../support/bundle_history.ts";
import { exported } from "../support/bundles.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { Chance } from "../support/tree_cases.ts";

const SEED = 20_261_201;

Deno.test("historyBundle() makes of exportHistory() the bundle of the store", async (t) => {
  const rows = [
    { ids: 40, edits: 6, steps: 60, stateForm: "tree" },
    { ids: 1_500, edits: 300, steps: 12, stateForm: "tree" },
    { ids: 1_500, edits: 300, steps: 12, stateForm: "flat" },
  ] as const;
  for (const [i, { stateForm, ...shape }] of rows.entries()) {
    await t.step(`seed ${SEED + i}`, async () => {
      await using folder = await tempFolder();
      await using store = await initStore(folder.path, { stateForm });
      await playBundleHistory(store, {
        chance: new Chance(SEED + i),
        ...shape,
      });
      const bundle = historyBundle(await exportHistory(store));
      const text = await new Response(bundle).text();
      const whole = await exported(store);
      assert.ok(text === whole, "another bundle");
    });
  }
});
