/**
 * Changes kept aside until they are committed.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  isMnemError,
  type MnemErrorCode,
  type NodeChange,
  type OpenOptions,
  type Store,
} from "@mnem/core";
import type { AtomicWrite, Driver } from "../../core/storage/driver.ts";
import { stagedKey } from "../../core/storage/keys.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { MemoryKv } from "../support/memory_kv.ts";

const MESSAGE = { message: "m", timeMs: 1 };

Deno.test("put() and commit() make the first commit, and the stage is empty", async () => {
  const { kv, store } = await started();
  const object = await store.stage.put("greeting", { content: "hello" });
  // Pinned by the reference: note_minimal.
  assert.equal(
    object,
    "5107a6e4f686efec31950bf3171e7b4affd3c83697e8ab5182dc4a5f867cce10",
  );
  assert.deepEqual(await listed(store), { nodes: ["greeting"], removals: [] });
  assert.equal((await store.head()).commit, null);
  assert.equal(await store.node("greeting"), null);
  const { commit, changes } = await store.stage.commit({
    message: "first",
    author: "a",
    timeMs: 5,
  });
  assert.deepEqual([...changes], [["greeting", "added"]]);
  assert.deepEqual(await store.readCommit("main"), {
    id: commit,
    parents: [],
    state: "d1cdd28f6540e9e7a344554add2bd056bbf3717e7680833582fc463435446991",
    message: "first",
    author: "a",
    timeMs: 5,
  });
  assert.equal((await store.node("greeting"))?.content, "hello");
  assertEmpty(kv);
  await store.close();
});

Deno.test("commit() revises and adds on top of the head", async () => {
  const { kv, store } = await started({ a: 1 });
  const { commit: parent } = await store.head();
  await store.stage.put("b", { content: 1 });
  await store.stage.put("a", { content: 0 });
  await store.stage.put("a", { content: 2, provenance: { source: "s" } });
  const { changes, commit } = await store.stage.commit(MESSAGE);
  assert.deepEqual([...changes], [["a", "modified"], ["b", "added"]]);
  assert.deepEqual((await store.readCommit("HEAD")).parents, [parent]);
  assert.deepEqual((await store.blame("a")).node.provenance, { source: "s" });
  assert.equal((await store.blame("b")).commit.id, commit);
  assertEmpty(kv);
  await store.close();
});

Deno.test("unstage() drops what is staged, once", async () => {
  const { store } = await started({ c: 1 });
  for (const id of ["a", "b"]) await store.stage.put(id, { content: 1 });
  await store.stage.remove("c");
  assert.equal(await store.stage.unstage("b"), true);
  assert.equal(await store.stage.unstage("b"), false);
  assert.equal(await store.stage.unstage("c"), true);
  assert.equal(await store.stage.unstage("never"), false);
  await store.stage.commit(MESSAGE);
  assert.deepEqual([...(await store.memory()).keys()], ["a", "c"]);
  await store.close();
});

Deno.test("remove() stages a removal, drops a new node, and knows what is nowhere", async () => {
  const { kv, store } = await started({ keep: 1, drop: 1 });
  await store.stage.put("keep", { content: 2 });
  await store.stage.put("fresh", { content: 1 });
  await store.stage.put("passing", { content: 1 });
  await store.stage.remove("drop");
  await store.stage.remove("drop");
  await store.stage.remove("passing");
  assert.deepEqual(await listed(store), {
    nodes: ["fresh", "keep"],
    removals: ["drop"],
  });
  await rejectsWith(store.stage.remove("ghost"), "not_found", /"ghost"/);
  await rejectsWith(store.stage.remove("passing"), "not_found", /"passing"/);
  assert.deepEqual(await diffed(store), [["drop", "removed"], [
    "fresh",
    "added",
  ], ["keep", "modified"]]);
  assert.deepEqual((await store.memory()).size, 2);
  const { changes } = await store.stage.commit(MESSAGE);
  assert.deepEqual([...changes], [["drop", "removed"], ["fresh", "added"], [
    "keep",
    "modified",
  ]]);
  assert.deepEqual([...(await store.memory()).keys()], ["fresh", "keep"]);
  assertEmpty(kv);
  await store.close();
});

Deno.test("put() after remove() takes the removal back, and the other way round", async () => {
  const { store } = await started({ a: 1 });
  await store.stage.remove("a");
  await store.stage.put("a", { content: 2 });
  assert.deepEqual(await listed(store), { nodes: ["a"], removals: [] });
  await store.stage.remove("a");
  assert.deepEqual(await listed(store), { nodes: [], removals: ["a"] });
  await store.close();
});

Deno.test("list() and diff() are in bytewise order", async () => {
  const { store } = await started({ "～": 1, "😀": 1 });
  for (const id of ["😀", "é", "a", "～", "aa", "b"]) {
    await store.stage.put(id, { content: 2 });
  }
  assert.deepEqual((await listed(store)).nodes, [
    "a",
    "aa",
    "b",
    "é",
    "～",
    "😀",
  ]);
  const ids = (await diffed(store)).map(([id]) => id);
  assert.deepEqual(ids, ["a", "aa", "b", "é", "～", "😀"]);
  for (const id of ["😀", "～"]) await store.stage.remove(id);
  assert.deepEqual((await listed(store)).removals, ["～", "😀"]);
  await store.close();
});

Deno.test("diff() tells both values, against the head or any commit, and says nothing of what is so already", async () => {
  const { store } = await started({ a: 1, b: 1 });
  const first = (await store.head()).commit!;
  await store.write([{ id: "a", content: 5 }], MESSAGE);
  await store.stage.put("a", { content: 5 });
  await store.stage.put("b", { content: 2, provenance: { note: "n" } });
  const [change, ...others] = await Array.fromAsync(store.stage.diff());
  assert.deepEqual(others, []);
  assert.deepEqual(change, {
    id: "b",
    kind: "modified",
    old: { id: "b", content: 1, contentKind: "note", provenance: {} },
    new: {
      id: "b",
      content: 2,
      contentKind: "note",
      provenance: { note: "n" },
    },
    evidenceOnly: false,
  });
  const since = await Array.fromAsync(store.stage.diff(first));
  assert.deepEqual(
    since.map(({ id, old, new: now }) => [id, old?.content, now?.content]),
    [["a", 1, 5], ["b", 1, 2]],
  );
  await rejectsWith(Array.fromAsync(store.stage.diff("nope")), "invalid_ref");
  await store.close();
});

Deno.test("diff() on a branch without a commit adds everything", async () => {
  const { store } = await started();
  assert.deepEqual(await diffed(store), []);
  await store.stage.put("a", { content: 1 });
  assert.deepEqual(await diffed(store), [["a", "added"]]);
  await store.close();
});

Deno.test("commit() of nothing, or of what is so already, makes no commit and empties the stage", async () => {
  const { kv, store } = await started({ a: 1, b: 1 });
  const { commit } = await store.head();
  assert.deepEqual(await store.stage.commit(MESSAGE), {
    commit,
    changes: new Map(),
  });
  await store.stage.put("a", { content: 1 });
  await store.stage.remove("b");
  await store.write([{ id: "b", remove: true }], MESSAGE);
  const head = (await store.head()).commit;
  assert.deepEqual(await store.stage.commit(MESSAGE), {
    commit: head,
    changes: new Map(),
  });
  assertEmpty(kv);
  await store.stage.put("a", { content: 1 });
  const empty = await store.stage.commit({ ...MESSAGE, allowEmpty: true });
  assert.equal(empty.changes.size, 0);
  assert.deepEqual((await store.readCommit("HEAD")).parents, [head]);
  assertEmpty(kv);
  const bare = await started();
  assert.deepEqual(await bare.store.stage.commit(MESSAGE), {
    commit: null,
    changes: new Map(),
  });
  await bare.store.close();
  await store.close();
});

Deno.test("write() and the stage leave each other alone", async () => {
  const { kv, store } = await started({ a: 1 });
  await store.stage.put("a", { content: 2 });
  await store.stage.put("b", { content: 2 });
  await store.write(
    [{ id: "a", content: 3 }, { id: "c", content: 3 }],
    MESSAGE,
  );
  assert.deepEqual((await listed(store)).nodes, ["a", "b"]);
  assert.equal((await store.node("a"))?.content, 3);
  const { changes } = await store.stage.commit(MESSAGE);
  assert.deepEqual([...changes], [["a", "modified"], ["b", "added"]]);
  assert.deepEqual(contents(await store.memory()), { a: 2, b: 2, c: 3 });
  assertEmpty(kv);
  await store.close();
});

Deno.test("commit() on a detached HEAD is invalid_ref, and what is staged stays", async () => {
  const { store } = await started({ a: 1 });
  await store.switchTo((await store.head()).commit!);
  await store.stage.put("b", { content: 1 });
  await rejectsWith(store.stage.commit(MESSAGE), "invalid_ref", /detached/);
  assert.deepEqual((await listed(store)).nodes, ["b"]);
  await store.switchTo("main");
  assert.equal((await store.stage.commit(MESSAGE)).changes.size, 1);
  await store.close();
});

Deno.test("commit() goes to the branch of its handle", async () => {
  const { kv, store } = await started({ a: 1 });
  await store.createBranch("side");
  await using bound = await openStoreOn(kv.open(), { branch: "side" });
  await store.stage.put("b", { content: 1 });
  assert.deepEqual((await listed(bound)).nodes, ["b"]);
  await bound.stage.commit(MESSAGE);
  assert.deepEqual(contents(await store.on("side").memory()), { a: 1, b: 1 });
  assert.deepEqual(contents(await store.memory()), { a: 1 });
  await store.close();
});

Deno.test("a stage outlives its handle", async () => {
  const { kv, store } = await started({ a: 1 });
  await store.stage.put("b", { content: { list: [1] } });
  await store.stage.remove("a");
  await store.close();
  await using again = await openStoreOn(kv.open());
  assert.deepEqual(await listed(again), { nodes: ["b"], removals: ["a"] });
  await again.stage.commit(MESSAGE);
  assert.deepEqual(contents(await again.memory()), { b: { list: [1] } });
});

Deno.test("commit() with a base that is lost is a conflict, and what is staged stays", async () => {
  const { kv, store } = await started({ a: 1, b: 1 });
  const base = (await store.head()).commit;
  await store.write([{ id: "a", content: 2 }], MESSAGE);
  await store.stage.put("a", { content: 3 });
  await rejectsWith(
    store.stage.commit({ ...MESSAGE, base }),
    "conflict",
    /"a"/,
  );
  assert.deepEqual((await listed(store)).nodes, ["a"]);
  await store.stage.unstage("a");
  await store.stage.put("b", { content: 3 });
  assert.equal(
    (await store.stage.commit({ ...MESSAGE, base })).changes.size,
    1,
  );
  assertEmpty(kv);
  await store.close();
});

Deno.test("a guard sees what is staged; what it refuses stays staged", async () => {
  const seen: unknown[] = [];
  const { kv, store } = await started({ a: 1, b: 1 }, {
    guard: (edits, context) => {
      seen.push([edits, context]);
      if (edits.some(({ id }) => id === "secret")) {
        throw new Error("no secrets");
      }
    },
  });
  seen.length = 0;
  await store.stage.put("a", {
    content: 2,
    contentKind: "claim",
    eventTimeMs: 5,
  });
  await store.stage.remove("b");
  await store.stage.commit({ ...MESSAGE, author: "me" });
  assert.deepEqual(seen, [[
    [{
      id: "a",
      content: 2,
      contentKind: "claim",
      provenance: {},
      eventTimeMs: 5,
    }, { id: "b", remove: true }],
    { branch: "main", author: "me", message: "m" },
  ]]);
  await store.stage.put("secret", { content: 1 });
  const before = kv.rows();
  await rejectsWith(store.stage.commit(MESSAGE), "refused", /no secrets/);
  assert.deepEqual(kv.rows(), before);
  await store.close();
});

Deno.test("a stage that another handle changes during the commit is read again", async () => {
  for (const size of [1, 1_000]) {
    const kv = new MemoryKv();
    await using other = await openStoreOn(kv.open(), { create: true });
    const judged: string[][] = [];
    const turns = [
      () => other.stage.put("late", { content: 1 }),
      () => other.stage.unstage("n0"),
      () => other.stage.put("n1", { content: "late" }),
    ];
    await using store = await openStoreOn(kv.open(), {
      guard: async (edits) => {
        judged.push(edits.map(({ id }) => id));
        await turns.shift()?.();
      },
    });
    for (let i = 0; i < size + 1; i++) {
      await store.stage.put(`n${i}`, { content: i });
    }
    const { changes } = await store.stage.commit(MESSAGE);
    assert.equal(judged.length, 4);
    assert.ok(judged[3]?.includes("late") && !judged[3].includes("n0"));
    assert.deepEqual([...changes.keys()], judged[3]);
    assert.equal((await other.node("n1"))?.content, "late");
    assert.equal(await other.node("n0"), null);
    assert.equal((await Array.fromAsync(other.log())).length, 1);
    assertEmpty(kv);
  }
});

Deno.test("1,500 staged nodes and removals are one commit", async () => {
  const old = Object.fromEntries(
    Array.from({ length: 300 }, (_, i) => [`old${i}`, i]),
  );
  const { kv, store } = await started(old);
  for (let i = 0; i < 1_300; i++) {
    await store.stage.put(`n${i}`, { content: i });
  }
  for (let i = 0; i < 200; i++) await store.stage.remove(`old${i}`);
  assert.equal((await listed(store)).nodes.length, 1_300);
  const { changes } = await store.stage.commit(MESSAGE);
  assert.equal(changes.size, 1_500);
  assertEmpty(kv);
  await using again = await openStoreOn(kv.open());
  const memory = await again.memory();
  assert.equal(memory.size, 1_400);
  assert.equal(memory.get("n1299")?.content, 1_299);
  assert.equal((await Array.fromAsync(again.log())).length, 2);
  assert.equal((await Array.fromAsync(again.versions("old7"))).length, 2);
  await store.close();
});

Deno.test("a large stage that is changed while it is emptied keeps the change and nothing else", async () => {
  const kv = new MemoryKv();
  await using other = await openStoreOn(kv.open(), { create: true });
  let isDone = false;
  const afterCommit = async ({ sets = [] }: AtomicWrite) => {
    if (isDone || !sets.some(({ key }) => key[0] === "r")) return;
    isDone = true;
    await other.stage.put("late", { content: 1 });
    await other.stage.put("n5", { content: "again" });
    await other.stage.unstage("n6");
  };
  await using store = await openStoreOn(hooked(kv.open(), afterCommit));
  for (let i = 0; i < 1_500; i++) {
    await store.stage.put(`n${i}`, { content: i });
  }
  const { changes } = await store.stage.commit(MESSAGE);
  assert.equal(changes.size, 1_500);
  assert.ok(isDone);
  assert.deepEqual(await listed(store), {
    nodes: ["late", "n5"],
    removals: [],
  });
  await store.write([{ id: "n7", content: "newer" }], MESSAGE);
  await store.stage.commit(MESSAGE);
  assert.equal((await store.node("n7"))?.content, "newer");
  assert.equal((await store.node("n5"))?.content, "again");
  assertEmpty(kv);
});

Deno.test("a change of the stage just before the commit, or while it is being read, is not lost", async () => {
  for (const moment of ["commit", "list"] as const) {
    const kv = new MemoryKv();
    await using other = await openStoreOn(kv.open(), { create: true });
    let isDone = false;
    const change = async () => {
      if (isDone) return;
      isDone = true;
      await other.stage.unstage("n0");
      await other.stage.put("n1", { content: "late" });
    };
    const inner = kv.open();
    const driver: Driver = {
      name: inner.name,
      getMany: (keys) => inner.getMany(keys),
      close: () => inner.close(),
      async *list(range, options) {
        for await (const row of inner.list(range, options)) {
          yield row;
          if (moment === "list" && row.key[1] === "n2") await change();
        }
      },
      async commit(write) {
        const lands = write.sets?.some(({ key }) => key[0] === "r");
        if (moment === "commit" && lands) await change();
        return await inner.commit(write);
      },
    };
    await using store = await openStoreOn(driver);
    for (let i = 0; i < 5; i++) await store.stage.put(`n${i}`, { content: i });
    const { changes } = await store.stage.commit(MESSAGE);
    assert.ok(isDone);
    assert.deepEqual([...changes.keys()], ["n1", "n2", "n3", "n4"]);
    assert.equal((await store.node("n1"))?.content, "late");
    assertEmpty(kv);
  }
});

Deno.test("long content is staged, listed, compared and committed", async () => {
  const { kv, store } = await started({ a: 1 });
  const long = "long ".repeat(30_000);
  await store.stage.put("a", { content: long });
  await store.stage.put("b", { content: [long, 1] });
  await using other = await openStoreOn(kv.open());
  const changes = await Array.fromAsync(other.stage.diff());
  assert.deepEqual(changes.map((change) => change.new?.content), [long, [
    long,
    1,
  ]]);
  await other.stage.commit(MESSAGE);
  assert.equal((await store.node("a"))?.content, long);
  assertEmpty(kv);
  await store.close();
});

Deno.test("a staged row that is damaged is corrupt_store, and nothing of the stage is committed", async () => {
  const { kv, store } = await started({ a: 1 });
  const { commit } = await store.head();
  await store.stage.put("b", { content: "x" });
  await store.stage.put("c", { content: "y" });
  const { value } = kv.row(stagedKey("b"))!;
  for (const at of [0, 5, value.length - 9, value.length - 1]) {
    const flipped = value.slice();
    flipped[at]! ^= 1;
    kv.put(stagedKey("b"), flipped);
    await rejectsWith(store.stage.list(), "corrupt_store", /"b"/);
    await rejectsWith(store.stage.commit(MESSAGE), "corrupt_store", /"b"/);
  }
  assert.equal((await store.head()).commit, commit);
  assert.equal(await store.stage.unstage("b"), true);
  assert.equal((await store.stage.commit(MESSAGE)).changes.size, 1);
  await store.close();
});

async function started(
  contents: Readonly<Record<string, number>> = {},
  options: OpenOptions = {},
): Promise<{ readonly kv: MemoryKv; readonly store: Store }> {
  const kv = new MemoryKv();
  const store = await openStoreOn(kv.open(), { ...options, create: true });
  const edits = Object.entries(contents).map(([id, content]) => ({
    id,
    content,
  }));
  if (edits.length > 0) await store.write(edits, MESSAGE);
  return { kv, store };
}

/** A driver that does something more after each atomic write. */
function hooked(
  inner: Driver,
  after: (write: AtomicWrite) => Promise<void>,
): Driver {
  return {
    name: inner.name,
    getMany: (keys) => inner.getMany(keys),
    list: (range, options) => inner.list(range, options),
    close: () => inner.close(),
    async commit(write) {
      const answer = await inner.commit(write);
      await after(write);
      return answer;
    },
  };
}

async function listed(
  store: Store,
): Promise<{ nodes: string[]; removals: readonly string[] }> {
  const { nodes, removals } = await store.stage.list();
  return { nodes: [...nodes.keys()], removals };
}

async function diffed(store: Store): Promise<[string, NodeChange["kind"]][]> {
  const changes = await Array.fromAsync(store.stage.diff());
  return changes.map(({ id, kind }) => [id, kind]);
}

function contents(memory: Awaited<ReturnType<Store["memory"]>>): unknown {
  return Object.fromEntries(
    [...memory].map(([id, { content }]) => [id, content]),
  );
}

function assertEmpty(kv: MemoryKv): void {
  const staged = kv.rows().filter(({ key }) => key[0] === "s");
  assert.deepEqual(staged, []);
}

async function rejectsWith(
  call: Promise<unknown>,
  code: MnemErrorCode,
  message = /./,
): Promise<void> {
  await assert.rejects(
    call,
    (error) => isMnemError(error, code) && message.test(error.message),
  );
}
