/**
 * A walk through all that a store does, with every answer written out by hand: for stores in places
 * where the other tests do not go. Knows nothing but the packages, so that it runs where they run.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  exportBundle,
  importBundle,
  initStore,
  type OpenOptions,
  openStore,
  type Store,
} from "@mnem/core";
import { forget, remember, whatsNew, whenDid } from "@mnem/agents";

/** How a place opens its store; the usual way unless said otherwise. */
export type OpenPlace = (options?: OpenOptions) => Promise<Store>;

const LONG = "0123456789".repeat(13_000);
const BULK = 1_500;

/** Walks through an empty place, and leaves a store there. */
export async function walkStore(
  location: string,
  open: OpenPlace = (options) => openStore(location, options),
): Promise<void> {
  await assert.rejects(open(), { code: "no_store" });
  const store = await open({ create: true, author: "walker" });
  try {
    await writeAndRead(store);
    await branchAndMerge(store);
    await takeBack(store);
    await stageAndCommit(store);
    await lookBack(store);
    await writeMany(store);
    const bundle = await bytesOf(store);
    assert.ok(bundle.length > LONG.length);
    const memory = await store.memory();
    const { checked, faults } = await store.verify();
    assert.deepEqual(faults, []);
    assert.ok(checked > BULK);
    const again = await open();
    assert.deepEqual(await again.memory(), memory);
    assert.deepEqual(await again.head(), await store.head());
    await again.close();
  } finally {
    await store.close();
  }
}

/** Fills one empty place, makes a store in another from its bundle, and imports that once more beside it. */
export async function walkImports(from: string, to: string): Promise<void> {
  const made = await initStore(from);
  await made.write([{ id: "a", content: 1 }, { id: "long", content: LONG }], {
    message: "first",
  });
  await made.createBranch("dev");
  await made.on("dev").write([{ id: "b", content: 2 }], { message: "second" });
  const bundle = await bytesOf(made);
  const [dev, main] = (await made.branches()).values();
  await made.close();

  const whole = await importBundle(to, streamOf(bundle));
  assert.deepEqual(await bytesOf(whole), bundle);
  await whole.close();
  await assert.rejects(importBundle(to, streamOf(bundle)), {
    code: "store_exists",
  });
  const both = await importBundle(to, streamOf(bundle), { prefix: "old/" });
  try {
    assert.deepEqual([...await both.branches()], [
      ["dev", dev],
      ["main", main],
      ["old/dev", dev],
      ["old/main", main],
    ]);
    assert.notEqual(dev, main);
    const memory = await (await both.at("old/dev")).memory();
    assert.deepEqual([...memory.keys()], ["a", "b", "long"]);
    assert.equal(memory.get("long")?.content, LONG);
    assert.deepEqual((await both.verify()).faults, []);
  } finally {
    await both.close();
  }
}

async function writeAndRead(store: Store): Promise<void> {
  const first = await remember(store, "plan", "pro", { observation: "n-17" });
  assert.deepEqual([...first.changes], [["plan", "added"]]);
  const same = await remember(store, "plan", "pro", { observation: "n-17" });
  assert.equal(same.changes.size, 0);
  assert.equal(same.commit, first.commit);
  const { commit, node } = await store.blame("plan");
  assert.equal(commit.id, first.commit);
  assert.equal(commit.author, "walker");
  assert.equal(node.provenance.observation, "n-17");
  await remember(store, "plan", "free");
  await assert.rejects(
    remember(store, "plan", "team", { base: first.commit }),
    { code: "conflict" },
  );
  await remember(store, "gone", 1);
  await forget(store, "gone");
  await assert.rejects(forget(store, "gone"), { code: "not_found" });
  assert.equal(await store.node("gone"), null);
  assert.equal((await store.node("plan"))?.content, "free");
}

async function branchAndMerge(store: Store): Promise<void> {
  await store.createBranch("dev");
  await remember(store.on("dev"), "plan", "team");
  await remember(store.on("dev"), "beside", true);
  await remember(store, "plan", "solo");
  const conflicts = await store.merge("dev");
  assert.equal(conflicts.status, "conflicts");
  assert.deepEqual(
    conflicts.conflicts.map(({ id, kind, base, ours, theirs }) => [
      ...[id, kind, base?.content, ours?.content, theirs?.content],
    ]),
    [["plan", "edit/edit", "free", "solo", "team"]],
  );
  const merged = await store.merge("dev", { resolutions: { plan: "theirs" } });
  assert.equal(merged.status, "merged");
  assert.equal((await store.node("plan"))?.content, "team");
  assert.equal((await store.node("beside"))?.content, true);
  const { commit } = await store.blame("beside");
  assert.equal(commit.id, await store.resolve("dev"));
  await store.switchTo("dev");
  assert.equal((await store.head()).branch, "dev");
  assert.equal((await store.merge("main")).status, "fast-forwarded");
  await store.switchTo("main");
  assert.equal(await store.deleteBranch("dev"), true);
  assert.deepEqual([...(await store.branches()).keys()], ["main"]);
}

async function takeBack(store: Store): Promise<void> {
  const { commit } = await remember(store, "mistake", 1);
  const taken = await store.revert(commit!);
  assert.deepEqual([...taken.changes], [["mistake", "removed"]]);
  assert.equal(await store.node("mistake"), null);
}

async function stageAndCommit(store: Store): Promise<void> {
  await store.stage.put("staged", { content: 1 });
  await store.stage.put("other", { content: 2 });
  await store.stage.remove("beside");
  assert.equal(await store.stage.unstage("other"), true);
  const { nodes, removals } = await store.stage.list();
  assert.deepEqual([[...nodes.keys()], removals], [["staged"], ["beside"]]);
  const { changes } = await store.stage.commit({ message: "from the stage" });
  assert.deepEqual([...changes].sort(), [
    ["beside", "removed"],
    ["staged", "added"],
  ]);
  assert.equal((await store.stage.list()).nodes.size, 0);
}

async function lookBack(store: Store): Promise<void> {
  const messages: string[] = [];
  for await (const { message } of store.log({ firstParent: true })) {
    messages.push(message);
  }
  assert.equal(messages[0], "from the stage");
  assert.equal(messages.length, 9);
  const { commit } = await whenDid(store, "plan", { equals: "team" });
  assert.equal(commit.parents.length, 2);
  const values: unknown[] = [];
  for await (const { node } of store.versions("plan")) {
    values.push(node?.content);
  }
  assert.deepEqual(values, ["team", "free", "pro"]);
  assert.deepEqual([...await whatsNew(store)].sort(), [
    ["beside", "removed"],
    ["staged", "added"],
  ]);
  const diff: string[] = [];
  for await (const { id, kind } of store.diff("HEAD~2")) {
    diff.push(`${id} ${kind}`);
  }
  assert.deepEqual(diff.sort(), [
    "beside removed",
    "mistake removed",
    "staged added",
  ]);
}

/** More than one atomic write holds, and a value longer than a row. */
async function writeMany(store: Store): Promise<void> {
  const edits = Array.from({ length: BULK }, (_, i) => ({
    id: `bulk/${String(i).padStart(4, "0")}`,
    content: i,
  }));
  await store.write([...edits, { id: "long", content: LONG }], {
    message: "bulk",
  });
  assert.equal((await store.node("long"))?.content, LONG);
  const found: unknown[] = [];
  for await (
    const { content } of store.nodes({ prefix: "bulk/", after: "bulk/1495" })
  ) found.push(content);
  assert.deepEqual(found, [1496, 1497, 1498, 1499]);
  await remember(store, "bulk/0700", "one of many");
  assert.deepEqual([...await whatsNew(store)], [["bulk/0700", "modified"]]);
}

function streamOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  return new Blob([bytes]).stream();
}

async function bytesOf(store: Store): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(exportBundle(store)).arrayBuffer());
}
