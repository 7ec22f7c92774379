/**
 * The true self-hosted server of Deno KV: what a store does in a folder it does there, on Deno with
 * either client of KV, and on Node.
 *
 * @module
 */

import assert from "node:assert/strict";
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { initStore, openStore } from "@mnem/core";
import { compilePrograms, npmProject } from "../npm/project.ts";
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
import { isThere, type Program } from "../support/program.ts";
import { playScript } from "../support/remote_script.ts";
import { remoteStore } from "../support/remote_store.ts";
import { reportFigures } from "../support/report_figures.ts";
import { seededRun } from "../support/seeded_run.ts";
import { walkImports, walkStore } from "../support/store_walk.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { OPERATIONS, playTrace, TRACES } from "../support/trace_run.ts";

/** How long it takes with the program at hand. */
export const SECONDS = 50;

const SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 1);
const CLIENTS = ["npm", "native"] as const;
const ENV = {
  DENO_KV_ACCESS_TOKEN: TEST_TOKEN,
  MNEM_STORE: "",
  MNEM_AUTHOR: "",
};
const WALK = fileURLToPath(
  new URL("../support/store_walk.ts", import.meta.url),
);

const { path: program = "", ...rest } = await denokv();
if (program === "") console.log("skipped:", rest);
const ignore = program === "";
const npm = await isThere(["npm"]) && await isThere(["node"]);

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

Deno.test({ name: "denokv: the programs on Deno", ignore }, async () => {
  const deno = (file: string): Program => [
    Deno.execPath(),
    "run",
    "-A",
    fileURLToPath(new URL(`../../${file}`, import.meta.url)),
  ];
  await playPrograms(deno("cli/mod.ts"), deno("mcp/mod.ts"));
});

Deno.test({
  name: "denokv: the packages on Node",
  ignore: ignore || !npm,
}, async () => {
  await using project = await npmProject();
  const { folder, run } = project;
  await copyFile(WALK, join(folder, "src", "store_walk.ts"));
  await writeFile(
    join(folder, "src", "walk.ts"),
    `import { walkImports, walkStore } from "./store_walk.js";
const [one, two, three] = process.argv.slice(2);
await walkStore(one);
await walkImports(two, three);
console.log("walked", process.version);
`,
  );
  await compilePrograms(project);
  await using one = await emptyServer();
  await using two = await emptyServer();
  await using three = await emptyServer();
  const urls = [one.url, two.url, three.url];
  assert.match(await run(["node", "src/walk.js"], ...urls), /^walked v\d/);
  const bin = (name: string): Program => [
    "node",
    join(folder, "node_modules", "@mnem", name, "bin.js"),
  ];
  await playPrograms(bin("cli"), bin("mcp"));
});

/** The command line and the MCP server on a store each. */
async function playPrograms(cli: Program, mcp: Program): Promise<void> {
  await using at = await emptyServer();
  await using other = await emptyServer();
  await mcpRoundTrip([`--store=${at.url}`], { program: mcp, env: ENV });
  const env = { ...ENV, MNEM_STORE: other.url };
  await mnemRoundTrip(cli, { cwd: other.folder, env });
}
