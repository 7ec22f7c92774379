/**
 * Requests with keys that several processes make, and processes that are killed: each is made once.
 *
 * @module
 */

import assert from "node:assert/strict";
import { initStore, openStore } from "@mnem/core";
import { checkVerified } from "../support/check_verified.ts";
import {
  type Acknowledged,
  startWriter,
} from "../support/contending_writer.ts";
import { reportFigures } from "../support/report_figures.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { Chance } from "../support/tree_cases.ts";

const SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 1);
const KILLS = 6;

/** How often each message is in the history of a store. */
async function countsIn(folder: string): Promise<Map<string, number>> {
  await using store = await openStore(folder);
  await checkVerified(store);
  const log = await Array.fromAsync(store.log());
  const found = Map.groupBy(log, ({ message }) => message);
  return new Map([...found].map(([message, all]) => [message, all.length]));
}

Deno.test("two processes make the same requests at the same time: one commit each, one answer", async () => {
  await using folder = await tempFolder();
  await (await initStore(folder.path)).close();
  const task = {
    folder: folder.path,
    label: "r",
    commits: 60,
    mixed: true,
    keyed: true,
  };
  const run = async (): Promise<Acknowledged[]> => {
    const writer = startWriter(task);
    const acknowledged = await Array.fromAsync(writer.acknowledged);
    assert.equal(await writer.ended, 0);
    // How long each took is not a part of the answer.
    return acknowledged.map((one) => ({ ...one, ms: 0 }));
  };
  const [one, two] = await Promise.all([run(), run()]);
  assert.equal(one.length, task.commits);
  assert.deepEqual(one, two);
  const counts = await countsIn(folder.path);
  assert.equal(counts.size, task.commits);
  for (const [message, count] of counts) assert.equal(count, 1, message);
});

Deno.test("kill -9 during requests with keys: all are made again, and are there once", async () => {
  const chance = new Chance(SEED);
  await using folder = await tempFolder();
  await (await initStore(folder.path)).close();
  const commits = new Map<string, string>();
  let again = 0;
  for (let round = 0; round < KILLS; round++) {
    // Each begins from the first request.
    const writer = startWriter({
      folder: folder.path,
      label: "r",
      commits: 100_000,
      mixed: true,
      keyed: true,
    });
    const most = commits.size + 1 + chance.below(15);
    const delayMs = chance.below(12);
    let seen = 0;
    for await (const { message, commit } of writer.acknowledged) {
      const before = commits.get(message);
      if (before !== undefined) again++;
      assert.equal(commit, before ?? commit, `seed ${SEED}: ${message}`);
      commits.set(message, commit);
      if (++seen === most) setTimeout(() => writer.kill(), delayMs);
    }
    assert.notEqual(await writer.ended, 0);
  }
  const counts = await countsIn(folder.path);
  assert.ok(commits.size >= KILLS && again >= KILLS);
  for (const message of commits.keys()) assert.ok(counts.has(message));
  for (const [message, count] of counts) assert.equal(count, 1, message);
  reportFigures("request-keys-kill-9", {
    kills: KILLS,
    requests: commits.size,
    madeAgain: again,
    madeTwice: 0,
  });
});
