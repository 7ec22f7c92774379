/**
 * Random histories: every answer of a store is that of a naive model, which keeps a whole copy of
 * memory for every commit.
 *
 * @module
 */

import { openStore } from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { playHistory } from "../support/model_run.ts";
import { tempFolder } from "../support/temp_folder.ts";

const FIRST_SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 1);

Deno.test("random histories in memory: every answer is the model's", async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + 12; seed++) {
    await named(seed, async () => {
      const kv = new MemoryKv();
      await playHistory({
        seed,
        steps: 40,
        open: (branch) =>
          openStoreOn(kv.open(), { create: branch === undefined, branch }),
      });
    });
  }
});

Deno.test("random histories in files: every answer is the model's", async () => {
  for (let seed = FIRST_SEED + 1_000; seed < FIRST_SEED + 1_003; seed++) {
    await named(seed, async () => {
      await using folder = await tempFolder();
      await playHistory({
        seed,
        steps: 40,
        open: (branch) =>
          openStore(folder.path, { create: branch === undefined, branch }),
      });
    });
  }
});

/** Says the seed of a run that fails. */
async function named(seed: number, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    throw new Error(`seed ${seed}: MNEM_TEST_SEED=${seed} plays it first`, {
      cause: error,
    });
  }
}
