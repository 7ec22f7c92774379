/**
 * The true self-hosted server of Deno KV: what a store does in a folder it does there, with either client
 * of KV. On Node and on Bun `tests/npm/runtimes_deep.ts` tries it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { initStore, openStore } from "@mnem/core";
import { denokv } from "../reference/programs.ts";
import { checkHistory } from "../support/check_history.ts";
import { checkVerified } from "../support/check_verified.ts";
import {
  type Acknowledged,
  startWriter,
} from "../support/contending_writer.ts";
import { type DenokvServer, startDenokv } from "../support/denokv_server.ts";
import { kvConnectServer, TEST_TOKEN } from "../support/kv_connect_server.ts";
import { mcpRoundTrip } from "../support/mcp_round_trip.ts";
import { mnemRoundTrip } from "../support/mnem_round_trip.ts";
import { playHistory } from "../support/model_run.ts";
import type { Program } from "../support/program.ts";
import { playScript } from "../support/remote_script.ts";
import { remoteStore } from "../support/remote_store.ts";
import { reportFigures } from "../support/report_figures.ts";
import { seededRun } from "../support/seeded_run.ts";
import { walkImports, walkStore } from "../support/store_walk.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { OPERATIONS, playTrace, TRACES } from "../support/trace_run.ts";

/** How long it takes with the program at hand. */
export const SECONDS = 18;

const SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 1);
const CLIENTS = ["npm", "native"] as const;
const ENV = {
  DENO_KV_ACCESS_TOKEN: TEST_TOKEN,
  MNEM_STORE: "",
  MNEM_AUTHOR: "",
};
const MNEM = new URL("../../cli/mod.ts", import.meta.url).pathname;

const { path: program = "", ...rest } = await denokv();
if (program === "") console.log("skipped:", rest);
const ignore = program === "";

// The way that users take: the token is in the environment.
Deno.env.set("DENO_KV_ACCESS_TOKEN", TEST_TOKEN);

/** A server on a database of its own. */
async function emptyServer() {
  const folder = await tempFolder();
  const file = `${folder.path}/kv.db`;
  let server: DenokvServer = await startDenokv({ program, file });
  return {
    url: server.url,
    folder: folder.path,
    kill: () => server.kill(),
    async start() {
      const port = Number(new URL(server.url).port);
      server = await startDenokv({ program, file, port });
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

Deno.test({ name: "denokv: a store, opened by its URL", ignore }, async () => {
  await using at = await emptyServer();
  await walkStore(at.url);
});

Deno.test({
  name: "denokv: a store, with the client that is built in",
  ignore,
}, async () => {
  await using at = await emptyServer();
  const open = (options = {}) =>
    remoteStore(at.url, { ...options, client: "native" });
  await walkStore(at.url, open);
});

Deno.test({ name: "denokv: bundles go out and in", ignore }, async () => {
  await using from = await emptyServer();
  await using to = await emptyServer();
  await walkImports(from.url, to.url);
});

for (const client of CLIENTS) {
  Deno.test({
    name: `denokv: a random history, ${client}: every answer is the model's`,
    ignore,
  }, async () => {
    await seededRun(SEED, async () => {
      await using at = await emptyServer();
      const open = (branch?: string) =>
        remoteStore(at.url, {
          ...branch === undefined ? { create: true } : { branch },
          client,
        });
      await playHistory({ seed: SEED, steps: 25, open });
    });
  });
}

Deno.test({
  name: "denokv: histories of the reference: every answer is the reference's",
  ignore,
}, async () => {
  for (const name of TRACES.slice(0, 4)) {
    await using at = await emptyServer();
    const store = await remoteStore(at.url, { create: true });
    const final = await playTrace(name, store, OPERATIONS);
    const branches = Object.fromEntries(await store.branches());
    assert.deepEqual(branches, final.branches, name);
    await store.close();
  }
});

Deno.test({
  name: "denokv: sixty operations wait as often as they are designed to",
  ignore,
}, async () => {
  await using at = await emptyServer();
  await using server = await kvConnectServer(at.url, TEST_TOKEN);
  const lines = await playScript({ server, size: 10_000, latencyMs: 0 });
  assert.equal(lines.length, 20);
  assert.ok(server.counts.handshake < 20, "a handshake for each handle alone");
});

Deno.test({
  name:
    "denokv: three processes on one branch, and the server killed and started twice",
  ignore,
}, async () => {
  await using at = await emptyServer();
  const store = await initStore(at.url);
  await store.write([{ id: "seed", content: 0 }], { message: "seed" });
  const acknowledged: Acknowledged[] = [];
  let kills = 0;
  const writers = Array.from({ length: 3 }, async (_, i) => {
    const task = { folder: at.url, label: `w${i}`, commits: 40, patient: true };
    const writer = startWriter(task);
    for await (const one of writer.acknowledged) {
      acknowledged.push(one);
      if (acknowledged.length > 30 * (kills + 1) && kills < 2) {
        kills++;
        await at.kill();
        await at.start();
      }
    }
    assert.equal(await writer.ended, 0);
  });
  await Promise.all(writers);
  assert.equal(kills, 2);
  await store.close();
  const fresh = await openStore(at.url);
  const { messages, commits } = await checkHistory(fresh);
  await checkVerified(fresh);
  await fresh.close();
  assert.deepEqual(
    messages.toSorted(),
    ["seed", ...acknowledged.map(({ message }) => message)].toSorted(),
  );
  const ids = new Set(commits.map(({ id }) => id));
  for (const { commit } of acknowledged) assert.ok(ids.has(commit));
  reportFigures("remote-denokv", {
    writers: 3,
    kills,
    acknowledged: acknowledged.length,
    lost: 0,
    twice: 0,
  });
});

Deno.test({ name: "denokv: the programs", ignore }, async () => {
  await using at = await emptyServer();
  await using other = await emptyServer();
  await mcpRoundTrip([`--store=${at.url}`], { env: ENV });
  const cli: Program = [Deno.execPath(), "run", "-A", MNEM];
  const env = { ...ENV, MNEM_STORE: other.url };
  await mnemRoundTrip(cli, { cwd: other.folder, env });
});
