/**
 * Random histories exported and imported again: the same ids, the same bytes, and everything that a
 * store keeps beside them is what it would have kept itself.
 *
 * @module
 */

import assert from "node:assert/strict";
import { importBundle } from "@mnem/core";
import { parseLocation } from "../../core/storage/location.ts";
import { openDriver } from "../../core/storage/open_driver.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { playBundleHistory } from "../support/bundle_history.ts";
import { exported, streamOf } from "../support/bundles.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { playHistory } from "../support/model_run.ts";
import { checkSameHistory, looseIn } from "../support/same_history.ts";
import { seededRun } from "../support/seeded_run.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { Chance } from "../support/tree_cases.ts";
import { trials } from "../support/trials.ts";

const FIRST_SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 1);

/** Exports what a database holds, imports that, and compares the two. */
async function checkRoundTrip(kv: MemoryKv): Promise<void> {
  const store = await openStoreOn(kv.open());
  const text = await exported(store);
  const [head, branches] = [await store.head(), await store.branches()];
  await store.close();
  await using place = await tempFolder();
  const copy = await importBundle(
    place.path,
    streamOf(text, { pieceBytes: 1_000 }),
  );
  assert.deepEqual(await copy.head(), head);
  assert.deepEqual([...await copy.branches()], [...branches]);
  assert.equal(await exported(copy), text);
  await copy.close();
  const driver = await openDriver(parseLocation(place.path));
  await checkSameHistory(kv.open(), driver);
  assert.equal(await looseIn(driver), 0);
  driver.close();
}

for (
  const [what, sizes] of [
    ["small", { steps: 60, ids: 40, edits: 4, seeds: 8 }],
    ["middle", { steps: 30, ids: 900, edits: 100, seeds: 2 }],
    ["large", { steps: 14, ids: 2_400, edits: 900, seeds: 2 }],
  ] as const
) {
  Deno.test(`${what} random histories: export, import, export gives the same bytes and the same rows`, async () => {
    for (
      let seed = FIRST_SEED;
      seed < FIRST_SEED + trials(sizes.seeds);
      seed++
    ) {
      await seededRun(seed, async () => {
        const kv = new MemoryKv();
        const store = await openStoreOn(kv.open(), { create: true });
        await playBundleHistory(store, { ...sizes, chance: new Chance(seed) });
        await store.close();
        await checkRoundTrip(kv);
      });
    }
  });
}

Deno.test("histories of the model of stores: export, import, export gives the same bytes and the same rows", async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + trials(4); seed++) {
    await seededRun(seed, async () => {
      const kv = new MemoryKv();
      const open = (branch?: string) =>
        openStoreOn(kv.open(), { create: branch === undefined, branch });
      await playHistory({ seed, steps: 40, open });
      await checkRoundTrip(kv);
    });
  }
});
