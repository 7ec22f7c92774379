/**
 * A client hears of what another process wrote, in both eras.
 *
 * @module
 */

import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { remember } from "@mnem/agents";
import { openStore, type Store } from "@mnem/core";
import { WATCH_PAUSE_MS } from "../../mcp/limits.ts";
import { serveStreams } from "../../mcp/serve_stdio.ts";
import { ManualTimer } from "../support/manual_timer.ts";
import { tempFolder } from "../support/temp_folder.ts";
import {
  type Answer,
  answersOf,
  call,
  INITIALIZE,
  modernRequest,
  request,
  runServer,
  startServer,
} from "./server_process.ts";

const SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";
// As a client may write it: another spelling of the same resource.
const NODE = "mnem://memory/owner%2f%ce%b1";
const CANCEL =
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"ears"}}\n';

function listen(...uris: string[]): string {
  return modernRequest("ears", "subscriptions/listen", {
    notifications: { resourceSubscriptions: uris },
  });
}

/** A server that is talked to line by line. */
function conversation(path: string) {
  const child = startServer([`--store=${path}`]);
  const answers = answersOf(child.stdout);
  const writer = child.stdin.getWriter();
  const stderr = new Response(child.stderr).text();
  return {
    send: (text: string) => writer.write(new TextEncoder().encode(text)),
    async next(): Promise<Answer & { method?: string; params?: unknown }> {
      const { value } = await answers.next();
      assert.ok(value !== undefined, "the server has ended");
      return value;
    },
    async end() {
      await writer.close();
      const rest = await Array.fromAsync(answers);
      const { code } = await child.status;
      assert.equal(code, 0, await stderr);
      await stderr;
      return rest;
    },
  };
}

async function writeElsewhere(path: string, content: unknown): Promise<void> {
  const { code, stderr } = await runServer(
    [`--store=${path}`],
    call(1, "remember", { id: "owner/α", content }),
  );
  assert.equal(code, 0, stderr);
}

const updated = (uri: string, _meta?: object) => ({
  jsonrpc: "2.0",
  method: "notifications/resources/updated",
  params: _meta === undefined ? { uri } : { uri, _meta },
});

Deno.test("a listener hears of another process's write, and reads it", async () => {
  await using folder = await tempFolder();
  const path = `${folder.path}/mem`;
  const listener = conversation(path);
  await listener.send(listen("mnem://memory", NODE, "mnem://memory/other"));
  const { method, params } = await listener.next();
  assert.equal(method, "notifications/subscriptions/acknowledged");
  assert.deepEqual(Object(params).notifications, {
    resourceSubscriptions: ["mnem://memory", NODE, "mnem://memory/other"],
  });

  await writeElsewhere(path, "here");
  const about = { [SUBSCRIPTION_ID]: "ears" };
  assert.deepEqual(await listener.next(), updated("mnem://memory", about));
  assert.deepEqual(await listener.next(), updated(NODE, about));
  await listener.send(modernRequest(2, "resources/read", { uri: NODE }));
  const { result } = await listener.next();
  assert.equal(JSON.parse(Object(result).contents[0].text).content, "here");

  // An open ear does not keep the server when its input ends.
  assert.deepEqual(await listener.end(), []);
});

Deno.test("a client of an older revision subscribes, hears, and unsubscribes", async () => {
  await using folder = await tempFolder();
  const path = `${folder.path}/mem`;
  const client = conversation(path);
  await client.send(INITIALIZE);
  const { result } = await client.next();
  assert.deepEqual(Object(result).capabilities.resources, {
    listChanged: false,
    subscribe: true,
  });
  for (const uri of [NODE, "mnem://log"]) {
    await client.send(request(uri, "resources/subscribe", { uri }));
    assert.deepEqual((await client.next()).result, {});
  }
  await writeElsewhere(path, 1);
  assert.deepEqual(await client.next(), updated(NODE));
  assert.deepEqual(await client.next(), updated("mnem://log"));

  await client.send(request(3, "resources/unsubscribe", { uri: NODE }));
  assert.deepEqual((await client.next()).result, {});
  await writeElsewhere(path, 2);
  assert.deepEqual(await client.next(), updated("mnem://log"));

  // Never subscribed: no error, as git's "already up to date".
  await client.send(request(4, "resources/unsubscribe", { uri: NODE }));
  assert.deepEqual((await client.next()).result, {});
  const elsewhere = { uri: "test://of-somebody-else" };
  await client.send(request(5, "resources/subscribe", elsewhere));
  assert.deepEqual((await client.next()).result, {});
  for (const uri of ["mnem://elsewhere", "no uri", "mnem://memory/%"]) {
    await client.send(request(5, "resources/subscribe", { uri }));
    const { error } = await client.next();
    assert.equal(error?.code, -32602);
    assert.deepEqual(error?.data, { uri, code: "invalid_argument" });
  }
  assert.deepEqual(await client.end(), []);
});

/** A store whose head is read in another way. */
function withHead(store: Store, head: Store["head"]): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name === "head") return head;
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** A server of this process, over pipes. */
function servedHere(store: Store, clock: ManualTimer) {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const lines = answersOf(
    ReadableStream.from(stdout) as ReadableStream<Uint8Array>,
  );
  const handle = serveStreams(store, { stdin, stdout }, clock);
  return {
    send: (text: string) => stdin.write(text),
    next: async () => (await lines.next()).value,
    async end() {
      stdin.end();
      await handle.closed;
    },
  };
}

Deno.test("the head is looked at while somebody listens, and no more after cancelled", async () => {
  await using folder = await tempFolder();
  await using store = await openStore(folder.path, { create: true });
  const clock = new ManualTimer();
  let looks = 0;
  const counted = withHead(store, () => {
    looks += 1;
    return store.head();
  });
  const { send, next, end } = servedHere(counted, clock);
  const answered = async (id: number) => {
    send(modernRequest(id, "tools/list"));
    assert.equal((await next())?.id, id);
  };

  await answered(1);
  assert.deepEqual([looks, clock.waiting], [0, 0], "nobody listens");

  send(listen("mnem://memory/a"));
  await next();
  assert.deepEqual([looks, clock.waiting], [1, 1]);
  await remember(store, "a", 1);
  await remember(store, "a", 2);
  clock.tick();
  assert.deepEqual(
    await next(),
    updated("mnem://memory/a", { [SUBSCRIPTION_ID]: "ears" }),
  );
  await answered(2);
  assert.deepEqual([looks, clock.waiting], [2, 1], "two writes, one word");

  send(CANCEL);
  await answered(3);
  assert.deepEqual([looks, clock.waiting], [2, 0]);
  await remember(store, "a", 3);
  clock.tick();
  await answered(4);
  assert.deepEqual([looks, clock.waiting], [2, 0], "nobody listens any more");

  await end();
  assert.ok(2 * WATCH_PAUSE_MS <= 500, "told within half a second");
});

Deno.test("a subscription is answered when changes are seen from then on, not before", async () => {
  await using folder = await tempFolder();
  await using store = await openStore(folder.path, { create: true });
  const looked = Promise.withResolvers<void>();
  const slow = withHead(store, () => looked.promise.then(() => store.head()));
  const { send, next, end } = servedHere(slow, new ManualTimer());
  const uri = "mnem://memory";
  send(INITIALIZE + request("ears", "resources/subscribe", { uri }));
  send(request("other", "tools/list"));
  assert.equal((await next())?.id, "init");
  assert.equal((await next())?.id, "other");
  looked.resolve();
  assert.equal((await next())?.id, "ears");
  await end();
});

Deno.test("a connection has at most 1,024 listens, and refuses the next", async () => {
  await using folder = await tempFolder();
  await using store = await openStore(folder.path, { create: true });
  const { send, next, end } = servedHere(store, new ManualTimer());
  const filter = { notifications: { resourceSubscriptions: ["mnem://log"] } };
  for (let id = 0; id <= 1_024; id++) {
    send(modernRequest(id, "subscriptions/listen", filter));
  }
  for (let id = 0; id < 1_024; id++) {
    assert.equal((await next())?.id, undefined, "acknowledged");
  }
  const refused = await next();
  assert.deepEqual([refused?.id, refused?.error?.code], [1_024, -32603]);
  send(modernRequest("other", "tools/list"));
  assert.equal((await next())?.id, "other");
  await end();
});
