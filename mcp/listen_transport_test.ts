import assert from "node:assert/strict";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { ListenTransport } from "./listen_transport.ts";
import { ResourceWatch, type Watcher } from "./resource_watch.ts";

/** A watch that only keeps who watches what, and a wire that keeps what was sent. */
async function listening() {
  const watched = new Map<Watcher, string[]>();
  const sent: JSONRPCMessage[] = [];
  const begun = Promise.withResolvers<void>();
  let slow = false;
  class Kept extends ResourceWatch {
    override async watch(watcher: Watcher, uris: Iterable<string>) {
      watched.set(watcher, [...uris]);
      if (slow) await begun.promise;
    }
    override unwatch(watcher: Watcher) {
      watched.delete(watcher);
    }
    override close() {
      watched.clear();
    }
  }
  const inner: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(inner.onclose?.()),
    send: (message) => Promise.resolve(void sent.push(message)),
  };
  const watch = new Kept({
    store: { head: () => assert.fail(), at: () => assert.fail() },
    notify: () => assert.fail(),
    report: () => assert.fail(),
    timer: () => assert.fail(),
  });
  const transport = new ListenTransport(inner, watch);
  await transport.start();
  const receive = (message: object) =>
    inner.onmessage?.({ jsonrpc: "2.0", ...message } as JSONRPCMessage);
  return {
    transport,
    watched,
    sent,
    listen: (id: string | number) =>
      receive({ id, method: "subscriptions/listen", params: {} }),
    cancel: (requestId: string | number) =>
      receive({ method: "notifications/cancelled", params: { requestId } }),
    acknowledge: (id: string | number, ...resourceSubscriptions: string[]) =>
      transport.send({
        jsonrpc: "2.0",
        method: "notifications/subscriptions/acknowledged",
        params: {
          notifications: { resourceSubscriptions },
          _meta: { "io.modelcontextprotocol/subscriptionId": id },
        },
      }),
    slowDown: () => {
      slow = true;
      return begun.resolve;
    },
  };
}

Deno.test("ListenTransport watches from the acknowledgement until the cancel", async () => {
  const it = await listening();
  it.listen(1);
  it.listen("1");
  assert.deepEqual([...it.watched], [], "nothing is served yet");
  await it.acknowledge(1, "mnem://memory/%61");
  await it.acknowledge("1", "mnem://log");
  assert.deepEqual([...it.watched], [[1, ["mnem://memory/%61"]], ["1", [
    "mnem://log",
  ]]]);
  it.cancel(1);
  assert.deepEqual([...it.watched], [["1", ["mnem://log"]]]);
  assert.equal(it.sent.length, 2);
});

Deno.test("ListenTransport does not watch for a listener that gave up before it was served", async () => {
  const it = await listening();
  it.listen(1);
  it.cancel(1);
  await it.acknowledge(1, "mnem://memory");
  assert.deepEqual([...it.watched], []);
  it.listen(1);
  await it.acknowledge(1, "mnem://memory");
  assert.deepEqual([...it.watched.keys()], [1], "the id may be used again");
});

Deno.test("ListenTransport ends a watch with the answer to its request, and with the connection", async () => {
  const it = await listening();
  for (const id of [1, 2]) {
    it.listen(id);
    await it.acknowledge(id, "mnem://memory");
  }
  await it.transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  assert.deepEqual([...it.watched.keys()], [2]);
  let closes = 0;
  it.transport.onclose = () => closes += 1;
  await it.transport.close();
  assert.deepEqual([...it.watched.keys()], []);
  assert.equal(closes, 1);
});

Deno.test("ListenTransport acknowledges when changes are seen, not before", async () => {
  const it = await listening();
  const begin = it.slowDown();
  it.listen(1);
  const acknowledged = it.acknowledge(1, "mnem://memory");
  assert.deepEqual(it.sent, []);
  begin();
  await acknowledged;
  assert.equal(it.sent.length, 1);
});
