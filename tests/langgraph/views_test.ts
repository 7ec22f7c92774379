/**
 * What the store has beyond LangGraph's contract: why, when, history, branches, merges, and views.
 *
 * @module
 */

import assert from "node:assert/strict";
import { recall } from "@mnem/agents";
import { isMnemError } from "@mnem/core";
import { mnemosyne, MnemosyneStore, toId } from "@mnem/langgraph";
import { InMemoryStore } from "@langchain/langgraph-checkpoint";
import {
  commitCount,
  keysOf,
  langGraphStore,
} from "../support/langgraph_store.ts";
import { tempFolder } from "../support/temp_folder.ts";

const USER = ["users", "u1"];

Deno.test("why(), whenDid() and history() lead back to what an item rests on", async () => {
  await using temp = await langGraphStore();
  const { memory, store } = temp;
  await memory.put(USER, "plan", { tier: "enterprise" });
  await memory.put(USER, "plan", {
    tier: "pro",
    _meta: { observation: "billing-note-8842" },
  });
  await memory.put(USER, "seats", { n: 240 });
  const { commit, node } = await memory.why(USER, "plan");
  assert.equal(node.provenance.observation, "billing-note-8842");
  const { commits } = await memory.history({ limit: 2 });
  assert.deepEqual(commits.map(({ message }) => message), [
    "remember users:u1:seats",
    "remember users:u1:plan",
  ]);
  assert.equal(commits[1]?.id, commit.id);
  const found = await memory.whenDid(USER, "plan", { equals: { tier: "pro" } });
  assert.equal(found.commit.id, commit.id);
  assert.equal(found.blame?.node.provenance.observation, "billing-note-8842");
  const before = await memory.why(USER, "plan", { at: `${commit.id}~1` });
  assert.deepEqual(before.node.content, { tier: "enterprise" });
  const of = await memory.history({ node: toId(USER, "plan") });
  assert.equal(of.commits.length, 2);
  // The same as every other door says.
  assert.deepEqual(
    await store.blame("users:u1:plan"),
    await memory.why(USER, "plan"),
  );
  const ghost = memory.why(USER, "ghost");
  await assert.rejects(ghost, (error) => isMnemError(error, "not_found"));
  await assert.rejects(memory.why(["a.b"], "k"), {
    name: "InvalidNamespaceError",
    code: "invalid_argument",
  });
  await assert.rejects(memory.history({ limit: 0 }), {
    name: "RangeError",
    code: "invalid_argument",
  });
});

Deno.test("onBranch() is a view of a branch: nobody's HEAD moves", async () => {
  await using temp = await langGraphStore();
  const { memory, store } = temp;
  await memory.put(USER, "plan", { tier: "enterprise" });
  assert.equal(await memory.branch("what-if"), "what-if");
  const view = memory.onBranch("what-if");
  await view.put(USER, "plan", { tier: "pro" });
  await view.put(USER, "guess", {});
  assert.deepEqual((await memory.get(USER, "plan"))?.value, {
    tier: "enterprise",
  });
  assert.deepEqual((await view.get(USER, "plan"))?.value, { tier: "pro" });
  assert.deepEqual(keysOf(await memory.search(USER)), ["plan"]);
  assert.deepEqual(keysOf(await view.search(USER)), ["plan", "guess"]);
  assert.deepEqual((await store.head()).branch, "main");
  assert.equal((await view.history()).commits.length, 3);
  assert.equal((await memory.history()).commits.length, 1);

  // A branch of a branch begins where the view stands, and takes revisions from there.
  await view.branch("deeper");
  await view.branch("earlier", { at: "HEAD~2" });
  assert.deepEqual(keysOf(await memory.onBranch("deeper").search(USER)), [
    "plan",
    "guess",
  ]);
  assert.deepEqual(keysOf(await memory.onBranch("earlier").search(USER)), [
    "plan",
  ]);
  await memory.branch("first", { at: "HEAD" });
  assert.deepEqual(keysOf(await memory.onBranch("first").search(USER)), [
    "plan",
  ]);

  assert.throws(
    () => memory.onBranch("no such..name"),
    (error) => isMnemError(error, "invalid_ref"),
  );
  const ghost = memory.onBranch("ghost").search([]);
  await assert.rejects(ghost, (error) => isMnemError(error, "invalid_ref"));
  await assert.rejects(view.switch("main"), {
    name: "TypeError",
    message: /bound to branch "what-if"/,
  });
  const taken = memory.branch("what-if", { at: "main" });
  await assert.rejects(taken, (error) => isMnemError(error, "conflict"));
});

Deno.test("merge() brings a branch in, and shows conflicts as a result", async () => {
  await using temp = await langGraphStore();
  const { store } = temp;
  const memory = new MnemosyneStore(store, { author: "planner" });
  await memory.put(USER, "plan", { tier: "enterprise" });
  await memory.branch("what-if");
  const view = memory.onBranch("what-if");
  await view.put(USER, "guess", { n: 1, _meta: { note: "a hunch" } });
  await memory.put(USER, "seats", { n: 1 });
  const merged = await memory.merge("what-if");
  assert.equal(merged.status, "merged");
  assert.deepEqual([...merged.changes], [["users:u1:guess", "added"]]);
  const { commits } = await memory.history();
  assert.equal(commits[0]?.author, "planner");
  // Seen through the merge.
  assert.equal(
    (await memory.why(USER, "guess")).node.provenance.note,
    "a hunch",
  );
  const found = await memory.whenDid(USER, "guess", { present: true });
  assert.equal(found.commit.id, merged.commit);
  assert.notEqual(found.writtenIn.id, merged.commit);

  await view.put(USER, "plan", { tier: "pro" });
  await memory.put(USER, "plan", { tier: "team" });
  const before = await commitCount(store);
  const conflict = await memory.merge("what-if");
  assert.equal(conflict.status, "conflicts");
  assert.deepEqual(conflict.conflicts[0]?.theirs?.content, { tier: "pro" });
  assert.equal(await commitCount(store), before);
  const solved = await memory.merge("what-if", {
    strategy: "theirs",
    message: "take it",
  });
  assert.equal(solved.status, "merged");
  assert.deepEqual((await memory.get(USER, "plan"))?.value, { tier: "pro" });
  // And into a view: main into the branch.
  const back = await view.merge("main");
  assert.equal(back.status, "fast-forwarded");
});

Deno.test("switch() moves a store and all its views that are on no branch", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  await memory.put(USER, "plan", { tier: "enterprise" });
  await memory.branch("what-if");
  const view = memory.withProvenance({ source: "s" });
  await memory.switch("what-if");
  await view.put(USER, "plan", { tier: "pro" });
  assert.deepEqual((await memory.get(USER, "plan"))?.value, { tier: "pro" });
  await memory.switch("main");
  assert.deepEqual((await view.get(USER, "plan"))?.value, {
    tier: "enterprise",
  });
  const ghost = memory.switch("ghost");
  await assert.rejects(ghost, (error) => isMnemError(error, "invalid_ref"));
});

Deno.test("withProvenance() says where writes come from, under what _meta says", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  await memory.put(["a"], "before", {});
  const view = memory.withProvenance({
    source: "crawler",
    step: "s1",
    eventTimeMs: 5,
  });
  const deeper = view.withProvenance({ step: "s2", note: "n" });
  await view.batch([
    { namespace: ["a"], key: "one", value: {} },
    {
      namespace: ["a"],
      key: "two",
      value: { _meta: { step: "own", tool_call: "t" } },
    },
  ]);
  await deeper.put(["a"], "three", {});
  const provenance = async (key: string) =>
    (await memory.why(["a"], key)).node.provenance;
  assert.deepEqual(await provenance("one"), {
    source: "crawler",
    agentStep: "s1",
  });
  assert.deepEqual(await provenance("two"), {
    source: "crawler",
    agentStep: "own",
    toolCall: "t",
  });
  assert.deepEqual(await provenance("three"), {
    source: "crawler",
    agentStep: "s2",
    note: "n",
  });
  assert.equal((await memory.why(["a"], "one")).timeMs, 5);
  assert.deepEqual(await provenance("before"), {});
  assert.deepEqual(memory.evidence, {});
  assert.deepEqual(deeper.evidence, {
    source: "crawler",
    step: "s2",
    note: "n",
    eventTimeMs: 5,
  });
  const wrong: object[] = [{ tool_call: "t" }, { source: 1 }, [], {
    meta: "x",
  }];
  for (const evidence of wrong) {
    assert.throws(() => memory.withProvenance(evidence), TypeError);
  }
});

Deno.test("views are views: one store, one order, one closing", async () => {
  await using folder = await tempFolder();
  const memory = await MnemosyneStore.open(folder.path, {
    create: true,
    author: "me",
  });
  await memory.put(["a"], "k", {});
  await memory.branch("b");
  const view = memory.onBranch("b").withProvenance({ source: "s" });
  await view.put(["a"], "l", {});
  assert.equal((await view.history()).commits[0]?.author, "me");
  assert.deepEqual((await view.why(["a"], "l")).node.provenance, {
    source: "s",
  });
  await view.stop();
  assert.deepEqual(keysOf(await memory.search([])), ["k"]);
  // What was called before it is carried out.
  const last = [
    memory.put(["a"], "k", { n: 1 }),
    memory.delete(["a"], "k"),
    view.put(["a"], "k", { n: 2 }),
  ];
  const found = view.search(["a"]);
  await memory.stop();
  await Promise.all(last);
  assert.deepEqual((await found).map(({ value }) => value), [{ n: 2 }, {}]);
  await assert.rejects(view.get(["a"], "k"), /closed store/);
  await memory.close();
  await using again = await MnemosyneStore.open(folder.path, { branch: "b" });
  assert.deepEqual(keysOf(await again.search([])), ["k", "l"]);
  assert.deepEqual(await again.onBranch("main").search([]), []);
  // A store that was given belongs to its giver.
  await using temp = await langGraphStore();
  await temp.memory.stop();
  await temp.memory.put(["a"], "k", {});
  assert.deepEqual((await recall(temp.store, "a:k"))?.content, {});
});

Deno.test("createdAt and updatedAt hold across branches, merges and reverts", async () => {
  let now = 0;
  await using temp = await langGraphStore({ clock: () => now });
  const { memory, store } = temp;
  const times = async (of: MnemosyneStore, key: string) => {
    const item = await of.get(["a"], key);
    return [item?.createdAt.getTime(), item?.updatedAt.getTime()];
  };
  now = 1_000;
  await memory.put(["a"], "k", { n: 1 });
  await memory.branch("b");
  const view = memory.onBranch("b");
  now = 2_000;
  await view.put(["a"], "k", { n: 2 });
  await view.put(["a"], "new", {});
  assert.deepEqual(await times(memory, "k"), [1_000, 1_000]);
  assert.deepEqual(await times(view, "k"), [1_000, 2_000]);
  now = 3_000;
  await memory.put(["a"], "other", {});
  now = 4_000;
  assert.equal((await memory.merge("b")).status, "merged");
  // The merge wrote neither: it brought them in.
  assert.deepEqual(await times(memory, "k"), [1_000, 2_000]);
  assert.deepEqual(await times(memory, "new"), [2_000, 2_000]);
  // "new" was made in the second commit after the first one, "other" in the next one after it.
  assert.deepEqual(keysOf(await memory.search(["a"])), ["k", "other", "new"]);
  now = 5_000;
  const { commit } = await memory.why(["a"], "k");
  assert.equal((await store.revert(commit.id)).status, "merged");
  assert.deepEqual(await times(memory, "k"), [1_000, 5_000]);
  assert.deepEqual((await memory.get(["a"], "k"))?.value, { n: 1 });
  now = 6_000;
  await memory.delete(["a"], "k");
  await memory.put(["a"], "k", { n: 1 });
  assert.deepEqual(await times(memory, "k"), [6_000, 6_000]);
});

Deno.test("mnemosyne() says clearly what it cannot unwrap", () => {
  const wrong: [object, RegExp][] = [
    [
      {},
      /it is undefined, must be a MnemosyneStore, given to compile or invoke/,
    ],
    [{ store: null }, /it is null/],
    [{ store: new InMemoryStore() }, /it is an instance of InMemoryStore/],
    [
      { store: { lg_name: "AsyncBatchedStore", store: new InMemoryStore() } },
      /an instance of InMemoryStore/,
    ],
  ];
  for (const [config, message] of wrong) {
    assert.throws(() => mnemosyne(config), { name: "TypeError", message });
  }
});

Deno.test("mnemosyne() takes the run's ids, under what was said before", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  const runs: [object, object][] = [
    [{ store: memory }, {}],
    [
      { store: memory, executionInfo: { threadId: "t", checkpointId: "c" } },
      { source: "thread:t", step: "checkpoint:c" },
    ],
    [
      { store: memory, configurable: { thread_id: 5, checkpoint_id: "" } },
      { source: "thread:5" },
    ],
    [
      { store: memory, configurable: { thread_id: "t", checkpoint_id: "c" } },
      { source: "thread:t", step: "checkpoint:c" },
    ],
    // The runtime of a tool holds the node's config.
    [
      {
        store: memory,
        config: {
          executionInfo: { threadId: "t" },
          configurable: { thread_id: "u" },
        },
      },
      { source: "thread:t" },
    ],
    [
      {
        store: memory.withProvenance({ source: "mine" }),
        executionInfo: { threadId: "t", checkpointId: "c" },
      },
      { source: "mine", step: "checkpoint:c" },
    ],
  ];
  for (const [config, evidence] of runs) {
    assert.deepEqual(mnemosyne(config).evidence, evidence);
  }
});
