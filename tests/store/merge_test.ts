/**
 * Merges and reverts by example.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { remember } from "@mnem/agents";
import {
  type Branch,
  type Edit,
  isMnemError,
  type MergeOptions,
  type Store,
} from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { secondRoot } from "../support/second_root.ts";

type Memory = { readonly [id: string]: string };

async function emptyStore(): Promise<Store> {
  return await openStoreOn(new MemoryKv().open(), {
    create: true,
    clock: () => 1_000,
  });
}

let turn = 0;

/** Makes a branch's memory this, as one commit. */
async function become(branch: Branch, memory: Memory): Promise<string> {
  const held = await branch.memory();
  const removals = [...held.keys()].filter((id) => !(id in memory)).map((
    id,
  ): Edit => ({ id, remove: true }));
  const edits = Object.entries(memory).map(([id, content]) => ({
    id,
    content,
  }));
  const { commit } = await branch.write([...removals, ...edits], {
    message: `turn ${turn++}`,
    allowEmpty: true,
  });
  return commit!;
}

/** A store whose branches main and feature went on from a base. */
async function diverged(base: Memory, ours: Memory, theirs: Memory) {
  const store = await emptyStore();
  await become(store, base);
  await store.createBranch("feature");
  await become(store, ours);
  const feature = store.on("feature");
  await become(feature, theirs);
  return { store, feature };
}

async function contents(branch: Branch): Promise<Memory> {
  const memory = await branch.memory();
  return Object.fromEntries(
    [...memory].map(([id, { content }]) => [id, String(content)]),
  );
}

const refused = (code: Parameters<typeof isMnemError>[1]) => (error: unknown) =>
  isMnemError(error, code);

Deno.test("merge() takes one side's changes, agrees on equal ones, and lists four kinds of conflicts", async () => {
  const { store } = await diverged(
    {
      "keep": "1",
      "ours-edit": "1",
      "theirs-edit": "1",
      "ours-del": "1",
      "theirs-del": "1",
      "same-edit": "1",
      "same-del": "1",
      "c-delete-edit": "1",
      "d-edit-delete": "1",
      "e-edit-edit": "1",
    },
    {
      "keep": "1",
      "ours-edit": "2",
      "theirs-edit": "1",
      "theirs-del": "1",
      "same-edit": "2",
      "ours-add": "2",
      "same-add": "2",
      "b-add-add": "2",
      "d-edit-delete": "2",
      "e-edit-edit": "2",
    },
    {
      "keep": "1",
      "ours-edit": "1",
      "theirs-edit": "3",
      "ours-del": "1",
      "same-edit": "2",
      "theirs-add": "3",
      "same-add": "2",
      "b-add-add": "3",
      "c-delete-edit": "3",
      "e-edit-edit": "3",
    },
  );
  const before = await store.head();
  const torn = await store.merge("feature");
  assert.equal(torn.status, "conflicts");
  assert.deepEqual(
    torn.conflicts.map(({ id, kind, base, ours, theirs }) => [
      id,
      kind,
      base?.content ?? null,
      ours?.content ?? null,
      theirs?.content ?? null,
    ]),
    [
      ["b-add-add", "add/add", null, "2", "3"],
      ["c-delete-edit", "delete/edit", "1", null, "3"],
      ["d-edit-delete", "edit/delete", "1", "2", null],
      ["e-edit-edit", "edit/edit", "1", "2", "3"],
    ],
  );
  assert.deepEqual(await store.head(), before);
  const merged = await store.merge("feature", { strategy: "theirs" });
  assert.deepEqual(await contents(store), {
    "b-add-add": "3",
    "c-delete-edit": "3",
    "e-edit-edit": "3",
    "keep": "1",
    "ours-add": "2",
    "ours-edit": "2",
    "same-add": "2",
    "same-edit": "2",
    "theirs-add": "3",
    "theirs-edit": "3",
  });
  assert.deepEqual(Object.fromEntries(merged.changes), {
    "b-add-add": "modified",
    "c-delete-edit": "added",
    "d-edit-delete": "removed",
    "e-edit-edit": "modified",
    "theirs-add": "added",
    "theirs-del": "removed",
    "theirs-edit": "modified",
  });
});

Deno.test("merge() without conflicts: parents, message, change set, blame on the side that wrote", async () => {
  const { store, feature } = await diverged(
    { owner: "alice", plan: "team" },
    { owner: "bob", plan: "team" },
    { owner: "alice", plan: "pro", region: "eu" },
  );
  const { commit: ours } = await store.head();
  const { commit: theirs } = await feature.head();
  const { status, commit } = await store.merge("feature");
  assert.equal(status, "merged");
  const merge = await store.readCommit("HEAD");
  assert.equal(merge.id, commit);
  assert.deepEqual(merge.parents, [ours, theirs]);
  assert.equal(merge.message, "merge feature into main");
  assert.deepEqual(await contents(store), {
    owner: "bob",
    plan: "pro",
    region: "eu",
  });
  assert.equal((await store.blame("plan")).commit.id, theirs);
  assert.equal((await store.blame("owner")).commit.id, ours);
  const changes = (await store.changes()).map(({ id, kind }) => [id, kind]);
  assert.deepEqual(changes, [["plan", "modified"], ["region", "added"]]);
  const found = await store.bisect(async (memory) =>
    (await memory.node("plan"))?.content === "pro"
  );
  assert.deepEqual([found.commit.id, found.writtenIn.id], [commit, theirs]);
});

Deno.test("merge() goes forward to a branch ahead, and is then up to date", async () => {
  const store = await emptyStore();
  await become(store, { plan: "team" });
  await store.createBranch("feature");
  const tip = await become(store.on("feature"), { plan: "pro" });
  const dry = await store.merge("feature", { dryRun: true });
  assert.deepEqual([dry.status, dry.commit], ["fast-forwarded", null]);
  const forward = await store.merge("feature");
  assert.deepEqual([forward.status, forward.commit], ["fast-forwarded", tip]);
  assert.deepEqual([...forward.changes], [["plan", "modified"]]);
  const again = await store.merge("feature");
  assert.deepEqual([again.status, again.commit], ["up-to-date", null]);
});

Deno.test("merge() refuses a resolution of what does not conflict, in every outcome", async () => {
  const stale: MergeOptions = { resolutions: { ghost: "ours" } };
  const { store } = await diverged({ a: "1" }, { a: "2" }, { a: "3" });
  await store.createBranch("ahead");
  await become(store.on("ahead"), { a: "4" });
  await store.createBranch("clean", { at: "HEAD~1" });
  await become(store.on("clean"), { a: "1", b: "1" });
  const before = await store.branches();
  for (const theirs of ["main", "ahead", "clean", "feature"]) {
    for (const dryRun of [false, true]) {
      const call = store.merge(theirs, { ...stale, dryRun });
      await assert.rejects(call, refused("not_found"), theirs);
    }
  }
  await assert.rejects(store.revert("HEAD", stale), refused("not_found"));
  assert.deepEqual(await store.branches(), before);
});

Deno.test("merge() resolves by ours, theirs, base, delete and a node with its evidence; the word beats the strategy", async () => {
  const at = (content: string) => ({
    base: content,
    node: content,
    none: content,
    ours: content,
    theirs: content,
  });
  const { store } = await diverged(at("1"), at("2"), at("3"));
  const provenance = { source: "me", observation: "seen" };
  const { commit } = await store.merge("feature", {
    strategy: "theirs",
    resolutions: {
      base: "base",
      node: { content: "4", provenance, eventTimeMs: 7 },
      none: "delete",
      ours: "ours",
    },
  });
  assert.deepEqual(await contents(store), {
    base: "1",
    node: "4",
    ours: "2",
    theirs: "3",
  });
  const node = await store.node("node");
  assert.deepEqual([node?.provenance, node?.eventTimeMs], [provenance, 7]);
  for (const id of ["base", "node"]) {
    assert.equal((await store.blame(id)).commit.id, commit);
  }
});

Deno.test("merge() with ours keeps our deletion; base on add/add is not_found", async () => {
  const { store } = await diverged(
    { owner: "a", plan: "1" },
    { plan: "2", both: "1" },
    { owner: "b", plan: "3", both: "2" },
  );
  const call = store.merge("feature", {
    strategy: "ours",
    resolutions: { both: "base" },
  });
  await assert.rejects(call, refused("not_found"));
  await store.merge("feature", { strategy: "ours" });
  assert.deepEqual(await contents(store), { both: "1", plan: "2" });
});

Deno.test("merge() keeps one evidence of the same content, the same in both directions", async () => {
  const store = await emptyStore();
  await become(store, { a: "0" });
  await store.createBranch("feature");
  const say = (branch: Branch, source: string, timeMs: number) =>
    branch.write([{ id: "a", content: "1", provenance: { source } }], {
      message: source,
      timeMs,
    });
  await say(store, "early", 2_000);
  await say(store.on("feature"), "late", 3_000);
  await store.createBranch("mirror", { at: "feature" });
  const one = await store.merge("feature");
  const other = await store.on("mirror").merge("main~1");
  assert.deepEqual([one.reconciled, other.reconciled], [["a"], ["a"]]);
  assert.deepEqual(await store.node("a"), await store.on("mirror").node("a"));
  assert.equal((await store.node("a"))?.provenance.source, "late");
  assert.equal((await store.blame("a")).commit.message, "late");
});

Deno.test("merge() of lines that merged each other finds a way out", async () => {
  const { store, feature } = await diverged(
    { a: "1", b: "1" },
    { a: "2", b: "1" },
    { a: "1", b: "2" },
  );
  const main = await store.resolve("main");
  await store.merge("feature");
  await feature.merge(main);
  await become(store, { a: "3", b: "2" });
  await become(feature, { a: "2", b: "3" });
  const { status } = await store.merge("feature");
  assert.equal(status, "merged");
  assert.deepEqual(await contents(store), { a: "3", b: "3" });
});

Deno.test("merges with swapped answers, three times: no answer is dropped in silence", async () => {
  const { store: one, feature: two } = await diverged(
    { a: "0", b: "0", c: "0" },
    { a: "1", b: "1", c: "1" },
    { a: "2", b: "2" },
  );
  const sides = [one, two] as const;
  for (let round = 0; round < 3; round++) {
    const heads = await Promise.all(sides.map((side) => side.head()));
    for (const [i, side] of sides.entries()) {
      const theirs = heads[1 - i]!.commit!;
      const free = await side.merge(theirs, { dryRun: true });
      // Each keeps its own answers, so that they disagree again.
      assert.equal(free.status, "conflicts", `round ${round}`);
      assert.deepEqual(free.conflicts.map(({ id }) => id), ["a", "b", "c"]);
      await side.merge(theirs, { strategy: "ours" });
    }
  }
  // Now both give the same answers.
  const heads = await Promise.all(sides.map((side) => side.head()));
  await one.merge(heads[1]!.commit!, { strategy: "ours" });
  await two.merge(heads[0]!.commit!, { strategy: "theirs" });
  assert.deepEqual(await contents(one), { a: "1", b: "1", c: "1" });
  assert.deepEqual(await contents(two), await contents(one));
  const { status } = await one.merge("feature");
  assert.equal(status, "merged");
});

Deno.test("merge() of histories with nothing in common: only when asked", async () => {
  const kv = new MemoryKv();
  const store = await openStoreOn(kv.open(), { create: true });
  const root = await become(store, {});
  await secondRoot(kv.open(), {
    branch: "other",
    like: root,
    message: "second",
    timeMs: 5,
  });
  await become(store, { a: "1", b: "1" });
  await become(store.on("other"), { b: "2", c: "2" });
  await assert.rejects(store.merge("other"), refused("invalid_ref"));
  const torn = await store.merge("other", { allowUnrelated: true });
  assert.deepEqual(torn.conflicts.map(({ id, kind }) => [id, kind]), [
    ["b", "add/add"],
  ]);
  await store.merge("other", { allowUnrelated: true, strategy: "theirs" });
  assert.deepEqual(await contents(store), { a: "1", b: "2", c: "2" });
});

Deno.test("revert() of a root, of a commit, and of a revert", async () => {
  const store = await emptyStore();
  const root = await become(store, { a: "1" });
  const second = await become(store, { a: "2", b: "2" });
  const { commit, changes } = await store.revert(second);
  assert.deepEqual([...changes], [["a", "modified"], ["b", "removed"]]);
  assert.equal((await store.readCommit("HEAD")).message, `revert ${second}`);
  assert.deepEqual((await store.readCommit("HEAD")).parents, [second]);
  assert.deepEqual(await contents(store), { a: "1" });
  assert.equal((await store.revert(second)).status, "up-to-date");
  await store.revert(commit!);
  assert.deepEqual(await contents(store), { a: "2", b: "2" });
  const torn = await store.revert(root);
  assert.deepEqual(torn.conflicts.map(({ id, kind }) => [id, kind]), [
    ["a", "edit/delete"],
  ]);
  await store.revert(root, { strategy: "theirs" });
  assert.deepEqual(await contents(store), { b: "2" });
});

Deno.test("revert() of a merge goes back to the parent that is named", async () => {
  const { store } = await diverged(
    { a: "1", b: "1" },
    { a: "2", b: "1" },
    { a: "1", b: "2" },
  );
  const { commit } = await store.merge("feature");
  await assert.rejects(store.revert(commit!), RangeError);
  await store.createBranch("second");
  await store.revert(commit!, { parent: 1 });
  assert.deepEqual(await contents(store), { a: "2", b: "1" });
  await store.on("second").revert(commit!, { parent: 2 });
  assert.deepEqual(await contents(store.on("second")), { a: "1", b: "2" });
});

Deno.test("a guard sees what a merge and a revert come to, and may refuse", async () => {
  const kv = new MemoryKv();
  const { edits, say } = { edits: [] as unknown[], say: { no: false } };
  const store = await openStoreOn(kv.open(), {
    create: true,
    guard: (seen, { branch, message }) => {
      if (say.no) throw new Error("no");
      edits.push([
        branch,
        message,
        seen.map(({ id, content }) => [id, content]),
      ]);
    },
  });
  await become(store, { a: "1" });
  await store.createBranch("feature");
  await become(store, { a: "1", b: "2" });
  await become(store.on("feature"), { a: "3" });
  edits.length = 0;
  say.no = true;
  const before = await store.branches();
  await assert.rejects(store.merge("feature"), refused("refused"));
  await assert.rejects(store.revert("HEAD"), refused("refused"));
  assert.deepEqual(await store.branches(), before);
  say.no = false;
  await store.merge("feature");
  await store.revert("HEAD~1", { message: "back" });
  assert.deepEqual(edits, [
    ["main", "merge feature into main", [["a", "3"]]],
    ["main", "back", [["b", undefined]]],
  ]);
});

Deno.test("merge() and revert() refuse options that cannot be, and write nothing", async () => {
  const { store } = await diverged({ a: "1" }, { a: "2" }, { a: "3" });
  const before = await store.branches();
  const bad = [
    { strategy: "mine" },
    { resolutions: { a: "mine" } },
    { resolutions: { a: 7 } },
    { resolutions: "ours" },
    { resolutions: { a: null } },
    { timeMs: 0.5 },
    { author: 7 },
    { message: 7 },
  ];
  for (const options of bad) {
    const given: MergeOptions = JSON.parse(JSON.stringify(options));
    const isBad = (error: unknown) =>
      error instanceof TypeError || error instanceof RangeError;
    await assert.rejects(store.merge("feature", given), isBad);
    await assert.rejects(store.revert("HEAD", given), isBad);
  }
  for (const parent of [2, 3, 0]) {
    const given: { parent: 1 } = JSON.parse(JSON.stringify({ parent }));
    await assert.rejects(store.revert("HEAD", given), RangeError);
  }
  await assert.rejects(store.merge("ghost"), refused("invalid_ref"));
  assert.deepEqual(await store.branches(), before);
});

Deno.test("poisoned agent: the five known ids, the conflict included", async () => {
  const text = await readFile(
    new URL("../data/vectors.json", import.meta.url),
    "utf8",
  );
  const { commits }: { commits: string[] } =
    JSON.parse(text).histories.poisoned_agent;
  const store = await emptyStore();
  const made: (string | null)[] = [];
  const say = async (
    id: string,
    content: string,
    options: Parameters<typeof remember>[3],
  ) => made.push((await remember(store, id, content, options)).commit);
  const plan = "on the Enterprise plan";
  await say("customer-4821", plan, {
    source: "ticket-4821",
    summary: "open the case",
    timeMs: 1_000,
  });
  await say("primary-contact", "alice@acme", {
    step: "step-4",
    summary: "note the primary contact",
    timeMs: 2_000,
  });
  await store.createBranch("direct-callback");
  await store.switchTo("direct-callback");
  await say("customer-4821", plan, {
    source: "call-4821",
    summary: "confirmed the plan by phone",
    timeMs: 2_500,
  });
  await store.switchTo("main");
  await say("customer-4821", "downgraded to Pro last month", {
    source: "billing-note-8842",
    step: "step-31",
    summary: "reconcile the plan tier from billing",
    timeMs: 3_000,
  });
  const torn = await store.merge("direct-callback");
  assert.deepEqual(torn.conflicts.map(({ id, kind }) => [id, kind]), [
    ["customer-4821", "edit/edit"],
  ]);
  const { commit } = await store.merge("direct-callback", {
    resolutions: { "customer-4821": "theirs" },
    message:
      "merge direct-callback: trust the phone confirmation over the misread billing note",
    timeMs: 6_000,
  });
  assert.deepEqual([...made, commit], commits);
});
