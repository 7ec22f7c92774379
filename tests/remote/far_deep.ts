/**
 * A server that is far away, silent, dead, slow, or fails in every way at once.
 *
 * @module
 */

import assert from "node:assert/strict";
import { rememberMany } from "@mnem/agents";
import { importBundle, isMnemError, openStore } from "@mnem/core";
import { exported, streamOf } from "../support/bundles.ts";
import { checkHistory } from "../support/check_history.ts";
import { checkVerified } from "../support/check_verified.ts";
import { countedStore, countsOf } from "../support/counted_store.ts";
import { type FaultRunCounts, runWithFaults } from "../support/fault_run.ts";
import { kvConnectServer, TEST_TOKEN } from "../support/kv_connect_server.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { playScript, type ScriptLine } from "../support/remote_script.ts";
import {
  MISHAPS,
  remoteFaultPlace,
  remoteStore,
} from "../support/remote_store.ts";
import { reportFigures } from "../support/report_figures.ts";
import { seededRun } from "../support/seeded_run.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { tempStore } from "../support/temp_store.ts";
import { Chance } from "../support/tree_cases.ts";
import {
  callFromProcesses,
  storeServer,
  writeIntoSilence,
  writeThatIsHeldBack,
} from "./silent_server.ts";

/** How long it takes. */
export const SECONDS = 40;

const SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 1);
const RUNS = 10;

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
  const figures = (far ?? []).map((line, i) =>
    [line.name, describe(line, near?.[i]?.ms)] as const
  );
  assert.equal(figures.length, 20);
  reportFigures("remote-rounds", Object.fromEntries(figures));
});

function describe(
  { rounds, requests, bytesRead, bytesSet, ms }: ScriptLine,
  nearMs: number | undefined,
): string {
  const plural = (count: number, what: string) =>
    `${count} ${what}${count === 1 ? "" : "s"}`;
  return [
    plural(rounds, "round"),
    plural(requests, "request"),
    `${bytesRead} bytes in`,
    `${bytesSet} bytes out`,
    `${nearMs} ms next door`,
    `${ms} ms at 30 ms`,
  ].join(", ");
}

/** Bytes of the values: what a commit of one node writes, what stays of it, and what a look at the head reads. */
async function bytesAt(nodes: number): Promise<readonly [string, string]> {
  const kv = new MemoryKv();
  const { store, driver } = await countedStore(kv.open(), { create: true });
  const node = (i: number, what: string) => ({
    id: `customer-${String(i).padStart(8, "0")}-plan`,
    content: `${what} ${i}: ${"about two hundred bytes ".repeat(8)}`,
    observation: "note-17",
  });
  const all = Array.from({ length: nodes }, (_, i) => node(i, "first"));
  await rememberMany(store, all);
  const kept = () => kv.rows().reduce((sum, row) => sum + row.value.length, 0);
  const before = kept();
  const commits = 40;
  let written = 0;
  for (let i = 0; i < commits; i++) {
    const one = [node((i * 7919) % nodes, "then")];
    const { bytesSet } = await countsOf(
      driver,
      () => rememberMany(store, one),
    );
    written += bytesSet;
  }
  const head = await countsOf(driver, () => store.head());
  const [out, stays] = [written, kept() - before].map((sum) =>
    Math.round(sum / commits)
  );
  assert.ok(stays! <= out! && out! < 12_288, `${stays} of ${out}`);
  return [
    `${nodes} nodes`,
    `a commit writes ${out} and keeps ${stays}, a look at the head reads ${head.bytesRead}`,
  ];
}

Deno.test("bytes of a commit, by the size of the memory", async () => {
  const figures = [];
  for (const nodes of [100, 1_000, 10_000]) figures.push(await bytesAt(nodes));
  assert.equal(figures.length, 3);
  reportFigures("remote-bytes", Object.fromEntries(figures));
});

/** So many commits a second, by clients that each write to a branch, or all to one. */
async function commitsPerSecond(branches: 1 | 8): Promise<number> {
  const [clients, commits] = [8, 8];
  await using at = await storeServer();
  const main = await remoteStore(at.server.url);
  for (let i = 0; i < branches; i++) await main.createBranch(`b${i}`);
  const stores = await Promise.all(
    Array.from(
      { length: clients },
      (_, i) => remoteStore(at.server.url, { branch: `b${i % branches}` }),
    ),
  );
  at.server.setLatency(30);
  const start = performance.now();
  await Promise.all(stores.map(async (store, i) => {
    for (let turn = 0; turn < commits; turn++) {
      const message = `${i}.${turn}`;
      await store.write([{ id: `n${i}`, content: turn }], { message });
    }
  }));
  const seconds = (performance.now() - start) / 1_000;
  at.server.setLatency(0);
  let found = 0;
  for (let i = 0; i < branches; i++) {
    const { messages } = await checkHistory(main.on(`b${i}`));
    assert.equal(new Set(messages).size, messages.length);
    found += messages.length - 1;
  }
  assert.equal(found, clients * commits);
  for (const store of [main, ...stores]) await store.close();
  return Math.round(found / seconds);
}

Deno.test("eight clients 30 ms away, on a branch each and on one for all: all lands", async () => {
  const apart = await commitsPerSecond(8);
  const together = await commitsPerSecond(1);
  reportFigures("remote-branches", {
    clients: 8,
    "commits a second on a branch each": apart,
    "commits a second on one branch": together,
  });
});

Deno.test("a server that fails, goes silent, or away: nothing twice, nothing lost, all in time", async () => {
  // Together, for most of the time is spent on waiting.
  await Promise.all([
    writeWithFaults(),
    writeIntoSilence(),
    writeThatIsHeldBack(),
    ...[0, 1, 2].map((i) => importWithFaults(SEED + i)),
    ...(["npm", "native"] as const).map(callFromProcesses),
  ]);
});

/** Several clients, and a server whose answers go wrong in every way. */
async function writeWithFaults(): Promise<void> {
  const sum = { committed: 0, unchanged: 0, none: 0, unknown: 0 };
  const add = (counts: FaultRunCounts) => {
    for (const end of ["committed", "unchanged", "none", "unknown"] as const) {
      sum[end] += counts[end];
    }
  };
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
  assert.ok(sum.committed > 100, JSON.stringify(sum));
  reportFigures("remote-faults", { runs: RUNS, ...sum, lost: 0, twice: 0 });
}

/** An import into a server that fails is whole, or it is not there at all and can be tried again. */
async function importWithFaults(seed: number): Promise<void> {
  await using folder = await tempFolder();
  await using temp = await tempStore();
  for (let i = 0; i < 20; i++) {
    const content = `${i} ${"x".repeat(300)}`;
    const edits = Array.from({ length: 100 }, (_, k) => ({
      id: `n${k}`,
      content,
    }));
    await temp.store.write(edits, { message: `${i}` });
  }
  const text = await exported(temp.store);
  await using server = await kvConnectServer(`${folder.path}/a.db`, TEST_TOKEN);
  Deno.env.set("DENO_KV_ACCESS_TOKEN", TEST_TOKEN);
  const chance = new Chance(seed);
  server.arm(({ kind }) =>
    kind !== "handshake" && chance.below(100) < 12
      ? chance.pick(MISHAPS)
      : undefined
  );
  const first = await importBundle(server.url, streamOf(text)).catch((error) =>
    error
  );
  server.arm(() => undefined);
  await server.settled();
  if (isMnemError(first, "store_io")) {
    await assert.rejects(openStore(server.url), { code: "no_store" });
    const again = await importBundle(server.url, streamOf(text));
    await again.close();
  } else await first.close();
  const store = await openStore(server.url);
  await checkVerified(store);
  assert.equal(await exported(store), text, `seed ${seed}`);
  await store.close();
}
