/**
 * What a store on a server says when the server fails: the right code, soon, never the access token;
 * and that it goes on when the server does.
 *
 * @module
 */

import assert from "node:assert/strict";
import { exitStatus, isMnemError, MnemError, type Store } from "@mnem/core";
import { session } from "../cli/session.ts";
import {
  answersOf,
  call,
  INITIALIZE,
  runServer,
  startServer,
} from "../mcp/server_process.ts";
import { checkHistory } from "../support/check_history.ts";
import {
  kvConnectServer,
  type Mishap,
  TEST_TOKEN,
} from "../support/kv_connect_server.ts";
import { MISHAPS, protobuf, remoteStore } from "../support/remote_store.ts";
import { tempFolder } from "../support/temp_folder.ts";

/** What a server might say to whoever asks with a token. */
const ECHO = `Bearer ${TEST_TOKEN} {"token":"${TEST_TOKEN}"}`;
const REFUSED =
  /: the server refused the access token in DENO_KV_ACCESS_TOKEN$/;
const FOREIGN = /: its server does not speak KV Connect$/;

const says = (status: number, text = ECHO): Mishap => ({
  answer: () => new Response(text, { status }),
});
const gives = (body: object): Mishap => ({
  answer: () => Response.json(body),
});

/** Failures of a server, each with what is said of it. */
const FAILURES: { readonly [what: string]: readonly [Mishap, RegExp] } = {
  "a connection that breaks": ["refuse", /: its server broke off its answer$/],
  "401": [says(401), REFUSED],
  "403": [says(403), REFUSED],
  "a limit": [says(400, "TooManyChecks"), /: .* status 400: TooManyChecks$/],
  "400 with the token": [
    says(400),
    /status 400: Bearer \*\*\* {"token":"\*\*\*"}$/,
  ],
  "429": [
    says(429, "slow\ndown"),
    /: its server answered with status 429: slow$/,
  ],
  "500": [says(500), /: its server answered with status 500: Bearer \*\*\* /],
  "503": [says(503, ""), /: its server answered with status 503$/],
  "a page of HTML": [says(200), FOREIGN],
  "no bytes": [{ answer: () => protobuf(new Uint8Array()) }, FOREIGN],
  "other bytes": [
    { answer: () => protobuf(new TextEncoder().encode(ECHO)) },
    /^Cannot \w+ store/,
  ],
};

/** Handshakes that are none. */
const HANDSHAKES: typeof FAILURES = {
  "JSON that is cut": [says(200, ECHO.slice(-30)), FOREIGN],
  "a later version": [gives({ token: TEST_TOKEN, version: 9 }), FOREIGN],
  "no place for data": [
    gives({
      version: 3,
      databaseId: "00000000-0000-4000-8000-000000000000",
      endpoints: [],
      token: TEST_TOKEN,
      expiresAt: "2099-01-01T00:00:00Z",
    }),
    FOREIGN,
  ],
  "a token that no header holds": [
    gives({ token: `${TEST_TOKEN}\n` }),
    FOREIGN,
  ],
};

/** Fails with a `store_io` that says so, in a few seconds, and tells no token anywhere. */
async function failsWith(
  called: Promise<unknown>,
  pattern: RegExp,
): Promise<MnemError> {
  const start = performance.now();
  const error = await called.then(() => undefined, (error) => error);
  assert.ok(isMnemError(error, "store_io"), Deno.inspect(error));
  assert.match(error.message, pattern);
  assert.ok(performance.now() - start < 5_000, "it took too long");
  const all = Deno.inspect(error, { depth: 20 });
  assert.ok(all.includes(error.message), "all of it is looked at");
  assert.ok(!all.includes(TEST_TOKEN), all);
  return error;
}

const write = (store: Store, message: string) =>
  store.write([{ id: "a", content: message }], { message });

async function shaky() {
  const folder = await tempFolder();
  const server = await kvConnectServer(`${folder.path}/a.db`, TEST_TOKEN);
  const store = await remoteStore(server.url, { create: true });
  await write(store, "seed");
  return {
    path: folder.path,
    server,
    store,
    async [Symbol.asyncDispose]() {
      await store.close();
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

for (const [what, [mishap, pattern]] of Object.entries(FAILURES)) {
  Deno.test(`a server that fails: ${what}`, async () => {
    await using at = await shaky();
    at.server.arm(() => mishap);
    await failsWith(at.store.node("a"), pattern);
    await failsWith(at.store.verify(), pattern);
    const lost = await failsWith(write(at.store, "failed"), pattern);
    // A mishap that does nothing: what was asked of the server is not there.
    at.server.arm(() => undefined);
    assert.equal((await at.store.node("a"))?.content, "seed");
    await write(at.store, "again");
    const { messages } = await checkHistory(at.store);
    assert.deepEqual(messages, ["seed", "again"]);
    const untouched = REFUSED.test(lost.message) ? "none" : "unknown";
    assert.ok(["none", untouched].includes(lost.outcome), lost.outcome);
  });
}

for (
  const [what, [mishap, pattern]] of Object.entries({
    ...FAILURES,
    ...HANDSHAKES,
  })
) {
  if (what === "no bytes" || what === "other bytes") continue;
  Deno.test(`a handshake that fails: ${what}`, async () => {
    await using at = await shaky();
    at.server.arm(() => mishap);
    const error = await failsWith(remoteStore(at.server.url), pattern);
    assert.match(error.message, /^Cannot open store/);
    at.server.arm(() => undefined);
    await (await remoteStore(at.server.url)).close();
  });
}

Deno.test("a server that fails once is asked again, and nobody hears of it", async () => {
  await using at = await shaky();
  for (const mishap of MISHAPS) {
    for (const kind of ["read", "write"] as const) {
      at.server.arm((request) =>
        request.kind === kind && request.nth === 1 ? mishap : undefined
      );
      // Bytes that are none are not asked for again.
      const outcome = await write(
        at.store,
        `${kind} ${MISHAPS.indexOf(mishap)}`,
      )
        .then(() => "written", () => "failed");
      at.server.arm(() => undefined);
      await at.server.settled();
      assert.equal((await at.store.node("a")) === null, false, outcome);
    }
  }
  const { messages } = await checkHistory(at.store);
  assert.equal(new Set(messages).size, messages.length, "none is there twice");
  assert.deepEqual(
    messages.filter((message) => message.startsWith("write")),
    MISHAPS.map((_, i) => `write ${i}`),
  );
});

Deno.test("a server that is gone, and comes back at the same place", async () => {
  await using at = await shaky();
  const port = Number(new URL(at.server.url).port);
  await at.server[Symbol.asyncDispose]();
  await failsWith(at.store.node("a"), /: its server cannot be reached$/);
  const lost = await failsWith(write(at.store, "lost"), /cannot be reached$/);
  assert.ok(lost.outcome === "unknown" || lost.outcome === "none");
  await failsWith(
    remoteStore(at.server.url),
    /: its server cannot be reached$/,
  );
  await using _again = await kvConnectServer(`${at.path}/a.db`, TEST_TOKEN, {
    port,
  });
  await write(at.store, "back");
  const { messages } = await checkHistory(at.store);
  assert.deepEqual(messages, ["seed", "back"]);
});

Deno.test("a server that closes every connection without a word", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const closing = (async () => {
    for await (const connection of listener) connection.close();
  })();
  const url = `http://127.0.0.1:${listener.addr.port}`;
  await failsWith(remoteStore(url), /: its server cannot be reached$/);
  listener.close();
  await closing.catch(() => {});
});

Deno.test("the command line and a server that fails: its status, and no token", async () => {
  await using at = await shaky();
  await using typed = await session();
  const world = { env: { MNEM_STORE: at.server.url } };
  const { status } = await typed.mnemIn(world, "recall", "a");
  assert.equal(status, 0);
  const expected = exitStatus(new MnemError("store_io", ""));
  const all = { ...FAILURES, ...HANDSHAKES };
  for (const [what, [mishap]] of Object.entries(all)) {
    // Those would be asked again and again, and the others quote the token too.
    if (/^5|breaks/.test(what)) continue;
    for (const line of [["recall", "a"], ["remember", "a", "2"], ["init"]]) {
      at.server.arm(() => mishap);
      const ran = await typed.mnemIn(world, ...line);
      assert.equal(ran.status, expected, `${what}: ${ran.err}`);
      assert.match(ran.err, /Cannot (open|read|write to) store/);
      assert.ok(!(ran.out + ran.err).includes(TEST_TOKEN), ran.err);
      const json = await typed.mnemIn(world, "--json", ...line);
      assert.ok(!(json.out + json.err).includes(TEST_TOKEN), json.out);
    }
  }
});

Deno.test("the MCP server and a server that fails: it says so, serves on, and tells no token", async () => {
  await using at = await shaky();
  const env = { DENO_KV_ACCESS_TOKEN: TEST_TOKEN };
  const flags = [`--store=${at.server.url}`];
  const child = startServer(flags, { env });
  const stderr = new Response(child.stderr).text();
  const answers = answersOf(child.stdout);
  const writer = child.stdin.getWriter();
  const ask = async (frames: string) => {
    await writer.write(new TextEncoder().encode(frames));
    return (await answers.next()).value;
  };
  await ask(INITIALIZE);
  let id = 0;
  for (const name of ["401", "400 with the token", "500"]) {
    const [mishap, pattern] = FAILURES[name]!;
    at.server.arm(() => mishap);
    for (const args of [["recall", { id: "a" }], ["forget", { id: "a" }]]) {
      const answer = await ask(call(++id, String(args[0]), args[1]));
      assert.equal(answer?.result?.isError, true);
      const said = Object(answer.result?._meta?.["dev.mnem/error"]);
      assert.equal(said.code, "store_io");
      const [message, advice] = String(said.message).split("; if it stays so");
      assert.match(message ?? "", pattern);
      assert.equal(advice, ", tell the user");
      assert.ok(!JSON.stringify(answer).includes(TEST_TOKEN));
    }
  }
  at.server.arm(() => undefined);
  const answer = await ask(call(++id, "recall", { id: "a" }));
  assert.equal(Object(answer?.result?.structuredContent?.["result"]).id, "a");
  await writer.close();
  assert.equal((await child.status).code, 0);
  const said = await stderr;
  assert.match(said, /serving http/);
  assert.ok(!said.includes(TEST_TOKEN), said);

  at.server.arm(() => says(401));
  const refused = await runServer(flags, "", { env });
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /the server refused the access token/);
  assert.ok(!(refused.stderr + refused.stdout).includes(TEST_TOKEN));
});
