/**
 * Random histories: every answer of a store is that of a naive model, which keeps a whole copy of
 * memory for every commit.
 *
 * @module
 */

import { openStore } from "@mnem/core";
import { readRange } from "../../core/state/read_range.ts";
import { StoreReader } from "../../core/storage/store_reader.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import type { Origins } from "../support/model_checks.ts";
import { playHistory } from "../support/model_run.ts";
import { seededRun } from "../support/seeded_run.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { trials } from "../support/trials.ts";

const FIRST_SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 1);

Deno.test("random histories in memory: every answer is the model's", async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + trials(6); seed++) {
    await seededRun(seed, async () => {
      const kv = new MemoryKv();
      const reader = new StoreReader(kv.open());
      await playHistory({
        seed,
        origins: (commit) => readOrigins(reader, commit),
        steps: 40,
        open: (branch) =>
          openStoreOn(kv.open(), { create: branch === undefined, branch }),
      });
    });
  }
});

Deno.test("random histories in files: every answer is the model's", async () => {
  for (
    let seed = FIRST_SEED + 1_000;
    seed < FIRST_SEED + 1_000 + trials(3);
    seed++
  ) {
    await seededRun(seed, async () => {
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

/** What a state says of its entries, which the store tells nobody directly. */
async function readOrigins(
  reader: StoreReader,
  commit: string,
): Promise<Origins> {
  const { root } = await reader.commit(commit.slice(0, 32));
  const entries = await Array.fromAsync(readRange(reader, root));
  return new Map(entries.map(({ id, changed, born }) => [id, {
    changed: changed.commit,
    born: born.commit,
  }]));
}
