/**
 * The end of a handle: what was begun ends first, and after it nothing works.
 *
 * @module
 */

import assert from "node:assert/strict";
import { openStore, type Store } from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { FaultDriver } from "../support/fault_driver.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { tempFolder } from "../support/temp_folder.ts";

/** Everything that can be asked of a store or of a view of it. */
function callsOf(store: Store): (() => Promise<unknown>)[] {
  const view = store.on("main");
  const options = { message: "late" };
  return [
    ...[store, view].flatMap((branch) => [
      () => branch.head(),
      () => branch.at(),
      () => branch.node("a"),
      () => branch.memory(),
      () => branch.blame("a"),
      () => branch.write([{ id: "a", content: 9 }], options),
      () => branch.changes(),
      () => branch.bisect(() => true),
      () => Array.fromAsync(branch.nodes()),
      () => Array.fromAsync(branch.versions("a")),
      () => Array.fromAsync(branch.log()),
      () => Array.fromAsync(branch.diff("HEAD")),
    ]),
    () => store.resolve("HEAD"),
    () => store.readCommit("HEAD"),
    () => store.branches(),
    () => store.createBranch("new"),
    () => store.deleteBranch("new"),
    () => store.switchTo("main"),
    () => store.stage.put("a", { content: 1 }),
    () => store.stage.remove("a"),
    () => store.stage.unstage("a"),
    () => store.stage.list(),
    () => Array.fromAsync(store.stage.diff()),
    () => store.stage.commit(options),
  ];
}

const closed = { name: "TypeError", message: /closed/ };

Deno.test("close(): every call after it, on the store, its views and snapshots, is a TypeError", async () => {
  const kv = new MemoryKv();
  const store = await openStoreOn(kv.open(), { create: true });
  await store.write([{ id: "a", content: 1 }], { message: "one" });
  const calls = callsOf(store);
  const snapshot = await store.at();
  await store.close();
  for (const call of calls) await assert.rejects(call, closed, String(call));
  await assert.rejects(() => snapshot.node("a"), closed);
  await assert.rejects(() => Array.fromAsync(snapshot.nodes()), closed);
  await store.close();
  const again = await openStoreOn(kv.open());
  assert.equal((await again.node("a"))?.content, 1);
  assert.deepEqual([...(await again.branches()).keys()], ["main"]);
});

Deno.test("close(): a view ends with its own handle, not with another one on the same store", async () => {
  await using folder = await tempFolder();
  const first = await openStore(folder.path, { create: true });
  const second = await openStore(folder.path);
  await first.write([{ id: "a", content: 1 }], { message: "one" });
  const view = first.on("main");
  const snapshot = await first.at();
  await first.close();
  await assert.rejects(() => view.node("a"), closed);
  await assert.rejects(() => snapshot.node("a"), closed);
  assert.equal((await second.node("a"))?.content, 1);
  await second.close();
});

Deno.test("close(): what was begun before it ends with its answer", async () => {
  const kv = new MemoryKv();
  const driver = new FaultDriver(kv.open());
  const store = await openStoreOn(driver, { create: true });
  await store.write([{ id: "a", content: 1 }], { message: "one" });
  const gate = Promise.withResolvers<void>();
  // Every storage call waits, so that all of these are on their way when the handle is closed.
  driver.arm(() => ({ slow: gate.promise }));
  const begun = [
    store.write([{ id: "a", content: 2 }], { message: "two" }),
    store.on("main").write([{ id: "b", content: 2 }], { message: "view" }),
    store.stage.put("s", { content: 1 }),
    store.createBranch("new"),
  ];
  const reads = Promise.allSettled([store.node("a"), store.memory()]);
  let isClosed = false;
  const closing = store.close().then(() => isClosed = true);
  await assert.rejects(
    store.write([{ id: "c", content: 1 }], { message: "late" }),
    closed,
  );
  await Promise.resolve();
  assert.equal(isClosed, false);
  gate.resolve();
  const answers = await Promise.allSettled(begun);
  assert.deepEqual(
    answers.map(({ status }) => status),
    begun.map(() => "fulfilled"),
  );
  // A read may be refused at its next step, but never with a defect.
  for (const read of await reads) {
    if (read.status === "rejected") assert.match(read.reason.message, /closed/);
  }
  await closing;
  const again = await openStoreOn(kv.open());
  const messages = (await Array.fromAsync(again.log())).map((commit) =>
    commit.message
  );
  assert.deepEqual(messages.toSorted(), ["one", "two", "view"]);
  assert.deepEqual([...(await again.stage.list()).nodes.keys()], ["s"]);
  assert.equal((await again.branches()).has("new"), true);
});

Deno.test("close(): a write whose guard still judges is finished too", async () => {
  const kv = new MemoryKv();
  const gate = Promise.withResolvers<void>();
  const store = await openStoreOn(kv.open(), {
    create: true,
    guard: () => gate.promise,
  });
  const write = store.write([{ id: "a", content: 1 }], { message: "one" });
  const closing = store.close();
  gate.resolve();
  const { commit } = await write;
  await closing;
  const again = await openStoreOn(kv.open());
  assert.equal((await again.head()).commit, commit);
});

Deno.test("close(): a list that is being read does not hold it up, and ends", async () => {
  const store = await openStoreOn(new MemoryKv().open(), { create: true });
  const edits = ["a", "b", "c"].map((id) => ({ id, content: 1 }));
  await store.write(edits, { message: "one" });
  const seen: string[] = [];
  await assert.rejects(async () => {
    for await (const { id } of store.nodes()) {
      seen.push(id);
      await store.close();
    }
  }, closed);
  assert.deepEqual(seen, ["a"]);
});

Deno.test("close(): an item of a list that is on its way arrives, and is the last", async () => {
  const store = await openStoreOn(new MemoryKv().open(), { create: true });
  const edits = ["a", "b", "c"].map((id) => ({ id, content: 1 }));
  await store.write(edits, { message: "one" });
  for (const list of [store.nodes(), store.entries()]) {
    const items = list[Symbol.asyncIterator]();
    assert.equal((await items.next()).value?.id, "a");
    await items.return?.();
  }
  const snapshot = await store.at("HEAD");
  const lists = [snapshot.nodes(), snapshot.entries()].map((list) =>
    list[Symbol.asyncIterator]()
  );
  const first = lists.map((items) => items.next());
  const closing = store.close();
  const arrived = await Promise.all(first);
  assert.deepEqual(arrived.map(({ value }) => value?.id), ["a", "a"]);
  await closing;
  for (const items of lists) await assert.rejects(() => items.next(), closed);
});
