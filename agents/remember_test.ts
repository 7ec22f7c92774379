import assert from "node:assert/strict";
import type { Json } from "@mnem/core";
import { tempStore } from "../tests/support/temp_store.ts";
import { forget, remember, rememberMany } from "./remember.ts";

Deno.test("remember() makes one commit that carries the evidence", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const { commit, changes } = await remember(store, "plan", "pro", {
    source: "s",
    step: "step-31",
    observation: "o",
    toolCall: "t",
    note: "",
    eventTimeMs: -5,
    timeMs: 42,
  });
  assert.deepEqual([...changes], [["plan", "added"]]);
  const [made, ...rest] = await Array.fromAsync(store.log());
  assert.deepEqual(rest, []);
  assert.equal(made?.id, commit);
  assert.equal(made?.message, "remember plan");
  assert.equal(made?.author, "agent");
  assert.equal(made?.timeMs, 42);
  const node = await store.node("plan");
  assert.deepEqual(node?.provenance, {
    agentStep: "step-31",
    observation: "o",
    toolCall: "t",
    source: "s",
    note: "",
  });
  assert.equal(node?.eventTimeMs, -5);
});

Deno.test("remember() of the same again makes no commit, other evidence does", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const first = await remember(store, "plan", { tier: "pro", seats: 1 }, {
    note: "n",
  });
  const again = await remember(store, "plan", { seats: 1, tier: "pro" }, {
    note: "n",
  });
  assert.equal(again.commit, first.commit);
  assert.equal(again.changes.size, 0);
  const other = await remember(store, "plan", { seats: 1, tier: "pro" }, {
    note: "m",
  });
  assert.notEqual(other.commit, first.commit);
  assert.deepEqual([...other.changes], [["plan", "modified"]]);
});

Deno.test("the author is the option's, else the store's, else agent", async () => {
  await using plain = await tempStore();
  await using named = await tempStore({ author: "ada" });
  await remember(plain.store, "a", 1);
  await remember(named.store, "a", 1);
  await rememberMany(named.store, [{ id: "a", content: 2 }], { author: "bob" });
  await forget(named.store, "a", { author: undefined });
  const authors = async (store: typeof named.store) =>
    (await Array.fromAsync(store.log())).map(({ author }) => author);
  assert.deepEqual(await authors(plain.store), ["agent"]);
  assert.deepEqual(await authors(named.store), ["ada", "bob", "ada"]);
});

Deno.test("rememberMany() counts items, and the last of one id wins", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await rememberMany(store, new Set([{ id: "a", content: 1, step: "s" }]));
  const { changes } = await rememberMany(store, [
    { id: "b", content: 1, note: "first" },
    { id: "a", content: 3 },
    { id: "b", content: 2 },
  ]);
  assert.deepEqual([...changes], [["a", "modified"], ["b", "added"]]);
  const log = await Array.fromAsync(store.log());
  assert.deepEqual(log.map(({ message }) => message), [
    "remember 3 nodes",
    "remember 1 node",
  ]);
  const b = await store.node("b");
  assert.deepEqual([b?.content, b?.provenance], [2, {}]);
});

Deno.test("rememberMany() of nothing makes no commit", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  assert.deepEqual(await rememberMany(store, []), {
    commit: null,
    changes: new Map(),
  });
  const { commit } = await remember(store, "a", 1);
  assert.equal((await rememberMany(store, [])).commit, commit);
  assert.equal((await Array.fromAsync(store.log())).length, 1);
});

Deno.test("rememberMany() names the item that has no id or content, and writes none", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const good = { id: "a", content: 1 };
  const broken: [unknown, RegExp][] = [
    [{ content: 2 }, /item 1\b.*\bid$/],
    [{ id: "b" }, /item 1\b.*\bcontent$/],
    [{ id: "b", content: undefined }, /item 1\b.*\bcontent$/],
    [null, /item 1\b.*\bid$/],
    ["text", /item 1\b.*\bid$/],
  ];
  for (const [item, message] of broken) {
    const items = [good, item] as { id: string; content: Json }[];
    await assert.rejects(rememberMany(store, items), (error) => {
      assert.ok(error instanceof TypeError);
      assert.match(error.message, message);
      return true;
    });
  }
  const lists: unknown[] = [null, undefined, 5, good, { length: 1, 0: good }];
  for (const items of lists) {
    await assert.rejects(rememberMany(store, items as []), {
      name: "TypeError",
      message: "Cannot remember: items must be iterable",
    });
  }
  assert.equal((await store.head()).commit, null);
  await rememberMany(store, [good]);
  assert.equal((await store.memory()).size, 1);
});

Deno.test("forget() removes one node; not_found for one that is not there", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await assert.rejects(forget(store, "temp"), { code: "not_found" });
  await rememberMany(store, [{ id: "temp", content: 1 }, {
    id: "keep",
    content: 2,
  }]);
  const { changes } = await forget(store, "temp");
  assert.deepEqual([...changes], [["temp", "removed"]]);
  assert.deepEqual([...(await store.memory()).keys()], ["keep"]);
  await assert.rejects(forget(store, "temp"), {
    name: "MnemError",
    code: "not_found",
    outcome: "none",
    message: 'Cannot forget node "temp": it is not in memory',
  });
  const log = await Array.fromAsync(store.log());
  assert.deepEqual(log.map(({ message }) => message), [
    "forget temp",
    "remember 2 nodes",
  ]);
});

Deno.test("an empty summary is none", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await remember(store, "a", 1, { summary: "" });
  await rememberMany(store, [{ id: "a", content: 2 }], { summary: "second" });
  await forget(store, "a", { summary: "" });
  const log = await Array.fromAsync(store.log());
  assert.deepEqual(log.map(({ message }) => message), [
    "forget a",
    "second",
    "remember a",
  ]);
});

Deno.test("base refuses a write over what the caller had not read", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const { commit: base } = await remember(store, "plan", "pro");
  await remember(store, "seats", 1);
  await remember(store, "plan", "team", { base });
  await assert.rejects(remember(store, "plan", "free", { base }), {
    code: "conflict",
  });
  await assert.rejects(forget(store, "plan", { base }), { code: "conflict" });
  await assert.rejects(
    rememberMany(store, [{ id: "plan", content: 1 }], { base: null }),
    { code: "conflict" },
  );
  assert.equal((await store.node("plan"))?.content, "team");
});

Deno.test("remember() takes interfaces and refuses by type what cannot be stored", async () => {
  interface Plan {
    readonly tier: string;
    readonly seats?: number;
  }
  await using temp = await tempStore();
  const { store } = temp;
  const plan: Plan = { tier: "pro" };
  await remember(store, "plan", plan);
  // @ts-expect-error -- a Date is no JSON
  await assert.rejects(remember(store, "at", new Date(0)), TypeError);
  // @ts-expect-error -- nor is a function
  await assert.rejects(remember(store, "f", () => 1), TypeError);
  // @ts-expect-error -- nor is a symbol, at any depth
  await assert.rejects(remember(store, "s", [{ a: Symbol() }]), TypeError);
  await assert.rejects(remember(store, "u", undefined), TypeError);
  assert.equal((await store.memory()).size, 1);
});

Deno.test("remember(), rememberMany() and forget() with a key are made once", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const first = await remember(store, "plan", "pro", { key: "1", note: "n" });
  await remember(store, "plan", "newer");
  const again = { key: "1", note: "n", summary: "again", timeMs: 5 };
  assert.deepEqual(await remember(store, "plan", "pro", again), first);
  await assert.rejects(remember(store, "plan", "pro", { key: "1" }), {
    code: "conflict",
    data: { key: "1", commit: first.commit },
  });
  const items = [{ id: "plan", content: "pro", note: "n" }];
  assert.deepEqual(await rememberMany(store, items, { key: "1" }), first);
  const many = await rememberMany(store, items, { key: "2" });
  const gone = await forget(store, "plan", { key: "3" });
  assert.deepEqual([...gone.changes], [["plan", "removed"]]);
  await remember(store, "plan", "back");
  assert.deepEqual(await rememberMany(store, items, { key: "2" }), many);
  assert.deepEqual(await forget(store, "plan", { key: "3" }), gone);
  assert.equal((await store.node("plan"))?.content, "back");
});

Deno.test("forget() of what is not there takes no key", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const forgetIt = () => forget(store, "plan", { key: "k" });
  const absent = { code: "not_found", message: /"plan": it is not in memory$/ };
  await assert.rejects(forgetIt(), absent);
  await remember(store, "plan", "pro");
  const gone = await forgetIt();
  assert.deepEqual(await forgetIt(), gone);
  await assert.rejects(forget(store, "plan"), absent);
});
