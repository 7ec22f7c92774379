/**
 * A server that is far away, silent, dead, slow, or fails in every way at once.
 *
 * @module
 */

import assert from "node:assert/strict";
import { checkHistory } from "../support/check_history.ts";
import { type FaultRunCounts, runWithFaults } from "../support/fault_run.ts";
import {
  type KvConnectServer,
  kvConnectServer,
  TEST_TOKEN,
} from "../support/kv_connect_server.ts";
import { playScript } from "../support/remote_script.ts";
import { remoteFaultPlace, remoteStore } from "../support/remote_store.ts";
import { reportFigures } from "../support/report_figures.ts";
import { seededRun } from "../support/seeded_run.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { Chance } from "../support/tree_cases.ts";
import type { CallEnd } from "./caller.ts";

/** How long it takes. */
export const SECONDS = 40;

const SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 1);
const RUNS = 10;
const CALLER = new URL("caller.ts", import.meta.url).pathname;

/** A server with a store that holds the node a, for one test. */
async function storeServer() {
  const folder = await tempFolder();
  const server = await kvConnectServer(`${folder.path}/a.db`, TEST_TOKEN);
  const store = await remoteStore(server.url, { create: true });
  await store.write([{ id: "a", content: "seed" }], { message: "seed" });
  await store.close();
  return {
    server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** What a process made of a server that stops answering once the process has opened its store. */
async function callOf(
  { url }: KvConnectServer,
  [client, what]: readonly ["npm" | "native", "open" | "read" | "write"],
  stop: () => unknown,
): Promise<CallEnd & { readonly endMs: number; readonly stderr: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", CALLER, url, client, what],
    env: { DENO_KV_ACCESS_TOKEN: TEST_TOKEN, NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stderr = new Response(child.stderr).text();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  if (what === "open") await stop();
  else {
    assert.equal((await lines.read()).value, "opened\n");
    await stop();
    await child.stdin.getWriter().write(new Uint8Array(1));
  }
  const end = JSON.parse((await lines.read()).value ?? "null");
  const start = performance.now();
  // A process that waited for the server would not end before the test does.
  assert.equal((await child.status).code, 0, await stderr);
  return { ...end, endMs: performance.now() - start, stderr: await stderr };
}

Deno.test("sixty operations among 10,000 nodes, next door and 30 ms away", async () => {
  const tables = [];
  for (const latencyMs of [0, 30]) {
    await using folder = await tempFolder();
    await using server = await kvConnectServer(
      `${folder.path}/a.db`,
      TEST_TOKEN,
    );
    tables.push(await playScript({ server, size: 10_000, latencyMs }));
  }
  const [near, far] = tables;
  const figures = (far ?? []).map(({ name, rounds, requests, ms }, i) => {
    const waits = `${rounds} round${rounds === 1 ? "" : "s"}`;
    const asked = `${requests} request${requests === 1 ? "" : "s"}`;
    const times = `${near?.[i]?.ms} ms next door, ${ms} ms at 30 ms`;
    return [name, `${waits}, ${asked}, ${times}`] as const;
  });
  assert.equal(figures.length, 20);
  reportFigures("remote-rounds", Object.fromEntries(figures));
});

Deno.test("several clients and a server that fails in every way: nothing twice, nothing lost", async () => {
  const sum = { committed: 0, unchanged: 0, none: 0, unknown: 0 };
  const add = (counts: FaultRunCounts) => {
    for (const end of ["committed", "unchanged", "none", "unknown"] as const) {
      sum[end] += counts[end];
    }
  };
  // Together, for most of the time is spent on waiting.
  await Promise.all(Array.from({ length: RUNS }, async (_, i) => {
    const seed = SEED + i;
    await seededRun(seed, async () => {
      await using at = await storeServer();
      const percent = [5, 10, 20, 30, 40][seed % 5]!;
      const client = seed % 3 === 2 ? "native" as const : undefined;
      const chance = new Chance(seed);
      const place = await remoteFaultPlace(at.server, {
        chance,
        percent,
        client,
      });
      const run = { seed, writers: 2 + seed % 4, calls: 10, percent };
      add(await runWithFaults(run, place));
    });
  }));
  assert.ok(sum.committed > 100 && sum.unknown > 0, JSON.stringify(sum));
  reportFigures("remote-faults", { runs: RUNS, ...sum, lost: 0, twice: 0 });
});

Deno.test("a server that goes silent or away: in time, and the process can end", async () => {
  await Promise.all([
    writeIntoSilence(),
    ...(["npm", "native"] as const).map(callFromProcesses),
  ]);
});

/** A write whose answer never comes is found, or said to be in doubt. */
async function writeIntoSilence(): Promise<void> {
  await using at = await storeServer();
  await using deaf = await storeServer();
  const store = await remoteStore(at.server.url);
  const other = await remoteStore(deaf.server.url);
  // Done, and never answered. Of the one it can be read what came of it.
  at.server.arm(({ kind, nth }) =>
    kind === "write" && nth === 1 ? "silence" : undefined
  );
  let isDeaf = false;
  deaf.server.arm(({ kind }) => {
    isDeaf ||= kind === "write";
    return isDeaf ? "silence" : undefined;
  });
  const start = performance.now();
  const write = { id: "a", content: "new" };
  const [found, lost] = await Promise.all([
    store.write([write], { message: "new" }),
    other.write([write], { message: "new" }).catch((error) => error),
  ]);
  const took = performance.now() - start;
  assert.equal(found.changes.get("a"), "modified");
  assert.deepEqual([lost.code, lost.outcome], ["store_io", "unknown"]);
  assert.match(lost.message, /its server gave no answer in 10000 ms$/);
  assert.ok(took < 25_000, `${took} ms`);
  deaf.server.arm(() => undefined);
  for (const one of [store, other]) {
    // Whoever tries again finds it done.
    const again = await one.write([write], { message: "new" });
    assert.equal(again.changes.size, 0);
    assert.deepEqual((await checkHistory(one)).messages, ["seed", "new"]);
    await one.close();
  }
}

/** Processes whose server is gone, silent, or never greets: an error in time, and then their end. */
async function callFromProcesses(client: "npm" | "native"): Promise<void> {
  await using gone = await storeServer();
  await using away = await storeServer();
  await using silent = await storeServer();
  await using mute = await storeServer();
  const end = (at: typeof gone) => at.server[Symbol.asyncDispose]();
  const hush = (at: typeof gone) => at.server.arm(() => "silence");
  hush(mute);
  const cases = [
    callOf(gone.server, [client, "write"], () => end(gone)),
    callOf(away.server, [client, "read"], () => end(away)),
    callOf(silent.server, [client, "write"], () => hush(silent)),
    callOf(mute.server, [client, "open"], () => {}),
  ];
  for (const [i, end] of (await Promise.all(cases)).entries()) {
    const what = `${client} ${i}: ${JSON.stringify(end)}`;
    assert.equal(end.code, "store_io", what);
    assert.ok(end.callMs < 25_000, what);
    assert.ok(end.closeMs < 1_000, what);
    assert.ok(end.endMs < 3_000, what);
    assert.ok(!(end.stderr + end.message).includes(TEST_TOKEN), what);
  }
}
