/**
 * The mutated frames of `tests/mcp/mutations_test.ts`, many more of them.
 *
 * @module
 */

import { openStoreOn } from "../../core/store/open_store.ts";
import { assertIntact, runMutations } from "../mcp/mutation_run.ts";
import { converse } from "../mcp/wire_session.ts";
import { MemoryKv } from "../support/memory_kv.ts";

/** How long it takes. */
export const SECONDS = 25;

const SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 1);

Deno.test("60,000 mutated frames: an answer, an error or a documented silence for each", async () => {
  // Far from the seeds of the shorter test.
  const first = SEED * 1_000_000;
  for (let seed = first; seed < first + 60; seed++) {
    const kv = new MemoryKv();
    const store = await openStoreOn(kv.open(), { create: true });
    try {
      await runMutations({
        seed,
        count: 1_000,
        batch: 20 + seed % 61,
        deliver: (input) => converse(store, input, { tools: "all" }),
      });
    } catch (cause) {
      throw new Error(`MNEM_TEST_SEED=${SEED} plays it`, { cause });
    }
    await assertIntact(await openStoreOn(kv.open()));
  }
});
