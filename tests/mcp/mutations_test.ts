/**
 * Ten thousand spoilt frames: each is answered, or told of, or met with a documented silence; the
 * server goes on, and so does the store.
 *
 * @module
 */

import assert from "node:assert/strict";
import { openStore } from "@mnem/core";
import { tempFolder } from "../support/temp_folder.ts";
import { assertIntact, type Counts, runMutations } from "./mutation_run.ts";
import { runServer } from "./server_process.ts";
import { converse, linesOf } from "./wire_session.ts";
import { trials } from "../support/trials.ts";

const SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 1);
const HOW = `MNEM_TEST_SEED=${SEED} plays it`;

/** Everything that can come of a frame came of some. */
function assertVaried(counts: Counts, frames: number): void {
  const text = JSON.stringify(counts);
  assert.ok(counts.answer > frames / 3, text);
  assert.ok(counts.fault > frames / 8, text);
  assert.ok(counts.silence > frames / 80, text);
  assert.ok(counts.ok > frames / 20, text);
  assert.ok(counts.failed > frames / 200, text);
}

Deno.test("10,000 mutated frames, or a share of them: an answer, an error or a documented silence for each, and a store that is whole", async () => {
  const counts = { answer: 0, fault: 0, silence: 0, ok: 0, failed: 0 };
  let commits = 0;
  try {
    for (let round = 0; round < trials(10); round++) {
      await using folder = await tempFolder();
      const store = await openStore(folder.path, { create: true });
      const seen = await runMutations({
        seed: SEED * 1_000 + round,
        count: 1_000,
        batch: 50,
        deliver: (input) => converse(store, input, { tools: "all" }),
      });
      await store.close();
      for (
        const kind of ["answer", "fault", "silence", "ok", "failed"] as const
      ) {
        counts[kind] += seen[kind];
      }
      await using again = await openStore(folder.path);
      commits += await assertIntact(again);
    }
  } catch (cause) {
    throw new Error(HOW, { cause });
  }
  assertVaried(counts, trials(10) * 1_000);
  assert.ok(commits > trials(30), `${commits} commits`);
});

Deno.test("400 mutated frames through the real server, which ends with 0", async () => {
  await using folder = await tempFolder();
  try {
    const counts = await runMutations({
      seed: SEED * 1_000 + 999,
      count: 400,
      batch: 100,
      deliver: async (input) => {
        const flags = [`--store=${folder.path}`, "--tools=all"];
        const { code, stdout, stderr } = await runServer(flags, input);
        assert.equal(code, 0, stderr);
        return linesOf(stdout);
      },
    });
    assertVaried(counts, 400);
    await using store = await openStore(folder.path);
    assert.ok(await assertIntact(store) > 0);
  } catch (cause) {
    throw new Error(HOW, { cause });
  }
});
