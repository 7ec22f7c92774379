/**
 * Branches, HEAD and revisions.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  isMnemError,
  type MnemErrorCode,
  type OpenOptions,
  type Store,
} from "@mnem/core";
import { commitKey, HEAD_KEY, refKey } from "../../core/storage/keys.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { sortedIds } from "../support/naive_store.ts";

Deno.test("createBranch() makes a branch at HEAD, a branch, an id or a prefix, and HEAD stays", async () => {
  const { store } = await started();
  const [first, second] = [await put(store, "a", 1), await put(store, "a", 2)];
  await store.createBranch("here");
  await store.createBranch("there", { at: first });
  await store.createBranch("short", { at: first.slice(0, 8) });
  await store.createBranch("again", { at: "there" });
  await store.createBranch("back", { at: "HEAD~1" });
  assert.deepEqual([...await store.branches()], [
    ["again", first],
    ["back", first],
    ["here", second],
    ["main", second],
    ["short", first],
    ["there", first],
  ]);
  assert.deepEqual(await store.head(), { branch: "main", commit: second });
  await store.close();
});

Deno.test("createBranch() of one that exists: the same commit is success, another one conflict", async () => {
  const { kv, store } = await started();
  const first = await put(store, "a", 1);
  await store.createBranch("b");
  await put(store, "a", 2);
  const before = kv.rows();
  await store.createBranch("b", { at: first });
  await rejectsWith(
    store.createBranch("b"),
    "conflict",
    new RegExp(`"b".*${first}`),
  );
  await rejectsWith(store.createBranch("main", { at: first }), "conflict");
  assert.deepEqual(kv.rows(), before);
  await store.close();
});

Deno.test("createBranch() on a branch without a commit is invalid_ref", async () => {
  const { kv, store } = await started();
  const before = kv.rows();
  await rejectsWith(store.createBranch("b"), "invalid_ref", /no commit yet/);
  await rejectsWith(store.createBranch("b", { at: "main" }), "invalid_ref");
  assert.deepEqual(kv.rows(), before);
  assert.deepEqual([...await store.branches()], []);
  await store.close();
});

Deno.test("a branch name may have 1,000 bytes", async () => {
  const { kv, store } = await started();
  await put(store, "a", 1);
  const names = ["b".repeat(1_000), "é".repeat(500), "\u{10400}".repeat(250)];
  for (const name of names) {
    await store.createBranch(name);
    await store.switchTo(name);
    await put(store, "a", name);
    await using bound = await openStoreOn(kv.open(), { branch: name });
    assert.equal((await bound.node("a"))?.content, name);
    assert.deepEqual(await bound.head(), await store.head());
  }
  assert.deepEqual([...(await store.branches()).keys()], [
    names[0],
    "main",
    names[1],
    names[2],
  ]);
  await store.close();
});

Deno.test("branches() are in bytewise order", async () => {
  const { store } = await started();
  await put(store, "a", 1);
  const names = ["b", "é", "ﬀ", "\u{10400}", "a/b", "a-b", "main"];
  for (const name of names) await store.createBranch(name);
  assert.deepEqual([...(await store.branches()).keys()], sortedIds(names));
  await store.close();
});

Deno.test("deleteBranch() removes a branch once, and its commits stay", async () => {
  const { store } = await started();
  await put(store, "a", 1);
  await store.createBranch("b");
  const { commit } = await store.on("b").write([{ id: "a", content: 2 }], {
    message: "side",
  });
  assert.equal(await store.deleteBranch("b"), true);
  assert.equal(await store.deleteBranch("b"), false);
  assert.equal(await store.deleteBranch("never"), false);
  assert.equal((await (await store.at(commit!)).node("a"))?.content, 2);
  await rejectsWith(store.resolve("b"), "invalid_ref");
  await store.createBranch("b", { at: commit! });
  assert.equal((await store.on("b").head()).commit, commit);
  await store.close();
});

Deno.test("deleteBranch() of the one HEAD is on is a conflict, whoever asks", async () => {
  const { kv, store } = await started();
  await put(store, "a", 1);
  await store.createBranch("b");
  await using bound = await openStoreOn(kv.open(), { branch: "b" });
  for (const handle of [store, bound]) {
    await rejectsWith(
      handle.deleteBranch("main"),
      "conflict",
      /"main".*HEAD is on it/,
    );
  }
  await store.switchTo("b");
  await rejectsWith(store.deleteBranch("b"), "conflict");
  assert.equal(await store.deleteBranch("main"), true);
  await store.switchTo((await store.head()).commit!);
  assert.equal(await store.deleteBranch("b"), true);
  assert.deepEqual([...await store.branches()], []);
  await store.close();
});

Deno.test("a branch that is gone is invalid_ref for those bound to it, and never comes back by a write", async () => {
  const { kv, store } = await started();
  await put(store, "a", 1);
  await store.createBranch("b");
  await using bound = await openStoreOn(kv.open(), { branch: "b" });
  const view = store.on("b");
  await put(bound, "a", 2);
  assert.equal(await store.deleteBranch("b"), true);
  const before = kv.rows();
  for (const door of [bound, view]) {
    await rejectsWith(door.head(), "invalid_ref", /"b"/);
    await rejectsWith(door.node("a"), "invalid_ref", /"b"/);
    await rejectsWith(
      door.write([{ id: "a", content: 3 }], { message: "m" }),
      "invalid_ref",
      /"b"/,
    );
    await rejectsWith(Array.fromAsync(door.log()), "invalid_ref", /"b"/);
  }
  await rejectsWith(bound.stage.commit({ message: "m" }), "invalid_ref", /"b"/);
  assert.deepEqual(kv.rows(), before);
  await store.close();
});

Deno.test("the default branch that was seen and is gone is invalid_ref, never a new root", async () => {
  const { kv, store } = await started();
  await put(store, "a", 1);
  await store.createBranch("b");
  const bound = await openStoreOn(kv.open(), { branch: "main" });
  kv.remove(refKey("main"));
  const before = kv.rows();
  for (const handle of [store, bound]) {
    await rejectsWith(handle.memory(), "invalid_ref", /"main"/);
    await rejectsWith(
      handle.write([{ id: "a", content: 2 }], { message: "m" }),
      "invalid_ref",
      /"main"/,
    );
  }
  assert.deepEqual(kv.rows(), before);
  await store.close();
  await bound.close();
});

for (
  const door of ["branches", "resolve", "createBranch", "deleteBranch"] as const
) {
  Deno.test(`the default branch counts as seen after ${door}()`, async () => {
    const { kv, store } = await started();
    await put(store, "a", 1);
    await store.createBranch("b");
    await store.switchTo("b");
    await store.close();
    await using again = await openStoreOn(kv.open(), { branch: "b" });
    if (door === "branches") assert.equal((await again.branches()).size, 2);
    if (door === "resolve") assert.ok(await again.resolve("main"));
    if (door === "createBranch") await again.createBranch("main");
    if (door === "deleteBranch") assert.ok(await again.deleteBranch("main"));
    kv.remove(refKey("main"));
    const write = again.on("main").write([{ id: "z", content: 1 }], {
      message: "m",
    });
    await rejectsWith(write, "invalid_ref", /"main"/);
  });
}

Deno.test("a branch other than the default one is never unborn", async () => {
  const { kv, store } = await started();
  await rejectsWith(store.on("b").head(), "invalid_ref", /"b"/);
  await rejectsWith(
    store.on("b").write([{ id: "a", content: 1 }], { message: "m" }),
    "invalid_ref",
  );
  await rejectsWith(
    openStoreOn(kv.open(), { branch: "b" }),
    "invalid_ref",
    /"b"/,
  );
  assert.equal((await store.on("main").head()).commit, null);
  await store.on("main").write([{ id: "a", content: 1 }], { message: "m" });
  assert.equal((await store.memory()).size, 1);
  await store.close();
});

Deno.test("on() is invalid_ref at the first call, and works once the branch is there", async () => {
  const { store } = await started();
  await put(store, "a", 1);
  const view = store.on("later");
  await rejectsWith(view.memory(), "invalid_ref", /"later"/);
  await store.createBranch("later");
  assert.equal((await view.memory()).size, 1);
  await store.close();
});

Deno.test("switchTo() moves HEAD for all who follow it, and for nobody else", async () => {
  const { kv, store } = await started();
  await put(store, "a", "main");
  await store.createBranch("b");
  await store.on("b").write([{ id: "a", content: "b" }], { message: "m" });
  await using follower = await openStoreOn(kv.open());
  await using bound = await openStoreOn(kv.open(), { branch: "main" });
  const view = store.on("main");
  await store.switchTo("b");
  for (
    const [handle, content] of [
      [store, "b"],
      [follower, "b"],
      [bound, "main"],
      [view, "main"],
    ] as const
  ) {
    assert.equal((await handle.node("a"))?.content, content);
  }
  await put(follower, "a", "written");
  assert.equal((await store.node("a"))?.content, "written");
  await put(bound, "c", 1);
  assert.equal(await store.node("c"), null);
  assert.equal((await (await store.at("main")).node("c"))?.content, 1);
  await follower.switchTo("main");
  assert.equal((await store.head()).branch, "main");
  assert.equal((await store.node("c"))?.content, 1);
  await store.close();
});

Deno.test("switchTo() of a bound handle moves that handle alone", async () => {
  const { kv, store } = await started();
  const first = await put(store, "a", 1);
  await put(store, "a", 2);
  await store.createBranch("b", { at: first });
  await using bound = await openStoreOn(kv.open(), { branch: "main" });
  const before = kv.rows();
  await bound.switchTo("b");
  assert.deepEqual(await bound.head(), { branch: "b", commit: first });
  await bound.switchTo("main~1");
  assert.deepEqual(await bound.head(), { branch: null, commit: first });
  await rejectsWith(
    bound.write([{ id: "a", content: 3 }], { message: "m" }),
    "invalid_ref",
    /detached/,
  );
  assert.deepEqual(kv.rows(), before);
  await bound.switchTo("b");
  await put(bound, "a", 3);
  assert.equal((await store.head()).branch, "main");
  assert.equal((await store.node("a"))?.content, 2);
  await store.close();
});

Deno.test("a detached HEAD reads its commit and refuses to write", async () => {
  const { kv, store } = await started();
  const first = await put(store, "a", 1);
  await put(store, "a", 2);
  for (const target of [first, first.slice(0, 8), "main~1"]) {
    await store.switchTo(target);
    assert.deepEqual(await store.head(), { branch: null, commit: first });
    assert.equal((await store.node("a"))?.content, 1);
    assert.equal(await store.resolve("HEAD"), first);
    const before = kv.rows();
    await rejectsWith(
      store.write([{ id: "a", content: 3 }], { message: "m" }),
      "invalid_ref",
      /detached/,
    );
    await rejectsWith(
      store.write([], { message: "m" }),
      "invalid_ref",
      /detached/,
    );
    assert.deepEqual(kv.rows(), before);
    await store.switchTo("main");
    assert.equal((await store.node("a"))?.content, 2);
  }
  await store.close();
});

Deno.test("switchTo() where HEAD is, and to HEAD itself, changes nothing", async () => {
  const { kv, store } = await started();
  const unborn = kv.rows();
  await store.switchTo("main");
  await store.switchTo("HEAD");
  assert.deepEqual(kv.rows(), unborn);
  const first = await put(store, "a", 1);
  const attached = kv.rows();
  await store.switchTo("main");
  await store.switchTo("HEAD");
  assert.deepEqual(kv.rows(), attached);
  await store.switchTo(first);
  assert.equal((await store.head()).branch, null);
  const detached = kv.rows();
  await store.switchTo(first);
  await store.switchTo("HEAD");
  assert.deepEqual(kv.rows(), detached);
  await store.close();
});

Deno.test("switchTo() to nothing is invalid_ref, and HEAD stays", async () => {
  const { kv, store } = await started();
  await put(store, "a", 1);
  const before = kv.rows();
  for (const target of ["nope", "a b", "ffff", "main~1", "HEAD^2", ""]) {
    await rejectsWith(store.switchTo(target), "invalid_ref");
  }
  assert.deepEqual(kv.rows(), before);
  await store.close();
});

Deno.test("a branch hides the commit whose prefix is its name", async () => {
  const { store } = await started();
  const first = await put(store, "a", 1);
  const second = await put(store, "a", 2);
  const name = first.slice(0, 6);
  assert.equal(await store.resolve(name), first);
  await store.createBranch(name, { at: second });
  assert.equal(await store.resolve(name), second);
  assert.equal(await store.resolve(first), first);
  await store.switchTo(name);
  assert.equal((await store.head()).branch, name);
  await store.close();
});

Deno.test("no branch hides a commit that is named by its whole id", async () => {
  const { store } = await started();
  const [first, second] = [await put(store, "a", 1), await put(store, "a", 2)];
  await store.createBranch(first, { at: second });
  assert.equal((await store.branches()).get(first), second);
  assert.equal(await store.resolve(first), first);
  assert.equal((await (await store.at(first)).node("a"))?.content, 1);
  assert.equal(await store.resolve(second), second);
});

Deno.test("a handle on a branch that is gone can be moved to another one", async () => {
  const { kv, store } = await started();
  await put(store, "a", 1);
  await store.createBranch("gone");
  await using bound = await openStoreOn(kv.open(), { branch: "gone" });
  await store.deleteBranch("gone");
  await bound.switchTo("main");
  assert.equal((await bound.node("a"))?.content, 1);
});

Deno.test("resolve() takes 4 to 64 hex digits of either case, of commits only", async () => {
  const { store } = await started();
  const id = await put(store, "a", 1);
  const { state } = await store.readCommit(id);
  for (let digits = 4; digits <= 64; digits++) {
    assert.equal(await store.resolve(id.slice(0, digits)), id);
    assert.equal(await store.resolve(id.slice(0, digits).toUpperCase()), id);
  }
  const last = id.at(-1) === "0" ? "1" : "0";
  for (
    const text of [
      id.slice(0, 3),
      `${id}0`,
      id.slice(0, 63) + last,
      state,
      state.slice(0, 8),
      "ffffffff",
      "xyz0",
    ]
  ) {
    await rejectsWith(
      store.resolve(text),
      "invalid_ref",
      new RegExp(text.slice(0, 20)),
    );
  }
  await store.close();
});

Deno.test("resolve() of a prefix that several commits have names some of them", async () => {
  const { kv, store } = await started();
  const id = await put(store, "a", 1);
  const { value } = kv.row(commitKey(id))!;
  await put(store, "a", 2);
  const seen = new Map<string, string>();
  let pair: readonly [string, string] | undefined;
  for (let i = 0; pair === undefined; i++) {
    const next = await put(store, "a", { i });
    const prefix = next.slice(0, 4);
    const other = seen.get(prefix);
    if (other !== undefined) pair = [other, next];
    seen.set(prefix, next);
  }
  assert.ok(value.length > 0);
  await rejectsWith(
    store.resolve(pair[0].slice(0, 4)),
    "invalid_ref",
    new RegExp(`ambiguous.*${[...pair].sort()[0]!.slice(0, 12)}`),
  );
  for (const one of pair) assert.equal(await store.resolve(one), one);
  await store.close();
});

Deno.test("resolve() goes back in time on the chain of first parents, from HEAD where nothing is named", async () => {
  const { store } = await started();
  const times = ["2026-11-01", "2026-11-03", "2026-11-02", "2026-11-05"];
  const ids: string[] = [];
  for (const [i, time] of times.entries()) {
    const timeMs = Date.parse(`${time}T12:00Z`);
    const { commit } = await store.write([{ id: "a", content: i }], {
      message: time,
      timeMs,
    });
    ids.push(commit!);
  }
  const cases: readonly (readonly [string, number])[] = [
    ["main@{2026-11-06}", 3],
    ["@{2026-11-05T12:00Z}", 3],
    ["@{2026-11-05T11:59:59.999Z}", 2],
    ["HEAD@{2026-11-04}", 2],
    ["HEAD~2@{2026-11-04}", 1],
    ["@{2026-11-02}", 0],
    ["@{2026-11-01T13:00+01:00}", 0],
  ];
  for (const [revision, expected] of cases) {
    assert.equal(await store.resolve(revision), ids[expected], revision);
  }
  await rejectsWith(
    store.resolve("@{2026-11-01}"),
    "invalid_ref",
    /2026-11-01/,
  );
  await store.close();
});

Deno.test("create and branch make the default branch; an author and a clock are those of the store", async () => {
  const kv = new MemoryKv();
  await using store = await openStoreOn(kv.open(), {
    create: true,
    branch: "agent/é",
    author: "me",
    clock: () => 77,
  });
  await using follower = await openStoreOn(kv.open());
  assert.deepEqual(await follower.head(), { branch: "agent/é", commit: null });
  await store.write([{ id: "a", content: 1 }], { message: "m" });
  await store.write([{ id: "a", content: 2 }], {
    message: "m",
    author: "you",
    timeMs: 5,
  });
  await follower.write([{ id: "a", content: 3 }], { message: "m", timeMs: 6 });
  const log = await Array.fromAsync(store.log({ firstParent: true }));
  assert.deepEqual(log.map(({ author, timeMs }) => [author, timeMs]), [
    ["unknown", 6],
    ["you", 5],
    ["me", 77],
  ]);
  await rejectsWith(
    openStoreOn(kv.open(), { create: true, branch: "main" }),
    "invalid_ref",
    /"main"/,
  );
});

Deno.test("a HEAD that is broken or missing is corrupt_store for all who follow it", async () => {
  const { kv, store } = await started();
  await put(store, "a", 1);
  const { value } = kv.row(HEAD_KEY)!;
  value[2]! ^= 1;
  kv.put(HEAD_KEY, value);
  await using bound = await openStoreOn(kv.open(), { branch: "main" });
  for (const broken of [true, false]) {
    if (!broken) kv.remove(HEAD_KEY);
    await rejectsWith(store.head(), "corrupt_store", /HEAD/);
    await rejectsWith(
      store.write([{ id: "a", content: 2 }], { message: "m" }),
      "corrupt_store",
      /HEAD/,
    );
    assert.equal((await bound.node("a"))?.content, 1);
  }
  await store.close();
});

async function started(
  options: OpenOptions = {},
): Promise<{ readonly kv: MemoryKv; readonly store: Store }> {
  const kv = new MemoryKv();
  return {
    kv,
    store: await openStoreOn(kv.open(), { ...options, create: true }),
  };
}

let clock = 0;

async function put(
  store: Store,
  id: string,
  content: unknown,
): Promise<string> {
  const json = JSON.parse(JSON.stringify(content));
  const { commit } = await store.write([{ id, content: json }], {
    message: "m",
    timeMs: ++clock,
  });
  assert.ok(commit !== null);
  return commit;
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
