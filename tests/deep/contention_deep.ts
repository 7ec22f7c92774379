/**
 * The tests of contention, faults and crashes for longer: more writers, more chance, more kills.
 *
 * @module
 */

import assert from "node:assert/strict";
import { initStore, openStore } from "@mnem/core";
import { checkHistory } from "../support/check_history.ts";
import {
  type Acknowledged,
  startWriter,
} from "../support/contending_writer.ts";
import { runWithFaults } from "../support/fault_run.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { Chance } from "../support/tree_cases.ts";

/** How long it takes. */
export const SECONDS = 100;

const SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 1);

Deno.test("one to five writers, one call in fifty to two in five fails: nothing twice, nothing lost", async () => {
  for (let seed = SEED; seed < SEED + 200; seed++) {
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

Deno.test("six processes with mixed writes: every acknowledged commit once", async () => {
  await using folder = await tempFolder();
  await using store = await initStore(folder.path);
  const writers = Array.from({ length: 6 }, async (_, i) => {
    const writer = startWriter({
      folder: folder.path,
      label: `w${i}`,
      commits: 60,
      mixed: true,
    });
    const acknowledged = await Array.fromAsync(writer.acknowledged);
    assert.equal(await writer.ended, 0);
    return acknowledged;
  });
  const acknowledged = (await Promise.all(writers)).flat();
  const { commits } = await checkHistory(store);
  assert.deepEqual(
    commits.map(({ id }) => id).toSorted(),
    acknowledged.map(({ commit }) => commit).toSorted(),
  );
});

Deno.test("a hundred thousand nodes against a writer that hardly pauses", async () => {
  for (const stateForm of ["tree", "flat"] as const) {
    await using folder = await tempFolder();
    await using store = await initStore(folder.path, { stateForm });
    const writer = startWriter({
      folder: folder.path,
      label: "them",
      commits: 1_000_000,
      pauseMs: 10,
    });
    const known: string[] = [];
    let bulk: Promise<void> | undefined;
    const edits = Array.from({ length: 100_000 }, (_, i) => ({
      id: i < 10 ? `them ${i}` : `n${i}`,
      content: i,
    }));
    for await (const { message } of writer.acknowledged) {
      known.push(message);
      bulk ??= store.write(edits, { message: "bulk" })
        .then(() => {}).finally(() => writer.kill());
    }
    await bulk;
    await writer.ended;
    const log = await Array.fromAsync(store.log());
    const messages = log.map(({ message }) => message).reverse();
    const others = messages.filter((message) => message !== "bulk");
    assert.deepEqual(others.slice(0, known.length), known);
    assert.equal(messages.length, others.length + 1);
  }
});

Deno.test("kill -9 forty times, two writers at once: every acknowledged commit is there", async () => {
  const chance = new Chance(SEED);
  await using folder = await tempFolder();
  await (await initStore(folder.path)).close();
  const acknowledged: Acknowledged[] = [];
  for (let round = 0; round < 20; round++) {
    const writers = ["a", "b"].map(async (name) => {
      const writer = startWriter({
        folder: folder.path,
        label: `${name}${round}`,
        commits: 100_000,
        mixed: true,
      });
      const most = 1 + chance.below(25);
      const delayMs = chance.below(12);
      let seen = 0;
      for await (const one of writer.acknowledged) {
        acknowledged.push(one);
        if (++seen === most) setTimeout(() => writer.kill(), delayMs);
      }
      await writer.ended;
    });
    await Promise.all(writers);
    await using store = await openStore(folder.path);
    const log = await Array.fromAsync(store.log());
    const ids = new Set(log.map(({ id }) => id));
    for (const { commit, message } of acknowledged) {
      assert.ok(ids.has(commit), `seed ${SEED}, round ${round}: ${message}`);
    }
    assert.ok(ids.size <= acknowledged.length + 2 * (round + 1));
    assert.equal((await store.memory()).size > 0, true);
  }
});
