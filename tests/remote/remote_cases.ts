/**
 * A store on a server does what a store in a folder does, at every door, with either client of KV.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { session } from "../cli/session.ts";
import { runWithFaults } from "../support/fault_run.ts";
import { kvConnectServer, TEST_TOKEN } from "../support/kv_connect_server.ts";
import { mcpRoundTrip } from "../support/mcp_round_trip.ts";
import { playHistory } from "../support/model_run.ts";
import { remoteFaultPlace, remoteStore } from "../support/remote_store.ts";
import { seededRun } from "../support/seeded_run.ts";
import { walkImports, walkStore } from "../support/store_walk.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { OPERATIONS, playTrace } from "../support/trace_run.ts";
import { Chance } from "../support/tree_cases.ts";

const SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 1);

// The way that users take: the token is in the environment.
Deno.env.set("DENO_KV_ACCESS_TOKEN", TEST_TOKEN);

async function emptyServer() {
  const folder = await tempFolder();
  const server = await kvConnectServer(`${folder.path}/a.db`, TEST_TOKEN);
  return {
    server,
    url: server.url,
    path: folder.path,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a store on a server, opened by its URL", async () => {
  await using at = await emptyServer();
  await walkStore(at.url);
  const { handshake, read, write } = at.server.counts;
  assert.ok(handshake > 1 && read > 10 && write > 10, "it was on the server");
});

Deno.test("a store on a server, with the client that is built in", async () => {
  await using at = await emptyServer();
  const open = (options = {}) =>
    remoteStore(at.url, { ...options, client: "native" });
  await walkStore(at.url, open);
});

Deno.test("bundles go out of a server and into it", async () => {
  await using from = await emptyServer();
  await using to = await emptyServer();
  await walkImports(from.url, to.url);
});

Deno.test("a random history on a server: every answer is the model's", async () => {
  await seededRun(SEED, async () => {
    await using at = await emptyServer();
    const open = (branch?: string) =>
      remoteStore(at.url, branch === undefined ? { create: true } : { branch });
    await playHistory({ seed: SEED, steps: 20, open });
  });
});

Deno.test("three clients and a server that fails: nothing twice, nothing lost", async () => {
  await seededRun(SEED, async () => {
    await using at = await emptyServer();
    const percent = 12;
    const chance = new Chance(SEED);
    const place = await remoteFaultPlace(at.server, { chance, percent });
    const run = { seed: SEED, writers: 3, calls: 8, percent };
    const { committed } = await runWithFaults(run, place);
    assert.ok(committed >= 12, `${committed} committed`);
  });
});

Deno.test("a history of the reference on a server: every answer is the reference's", async () => {
  await using at = await emptyServer();
  const store = await remoteStore(at.url, { create: true });
  const final = await playTrace("trace-100.json", store, OPERATIONS);
  assert.deepEqual(Object.fromEntries(await store.branches()), final.branches);
  await store.close();
});

Deno.test("the MCP server on a store on a server", async () => {
  await using at = await emptyServer();
  const env = { DENO_KV_ACCESS_TOKEN: TEST_TOKEN };
  await mcpRoundTrip([`--store=${at.url}`], { env });
});

Deno.test("the command line on a store on a server", async () => {
  await using at = await emptyServer();
  await using other = await emptyServer();
  await using typed = await session();
  const to = `--store=${at.url}`;
  const json = async (...args: string[]) =>
    Object(await typed.json(to, ...args));
  await typed.text(to, "init");
  await typed.text(to, "remember", "plan", "pro", "--observation", "note-17");
  await typed.text(to, "branch", "dev");
  await typed.text(to, "switch", "dev");
  await typed.text(to, "add", "beside", "1");
  await typed.text(to, "commit", "-m", "from the stage");
  await typed.text(to, "switch", "main");
  await typed.text(to, "merge", "dev");
  assert.equal((await json("recall", "beside")).result.content, "1");
  assert.match(await typed.text(to, "blame", "plan"), /note-17/);
  assert.match(await typed.text(to, "log"), /from the stage/);
  assert.deepEqual((await json("verify")).faults, []);
  const file = `${at.path}/bundle.json`;
  await typed.text(to, "export", "-o", file);
  assert.match(await readFile(file, "utf8"), /note-17/);
  await typed.text("import", file, `--store=${other.url}`);
  const there = await typed.json("recall", `--store=${other.url}`);
  assert.deepEqual(there, await json("recall"));
});
