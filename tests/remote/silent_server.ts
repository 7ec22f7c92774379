/**
 * What happens to calls whose server goes silent, or away: in the test's process, and in others.
 *
 * @module
 */

import assert from "node:assert/strict";
import { checkHistory } from "../support/check_history.ts";
import {
  type KvConnectServer,
  kvConnectServer,
  TEST_TOKEN,
} from "../support/kv_connect_server.ts";
import { remoteStore } from "../support/remote_store.ts";
import { tempFolder } from "../support/temp_folder.ts";
import type { CallEnd } from "./caller.ts";

const CALLER = new URL("caller.ts", import.meta.url).pathname;

/** A server with a store that holds the node a, for one test. */
export async function storeServer() {
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

/** A write whose answer never comes is found, or said to be in doubt. */
export async function writeIntoSilence(): Promise<void> {
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

/** A write that the server does when the client has long given up, and then wrote it again. */
export async function writeThatIsHeldBack(): Promise<void> {
  await using at = await storeServer();
  const store = await remoteStore(at.server.url);
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
  at.server.arm(({ kind, nth }) =>
    kind === "write" && nth === 1 ? { until } : undefined
  );
  const write = { id: "a", content: "new" };
  await assert.rejects(store.write([write], { message: "new" }), {
    code: "store_io",
    outcome: "unknown",
  });
  await store.write([write], { message: "again" });
  letGo();
  await at.server.settled();
  assert.equal(at.server.counts.write, 2);
  const { messages } = await checkHistory(store);
  assert.deepEqual(messages, ["seed", "again"]);
  await store.close();
}

/** Processes whose server is gone, silent, or never greets: an error in time, and then their end. */
export async function callFromProcesses(
  client: "npm" | "native",
): Promise<void> {
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
