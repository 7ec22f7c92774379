/**
 * A writer that is killed, ten times: what it acknowledged is there, and the store goes on.
 *
 * @module
 */

import assert from "node:assert/strict";
import { initStore, openStore } from "@mnem/core";
import { checkHistory } from "../support/check_history.ts";
import { checkVerified } from "../support/check_verified.ts";
import {
  type Acknowledged,
  startWriter,
} from "../support/contending_writer.ts";
import { reportFigures } from "../support/report_figures.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { Chance } from "../support/tree_cases.ts";

const SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 1);
const ROUNDS = 10;

Deno.test("kill -9 during writes: every acknowledged value is there", async () => {
  const chance = new Chance(SEED);
  await using folder = await tempFolder();
  await (await initStore(folder.path)).close();
  const acknowledged: Acknowledged[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const task = { folder: folder.path, label: `r${round}`, commits: 100_000 };
    const writer = startWriter({ ...task, mixed: true });
    const most = 1 + chance.below(25);
    const delayMs = chance.below(12);
    let seen = 0;
    for await (const one of writer.acknowledged) {
      acknowledged.push(one);
      if (++seen === most) setTimeout(() => writer.kill(), delayMs);
    }
    assert.notEqual(await writer.ended, 0);
    assert.ok(seen >= most);
    await check(folder.path, acknowledged, `seed ${SEED}, round ${round}`);
  }
  await using store = await openStore(folder.path);
  await checkVerified(store);
  const { commits } = await checkHistory(store);
  assert.ok(commits.length >= acknowledged.length);
  reportFigures("kill-9-while-writing", {
    kills: ROUNDS,
    acknowledged: acknowledged.length,
    lost: 0,
  });
});

async function check(
  folder: string,
  acknowledged: readonly Acknowledged[],
  what: string,
): Promise<void> {
  await using store = await openStore(folder);
  const commits = await Array.fromAsync(store.log());
  const memory = await store.memory();
  const ids = new Set(commits.map(({ id }) => id));
  assert.equal(ids.size, commits.length);
  const last = new Map<string, number>();
  for (const { commit, id, value } of acknowledged) {
    assert.ok(ids.has(commit), `${what}: ${commit}`);
    last.set(id, value);
  }
  // At most one commit of each writer was stored without being acknowledged.
  const more = commits.length - acknowledged.length;
  assert.ok(more >= 0 && more <= ROUNDS, `${what}: ${more} more`);
  const known = new Set(acknowledged.map(({ commit }) => commit));
  for (const [id, value] of last) {
    const content = memory.get(id)?.content;
    const is = typeof content === "string" ? content.length : content;
    const writer = await store.blame(id);
    if (known.has(writer.commit.id)) assert.equal(is, value, `${what}: ${id}`);
  }
}
