/**
 * Requests with keys are made once: the same key on the same branch answers as it did the first time.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  exportBundle,
  isMnemError,
  openStore,
  type Store,
  type Written,
} from "@mnem/core";
import { REQUESTS_IN_ROW_MAX } from "../../core/limits.ts";
import { blake3 } from "../../core/object/hash.ts";
import { refKey } from "../../core/storage/keys.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { checkVerified } from "../support/check_verified.ts";
import { countedStore, countsOf } from "../support/counted_store.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { reportFigures } from "../support/report_figures.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { tempStore } from "../support/temp_store.ts";

interface Opened {
  readonly kv: MemoryKv;
  readonly store: Store;
}

async function newStore(): Promise<Opened> {
  const kv = new MemoryKv();
  const store = await openStoreOn(kv.open(), { create: true });
  await store.write([{ id: "plan", content: "free" }], { message: "seed" });
  return { kv, store };
}

async function messagesOf(store: Pick<Store, "log">): Promise<string[]> {
  const commits = await Array.fromAsync(store.log());
  return commits.map(({ message }) => message).reverse();
}

function pro(store: Pick<Store, "write">, key: string): Promise<Written> {
  return store.write([{ id: "plan", content: "pro" }], { message: "pro", key });
}

function keptRows(kv: MemoryKv): number {
  return kv.rows().filter(({ key }) => key[0] === "k").length;
}

/** Keys whose requests are kept in one row: that of the first byte of their digests. */
function keysOfOneRow(count: number): string[] {
  const keys: string[] = [];
  for (let i = 0; keys.length < count; i++) {
    const key = `k${i}`;
    if (blake3(new TextEncoder().encode(key))[0]! % 64 === 0) keys.push(key);
  }
  return keys;
}

async function conflictOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    if (!isMnemError(error, "conflict")) throw error;
    assert.equal(error.outcome, "none");
    return error.data;
  }
  assert.fail("no conflict");
}

Deno.test("write() under a key that was used answers as the first time, and a newer value stays", async () => {
  const { store } = await newStore();
  const first = await pro(store, "call-1");
  assert.deepEqual([...first.changes], [["plan", "modified"]]);
  await store.write([{ id: "plan", content: "team" }], { message: "team" });
  assert.deepEqual(await pro(store, "call-1"), first);
  assert.deepEqual(await messagesOf(store), ["seed", "pro", "team"]);
  assert.equal((await store.node("plan"))?.content, "team");
  // Under another key it is another request.
  const second = await pro(store, "call-2");
  assert.notEqual(second.commit, first.commit);
  assert.equal((await store.node("plan"))?.content, "pro");
  await checkVerified(store);
});

Deno.test("what a commit says of itself, and base, may differ the second time", async () => {
  const { store } = await newStore();
  const base = (await store.head()).commit;
  const edits = [{ id: "plan", content: "pro" }];
  const first = await store.write(edits, { message: "m", base, key: "k" });
  const again = { message: "other", author: "ada", timeMs: 9, key: "k" };
  assert.deepEqual(await store.write(edits, again), first);
  assert.deepEqual(await store.write(edits, { ...again, base }), first);
  // The order of edits is none of a request.
  const two = [{ id: "a", content: 1 }, { id: "b", content: { x: 1, y: 2 } }];
  const both = await store.write(two, { message: "two", key: "two" });
  const turned = [{ id: "b", content: { y: 2, x: 1 } }, two[0]!];
  assert.deepEqual(
    await store.write(turned, { message: "two", key: "two" }),
    both,
  );
  assert.equal((await messagesOf(store)).length, 3);
});

Deno.test("another request under a used key is a conflict that names the first commit", async () => {
  const { store } = await newStore();
  const { commit } = await pro(store, "k");
  const others: (readonly [string, Parameters<Store["write"]>[0]])[] = [
    ["content", [{ id: "plan", content: "team" }]],
    ["node", [{ id: "plans", content: "pro" }]],
    ["evidence", [{ id: "plan", content: "pro", provenance: { note: "n" } }]],
    ["removal", [{ id: "plan", remove: true }]],
    ["more", [{ id: "plan", content: "pro" }, { id: "x", content: 1 }]],
    ["nothing", []],
  ];
  for (const [what, edits] of others) {
    const call = store.write(edits, { message: "m", key: "k" });
    assert.deepEqual(await conflictOf(call), { key: "k", commit }, what);
  }
  assert.deepEqual(
    await conflictOf(store.merge("main", { key: "k" })),
    { key: "k", commit },
  );
  assert.deepEqual(await messagesOf(store), ["seed", "pro"]);
});

Deno.test("a write that changed nothing is remembered too, with the head as it was", async () => {
  const { store } = await newStore();
  await pro(store, "first");
  const { commit } = await store.head();
  const unchanged = { commit, changes: new Map() };
  assert.deepEqual(await pro(store, "k"), unchanged);
  await store.write([{ id: "plan", content: "team" }], { message: "team" });
  assert.deepEqual(await pro(store, "k"), unchanged);
  assert.equal((await store.node("plan"))?.content, "team");
  const other = store.write([{ id: "x", content: 1 }], {
    message: "m",
    key: "k",
  });
  assert.deepEqual(await conflictOf(other), { key: "k", commit });
  await checkVerified(store);
});

Deno.test("a write that must change something is refused where the first time nothing did", async () => {
  const { store } = await newStore();
  const gone = [{ id: "gone", remove: true as const }];
  const first = await store.write(gone, { message: "m", key: "k" });
  assert.equal(first.changes.size, 0);
  await store.write([{ id: "gone", content: 1 }], { message: "there now" });
  await assert.rejects(
    store.write(gone, { message: "m", key: "k", mustChange: true }),
    (error) => isMnemError(error, "not_found"),
  );
  assert.deepEqual(
    await store.write(gone, { message: "m", key: "k" }),
    first,
  );
  assert.equal((await store.node("gone"))?.content, 1);
  await store.close();
});

Deno.test("on a branch without a commit a key is kept as well", async () => {
  const kv = new MemoryKv();
  const store = await openStoreOn(kv.open(), { create: true });
  const nothing = { commit: null, changes: new Map() };
  const remove = () =>
    store.write([{ id: "a", remove: true }], { message: "no", key: "k" });
  assert.deepEqual(await remove(), nothing);
  const first = await store.write([{ id: "a", content: 1 }], {
    message: "a",
    key: "a",
  });
  assert.deepEqual([...first.changes], [["a", "added"]]);
  assert.deepEqual(await remove(), nothing);
  assert.equal((await store.node("a"))?.content, 1);
  const empty = { message: "empty", allowEmpty: true, key: "empty" };
  const made = await store.write([], empty);
  assert.deepEqual(await store.write([], empty), made);
  assert.deepEqual(await messagesOf(store), ["a", "empty"]);
  await checkVerified(store);
});

Deno.test("a key holds after the store was closed and opened again", async () => {
  await using folder = await tempFolder();
  const first = await (async () => {
    await using store = await openStore(folder.path, { create: true });
    return await pro(store, "k");
  })();
  await using store = await openStore(folder.path);
  assert.deepEqual(await pro(store, "k"), first);
  assert.deepEqual(await messagesOf(store), ["pro"]);
});

Deno.test("each branch has keys of its own", async () => {
  const { store } = await newStore();
  await store.createBranch("side");
  const main = await pro(store, "k");
  const side = await store.on("side").write([{ id: "plan", content: 1 }], {
    message: "side",
    key: "k",
  });
  assert.notEqual(side.commit, main.commit);
  assert.deepEqual(await messagesOf(store.on("side")), ["seed", "side"]);
  // A handle that follows HEAD has the keys of the branch that it is on.
  await store.switchTo("side");
  const call = pro(store, "k");
  assert.deepEqual(await conflictOf(call), { key: "k", commit: side.commit });
  await store.switchTo("main");
  assert.deepEqual(await pro(store, "k"), main);
});

Deno.test("a branch that is made again answers for nothing that the deleted one did", async () => {
  const { kv, store } = await newStore();
  await store.createBranch("side");
  const side = store.on("side");
  const first = await pro(side, "k");
  await store.merge("side");
  assert.ok(keptRows(kv) > 0);
  assert.equal(await store.deleteBranch("side"), true);
  assert.equal(keptRows(kv), 0);
  // It leads to the first commit all the same.
  await store.createBranch("side");
  await side.write([{ id: "plan", content: "team" }], { message: "team" });
  const second = await pro(side, "k");
  assert.notEqual(second.commit, first.commit);
  assert.equal((await side.node("plan"))?.content, "pro");
  await checkVerified(store);
});

Deno.test("what an older version left of a deleted branch is no answer", async () => {
  const { kv, store } = await newStore();
  await store.createBranch("side");
  const side = store.on("side");
  const first = await pro(side, "k");
  const kept = keptRows(kv);
  assert.ok(kept > 0);
  kv.remove(refKey("side"));
  await checkVerified(store);
  await store.createBranch("side");
  const second = await side.write([{ id: "plan", content: 1 }], {
    message: "again",
    key: "k",
  });
  assert.notEqual(second.commit, first.commit);
  assert.deepEqual(await messagesOf(side), ["seed", "again"]);
  assert.equal(keptRows(kv), kept);
  await checkVerified(store);
});

Deno.test("merge() under a used key answers as the first time, wherever the branches went since", async () => {
  const { store } = await newStore();
  await store.createBranch("side");
  const side = store.on("side");
  await side.write([
    { id: "plan", content: "pro", provenance: { source: "side" } },
    { id: "same", content: 1, provenance: { source: "side" } },
    { id: "mine", content: 1 },
  ], { message: "side", timeMs: 2_000 });
  await store.write([
    { id: "plan", content: "team" },
    { id: "same", content: 1, provenance: { source: "main" } },
  ], { message: "main", timeMs: 1_000 });
  const options = {
    key: "m",
    resolutions: { plan: { content: "both" }, mine: "theirs" },
  } as const;
  const resolutions = { plan: options.resolutions.plan };
  // Neither a try, nor conflicts, nor a failure take the key.
  assert.equal(
    (await store.merge("side", { key: "m", dryRun: true })).status,
    "conflicts",
  );
  assert.equal((await store.merge("side", { key: "m" })).status, "conflicts");
  await assert.rejects(store.merge("side", options), /mine/);
  await assert.rejects(store.merge("gone", { key: "m" }), /gone/);
  const first = await store.merge("side", { key: "m", resolutions });
  assert.equal(first.status, "merged");
  assert.deepEqual(first.reconciled, ["same"]);
  assert.deepEqual([...first.changes.keys()].sort(), ["mine", "plan", "same"]);
  await side.write([{ id: "mine", content: 2 }], { message: "later" });
  await store.write([{ id: "plan", content: "newer" }], { message: "newer" });
  assert.deepEqual(
    await store.merge("side", { key: "m", resolutions, message: "other" }),
    first,
  );
  const strategy = store.merge("side", { key: "m", strategy: "ours" });
  assert.deepEqual(await conflictOf(strategy), {
    key: "m",
    commit: first.commit,
  });
  await store.deleteBranch("side");
  assert.deepEqual(await store.merge("side", { key: "m", resolutions }), first);
  assert.equal((await store.node("plan"))?.content, "newer");
  await checkVerified(store);
});

Deno.test("merge() that goes forward or has nothing to do is remembered too", async () => {
  const { store } = await newStore();
  await store.createBranch("side");
  const side = store.on("side");
  await side.write([{ id: "x", content: 1 }], { message: "x" });
  const forward = await store.merge("side", { key: "f" });
  assert.equal(forward.status, "fast-forwarded");
  assert.deepEqual([...forward.changes], [["x", "added"]]);
  const upToDate = await store.merge("side", { key: "u" });
  assert.equal(upToDate.status, "up-to-date");
  await side.write([{ id: "x", content: 2 }], { message: "x2" });
  assert.deepEqual(await store.merge("side", { key: "u" }), upToDate);
  assert.deepEqual(await store.merge("side", { key: "f" }), forward);
  assert.equal((await store.node("x"))?.content, 1);
  assert.equal(
    (await store.merge("side", { key: "g" })).status,
    "fast-forwarded",
  );
  await checkVerified(store);
});

Deno.test("merge() into a branch without a commit is remembered", async () => {
  const { kv, store } = await newStore();
  const fresh = await openStoreOn(new MemoryKv().open(), { create: true });
  await assert.rejects(fresh.merge("main", { key: "k" }), /main/);
  await store.createBranch("side");
  kv.remove(refKey("main"));
  const unborn = await openStoreOn(kv.open());
  const first = await unborn.merge("side", { key: "k" });
  assert.equal(first.status, "fast-forwarded");
  assert.deepEqual([...first.changes], [["plan", "added"]]);
  await pro(unborn, "p");
  assert.deepEqual(await unborn.merge("side", { key: "k" }), first);
});

Deno.test("revert() under a used key answers as the first time", async () => {
  const { store } = await newStore();
  const { commit } = await pro(store, "p");
  const first = await store.revert("HEAD", { key: "r" });
  assert.deepEqual([...first.changes], [["plan", "modified"]]);
  assert.equal((await store.node("plan"))?.content, "free");
  assert.deepEqual(await store.revert("HEAD", { key: "r" }), first);
  assert.equal((await store.node("plan"))?.content, "free");
  const other = store.revert(commit ?? "", { key: "r" });
  assert.deepEqual(await conflictOf(other), {
    key: "r",
    commit: first.commit,
  });
  const nothing = await store.revert(commit ?? "", { key: "n" });
  assert.equal(nothing.status, "up-to-date");
  await pro(store, "again");
  assert.deepEqual(await store.revert(commit ?? "", { key: "n" }), nothing);
  assert.equal((await store.node("plan"))?.content, "pro");
  await checkVerified(store);
});

Deno.test("stage.commit() under a used key: what it committed is not staged any more, and is the answer", async () => {
  const { store } = await newStore();
  await store.stage.put("plan", { content: "pro" });
  await store.stage.remove("plan");
  await store.stage.put("plan", { content: "pro" });
  const first = await store.stage.commit({ message: "staged", key: "k" });
  assert.deepEqual([...first.changes], [["plan", "modified"]]);
  const again = { message: "staged", key: "k" };
  assert.deepEqual(await store.stage.commit(again), first);
  await store.stage.put("plan", { content: "team" });
  assert.deepEqual(await conflictOf(store.stage.commit(again)), {
    key: "k",
    commit: first.commit,
  });
  assert.deepEqual([...(await store.stage.list()).nodes.keys()], ["plan"]);
  // The very same staged again, as after a crash before the stage was emptied.
  await store.stage.put("plan", { content: "pro" });
  await store.write([{ id: "plan", content: "newer" }], { message: "newer" });
  assert.deepEqual(await store.stage.commit(again), first);
  assert.equal((await store.stage.list()).nodes.size, 0);
  assert.equal((await store.node("plan"))?.content, "newer");
  // An empty stage is no excuse for the key of a write.
  const { commit } = await pro(store, "write");
  const empty = store.stage.commit({ message: "m", key: "write" });
  assert.deepEqual(await conflictOf(empty), { key: "write", commit });
  await checkVerified(store);
});

Deno.test("what fails or is refused takes no key, and a guard is not asked twice", async () => {
  const kv = new MemoryKv();
  let verdict: string | undefined = "not now";
  let asked = 0;
  const store = await openStoreOn(kv.open(), {
    create: true,
    guard: () => {
      asked++;
      if (verdict !== undefined) throw new Error(verdict);
    },
  });
  await assert.rejects(pro(store, "k"), { code: "refused" });
  assert.equal(keptRows(kv), 0);
  verdict = undefined;
  const first = await pro(store, "k");
  assert.equal(asked, 2);
  verdict = "never";
  assert.deepEqual(await pro(store, "k"), first);
  assert.equal(asked, 2);
  verdict = undefined;
  const stale = { message: "m", base: null, key: "b" };
  const edits = [{ id: "plan", content: "team" }];
  const lost = await conflictOf(store.write(edits, stale));
  assert.ok(JSON.stringify(lost).includes("conflicts"));
  const { commit } = await store.write(edits, { ...stale, base: first.commit });
  assert.equal(commit, (await store.head()).commit);
  const absent = { message: "m", mustChange: true, key: "gone" };
  const remove = [{ id: "gone", remove: true }] as const;
  await assert.rejects(store.write(remove, absent), { code: "not_found" });
  await store.write([{ id: "gone", content: 1 }], { message: "there" });
  const removed = await store.write(remove, absent);
  assert.deepEqual([...removed.changes], [["gone", "removed"]]);
  assert.deepEqual(await store.write(remove, absent), removed);
});

Deno.test("calls with one key at the same time are one commit, and have one answer", async () => {
  const { kv, store } = await newStore();
  const bound = store.on("main");
  const far = await openStoreOn(kv.open());
  for (const round of ["a", "b", "c"]) {
    const ask = (branch: Pick<Store, "write">) =>
      branch.write([{ id: "n", content: round }], {
        message: round,
        key: round,
      });
    const others = [1, 2].map((i) =>
      store.write([{ id: `other-${i}`, content: round }], {
        message: `other ${round}`,
      })
    );
    const answers = await Promise.all([
      ask(store),
      ask(store),
      ask(bound),
      ask(far),
      ask(store),
    ]);
    await Promise.all(others);
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    const messages = await messagesOf(store);
    assert.equal(messages.filter((one) => one === round).length, 1);
  }
  // Of two that ask for different things under one key one is told so.
  const settled = await Promise.allSettled(
    ["x", "y"].map((content) =>
      store.write([{ id: "n", content }], { message: content, key: "one" })
    ),
  );
  assert.deepEqual(settled.map(({ status }) => status), [
    "fulfilled",
    "rejected",
  ]);
  assert.equal((await store.node("n"))?.content, "x");
  await checkVerified(store);
});

Deno.test("hundreds of calls with keys that wait together share atomic writes", async () => {
  const kv = new MemoryKv();
  const { store, driver } = await countedStore(kv.open(), { create: true });
  const ask = () =>
    Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        store.write([{ id: `n${i}`, content: i }], {
          message: `${i}`,
          key: `key ${i}`,
        })),
    );
  let answers: Written[] = [];
  const made = await countsOf(driver, async () => answers = await ask());
  assert.ok(made.commits <= 4, `${made.commits} atomic writes`);
  const again = await countsOf(
    driver,
    async () => assert.deepEqual(await ask(), answers),
  );
  assert.equal(again.commits, 0);
  assert.equal((await messagesOf(store)).length, 200);
  await checkVerified(store);
});

Deno.test("a commit of many atomic writes has a key as well", async () => {
  const { store } = await newStore();
  const edits = Array.from({ length: 1_500 }, (_, i) => ({
    id: `n${i}`,
    content: i,
  }));
  const first = await store.write(edits, { message: "bulk", key: "k" });
  assert.equal(first.changes.size, 1_500);
  await store.write([{ id: "n7", content: "newer" }], { message: "newer" });
  assert.deepEqual(
    await store.write(edits, { message: "bulk", key: "k" }),
    first,
  );
  assert.equal((await store.node("n7"))?.content, "newer");
  await checkVerified(store);
});

Deno.test("a key is a text of 1 to 256 bytes without NUL", async () => {
  const { kv, store } = await newStore();
  await store.stage.put("s", { content: 1 });
  const bad: (readonly [unknown, typeof TypeError | typeof RangeError])[] = [
    ["", RangeError],
    ["k".repeat(257), RangeError],
    ["é".repeat(129), RangeError],
    ["a\0b", TypeError],
    ["\ud800", TypeError],
    [7, TypeError],
    [null, TypeError],
    [{}, TypeError],
  ];
  const rows = kv.rows().length;
  for (const [given, kind] of bad) {
    const key = given as string; // what a caller without types may give
    const calls = [
      () => store.write([{ id: "a", content: 1 }], { message: "m", key }),
      () => store.merge("main", { key }),
      () => store.merge("main", { key, dryRun: true }),
      () => store.revert("main", { key }),
      () => store.stage.commit({ message: "m", key }),
    ];
    for (const call of calls) await assert.rejects(call, kind);
  }
  assert.equal(kv.rows().length, rows);
  for (const key of ["k".repeat(256), "é".repeat(128), " ", "__proto__"]) {
    const first = await store.write([{ id: key, content: 1 }], {
      message: "m",
      key,
    });
    assert.equal(first.changes.size, 1);
    const again = { message: "m", key };
    assert.deepEqual(
      await store.write([{ id: key, content: 1 }], again),
      first,
    );
  }
  const absent = { message: "m", key: undefined };
  await store.write([{ id: "x", content: 1 }], absent);
});

Deno.test("the oldest key of a row goes when the row is full", async () => {
  const { kv, store } = await newStore();
  const keys = keysOfOneRow(REQUESTS_IN_ROW_MAX + 1);
  const ask = (key: string) =>
    store.write([{ id: key, content: 1 }], { message: key, key });
  const answers: Written[] = [];
  for (const key of keys.slice(0, -1)) answers.push(await ask(key));
  await store.write([{ id: keys[0]!, content: 2 }], { message: "newer" });
  assert.deepEqual(await ask(keys[0]!), answers[0]);
  await ask(keys.at(-1)!);
  assert.equal(keptRows(kv), 2);
  // The first is forgotten, the second is not.
  assert.deepEqual(await ask(keys[1]!), answers[1]);
  assert.notEqual((await ask(keys[0]!)).commit, answers[0]?.commit);
  await checkVerified(store);
});

Deno.test("a write with a key: one round more to read, two rows more to write; without one nothing", async () => {
  const { kv } = await newStore();
  const { store, driver } = await countedStore(kv.open());
  const cost = async (key: string | undefined, content: number) => {
    const counts = await countsOf(
      driver,
      () => store.write([{ id: "plan", content }], { message: "m", key }),
    );
    return [counts.rounds, counts.commits, counts.rowsSet, counts.rowsDeleted];
  };
  await cost("warm", 0);
  for (let i = 1; i < 40; i++) {
    assert.deepEqual(await cost(`key ${i}`, i), [2, 1, 5, 0]);
  }
  assert.deepEqual(await cost(undefined, 1_000), [1, 1, 3, 0]);
  // What changes nothing is two rows, and what was made before a look and, at most, its commit.
  assert.deepEqual(await cost("unchanged", 1_000), [2, 1, 2, 0]);
  assert.deepEqual(await cost("key 7", 7), [1, 0, 0, 0]);
  assert.deepEqual(await cost(undefined, 1_001), [1, 1, 3, 0]);
  reportFigures("request-keys", {
    roundsOfAWriteWithKey: 2,
    rowsOfAWriteWithKey: 5,
    keysKeptOfABranch: 64 * REQUESTS_IN_ROW_MAX,
  });
});

Deno.test("a bundle has nothing of keys", async () => {
  await using plain = await tempStore({ clock: () => 5 });
  await using keyed = await tempStore({ clock: () => 5 });
  const texts: string[] = [];
  for (const { store } of [plain, keyed]) {
    const key = store === keyed.store ? "k" : undefined;
    await store.write([{ id: "a", content: 1 }], { message: "m", key });
    texts.push(await new Response(exportBundle(store)).text());
  }
  assert.equal(texts[0], texts[1]);
});
