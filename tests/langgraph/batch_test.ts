/**
 * The contract of `batch`, which is the one door of the store: commits, order, results, costs.
 *
 * @module
 */

import assert from "node:assert/strict";
import type {
  GetOperation,
  ListNamespacesOperation,
  PutOperation,
  SearchOperation,
} from "@langchain/langgraph-checkpoint";
import { isMnemError, type MnemError } from "@mnem/core";
import type { Evidence } from "@mnem/agents";
import { mnemosyne, MnemosyneStore } from "@mnem/langgraph";
import { countedStore, countsOf } from "../support/counted_store.ts";
import {
  anyOperations,
  commitCount,
  keysOf,
  langGraphStore,
} from "../support/langgraph_store.ts";
import { MemoryKv } from "../support/memory_kv.ts";

function put(key: string, value: PutOperation["value"]): PutOperation {
  return { namespace: ["a"], key, value };
}

Deno.test("batch() answers its reads from before its writes, and writes one commit", async () => {
  await using temp = await langGraphStore();
  const { memory, store } = temp;
  await memory.batch([put("k", { n: 1 }), put("gone", {})]);
  const results = await memory.batch<
    [
      PutOperation,
      GetOperation,
      PutOperation,
      SearchOperation,
      PutOperation,
      ListNamespacesOperation,
      GetOperation,
    ]
  >([
    put("k", { n: 2 }),
    { namespace: ["a"], key: "k" },
    put("gone", null),
    { namespacePrefix: ["a"], filter: { n: 1 } },
    { namespace: ["b"], key: "new", value: {} },
    { limit: 10, offset: 0 },
    { namespace: ["b"], key: "new" },
  ]);
  assert.equal(results.length, 7);
  const [first, got, second, found, third, namespaces, missing] = results;
  assert.deepEqual([first, second, third], [undefined, undefined, undefined]);
  assert.deepEqual(got?.value, { n: 1 });
  assert.deepEqual(keysOf(found), ["k"]);
  assert.deepEqual(namespaces, [["a"]]);
  assert.equal(missing, null);
  assert.deepEqual((await memory.get(["a"], "k"))?.value, { n: 2 });
  assert.equal(await memory.get(["a"], "gone"), null);
  assert.deepEqual(await memory.listNamespaces(), [["a"], ["b"]]);
  assert.equal(await commitCount(store), 2);
});

Deno.test("batch() says in its message what it did, and for whom", async () => {
  await using temp = await langGraphStore();
  const { store } = temp;
  const memory = new MnemosyneStore(store, { author: "planner" });
  await memory.put(["a"], "k", { n: 1 });
  await memory.batch([put("k", { n: 2 }), put("l", {}), put("l", { n: 3 })]);
  await memory.batch([put("k", null), put("m", {})]);
  await memory.delete(["a"], "m");
  await memory.batch([
    put("x", {}),
    put("l", null),
    put("y", null),
    put("z", {}),
  ]);
  const { commits } = await memory.history();
  assert.deepEqual(commits.map(({ message }) => message), [
    "remember 2 nodes, forget 2 nodes",
    "forget a:m",
    "remember a:m, forget a:k",
    "remember 2 nodes",
    "remember a:k",
  ]);
  assert.deepEqual(
    new Set(commits.map(({ author }) => author)),
    new Set(["planner"]),
  );
  await new MnemosyneStore(store).put(["a"], "q", {});
  assert.equal((await memory.history()).commits[0]?.author, "agent");
});

Deno.test("batch() makes no commit where nothing changes, and says nothing of what is not there", async () => {
  await using temp = await langGraphStore();
  const { memory, store } = temp;
  const value = { n: 1, _meta: { source: "s" } };
  await memory.put(["a"], "k", value);
  await memory.put(["a"], "k", { ...value });
  await memory.delete(["a"], "ghost");
  assert.deepEqual(await memory.batch([put("ghost", null)]), [undefined]);
  assert.deepEqual(await memory.batch([]), []);
  await memory.search(["a"]);
  assert.equal(await commitCount(store), 1);
  // The same value from elsewhere is a change.
  await memory.put(["a"], "k", { n: 1, _meta: { source: "t" } });
  assert.equal(await commitCount(store), 2);
});

Deno.test("batch() keeps what _meta says as provenance, and stores nothing of it", async () => {
  await using temp = await langGraphStore();
  const { memory, store } = temp;
  await memory.put(["a"], "k", {
    tier: "pro",
    _meta: {
      source: "billing-8842",
      step: "s31",
      observation: "o",
      tool_call: "t",
      note: "n",
      event_time: 1_700_000_000_000,
    },
  });
  const { node, timeMs } = await memory.why(["a"], "k");
  assert.deepEqual(node.content, { tier: "pro" });
  assert.deepEqual(node.provenance, {
    source: "billing-8842",
    agentStep: "s31",
    observation: "o",
    toolCall: "t",
    note: "n",
  });
  assert.equal(timeMs, 1_700_000_000_000);
  assert.deepEqual((await memory.get(["a"], "k"))?.value, { tier: "pro" });
  assert.deepEqual(await memory.search(["a"], { query: "billing-8842" }), []);
  assert.deepEqual(
    await memory.search(["a"], { filter: { _meta: undefined } }).then(keysOf),
    ["k"],
  );
  await assert.rejects(
    memory.batch([put("ok", {}), put("k", { _meta: { sourc: "x" } })]),
    {
      name: "TypeError",
      code: "invalid_argument",
      message: /unknown field "sourc"/,
    },
  );
  await memory.put(["a"], "bare", { _meta: { note: "only" } });
  assert.deepEqual((await memory.get(["a"], "bare"))?.value, {});
  assert.equal(await commitCount(store), 2);
});

Deno.test("batch() tells operations apart by their fields, and answers each", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  await memory.put(["a"], "k", { n: 1 });
  const lists = anyOperations(
    { limit: 10, offset: 0 },
    { matchConditions: undefined },
    { maxDepth: 1 },
    { namespace: ["a"], key: "k", value: { n: 2 }, index: ["n"], ttl: 5 },
    { namespace: ["a"], key: "k", value: { n: 2 }, index: false },
  );
  assert.deepEqual(await memory.batch(lists), [
    [["a"]],
    [["a"]],
    [["a"]],
    undefined,
    undefined,
  ]);
  for (let i = 0; i < 110; i++) await memory.put([`n${i}`], "k", {});
  const [usual]: unknown[] = await memory.batch(
    anyOperations({ matchConditions: undefined }),
  );
  assert.ok(Array.isArray(usual));
  assert.equal(usual.length, 100);
  const wrong: [unknown, RegExp][] = [
    [{ foo: 1 }, /an operation with the fields \["foo"\] is neither a get/],
    [{}, /is neither a get/],
    [null, /each operation must be an object/],
    ["get", /each operation must be an object/],
    [{ key: "k" }, /Cannot use namespace: undefined, must be an array/],
    [
      { namespacePrefix: "a" },
      /Cannot use namespace: a string, must be an array/,
    ],
    [{ namespacePrefix: [], query: 5 }, /query is number, must be a string/],
    [{ namespacePrefix: [], limit: "5" }, /limit is string, must be a number/],
    [{ matchConditions: "a" }, /matchConditions is string, must be an array/],
    [
      { matchConditions: [{ matchType: "infix", path: [] }] },
      /matchType is "infix"/,
    ],
    [{ matchConditions: [null] }, /matchType is undefined/],
  ];
  for (const [operation, message] of wrong) {
    const bad = anyOperations(put("new", {}), operation);
    await assert.rejects(memory.batch(bad), {
      name: "TypeError",
      code: "invalid_argument",
      message,
    });
  }
  const none: unknown = undefined;
  await assert.rejects(
    memory.batch(none as []),
    { name: "TypeError", message: /it must be an array/ },
  );
  assert.equal(await memory.get(["a"], "new"), null);
});

Deno.test("batch() carries the code of whatever stops it, and writes nothing", async () => {
  await using temp = await langGraphStore({
    guard: (edits) => {
      if (edits.some(({ id }) => id === "a:secret")) {
        throw new Error("not this");
      }
    },
  });
  const { memory, store, path } = temp;
  const refused = memory.batch([put("k", {}), put("secret", {})]);
  await assert.rejects(refused, (error) => isMnemError(error, "refused"));
  const long = memory.put(["a"], "x".repeat(1_100), {});
  await assert.rejects(long, {
    name: "RangeError",
    code: "invalid_argument",
    message: /1102 bytes, the limit is 1024/,
  });
  await assert.rejects(memory.get(["a"], "\ud800"), {
    name: "TypeError",
    code: "invalid_argument",
  });
  // A read that fails: what stands beside it is not written either.
  const both = memory.batch([
    put("beside", {}),
    { namespace: ["a"], key: "\ud800" },
  ]);
  await assert.rejects(both, { name: "TypeError" });
  // A search waits for every write called before, so that none is on its way.
  assert.deepEqual(await memory.search([]), []);
  const ghost = memory.onBranch("ghost").put(["a"], "k", {});
  await assert.rejects(ghost, (error) => isMnemError(error, "invalid_ref"));
  assert.equal(await commitCount(store), 0);
  await assert.rejects(
    MnemosyneStore.open(`${path}/nowhere`),
    (error: MnemError) => error.code === "no_store",
  );
  await store.close();
  await assert.rejects(memory.get(["a"], "k"), /Cannot use a closed store/);
});

Deno.test("every call carries the code of a wrong argument, also where LangGraph checks it", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  const namespaces: unknown[] = [["a.b"], ["a:b"], [""], [1], null, "a"];
  for (const given of namespaces) {
    const namespace = given as string[];
    const calls = [
      () => memory.get(namespace, "k"),
      () => memory.put(namespace, "k", {}),
      () => memory.delete(namespace, "k"),
      () => memory.search(namespace),
      () => memory.listNamespaces({ suffix: namespace }),
      () => memory.why(namespace, "k"),
      () => memory.history({ limit: -1 }),
    ];
    // Without a prefix or suffix all are listed.
    const wrong = given === null ? calls.toSpliced(4, 1) : calls;
    for (const call of wrong) {
      await assert.rejects(call(), { code: "invalid_argument" }, `${given}`);
    }
  }
  const sayings = [
    () => memory.withProvenance(null as unknown as Evidence),
    () => memory.onBranch(5 as unknown as string),
    () => mnemosyne({ store: {} }),
  ];
  for (const call of sayings) {
    assert.throws(call, { name: "TypeError", code: "invalid_argument" });
  }
  assert.deepEqual(await memory.listNamespaces(), []);
});

Deno.test("batch() of 3,000 puts is one commit; over 100,000 nothing is written", async () => {
  await using temp = await langGraphStore();
  const { memory, store } = temp;
  const many = Array.from({ length: 3_000 }, (_, i) => put(`k${i}`, { i }));
  const results = await memory.batch(many);
  assert.equal(results.length, 3_000);
  assert.equal(await commitCount(store), 1);
  const all = await memory.search(["a"], { limit: 5_000 });
  assert.equal(all.length, 3_000);
  const last = await memory.search(["a"], { filter: { i: { $gte: 2_990 } } });
  assert.equal(last.length, 10);
  await memory.batch(many);
  assert.equal(await commitCount(store), 1);
  const over = Array.from({ length: 100_001 }, (_, i) => put(`m${i}`, {}));
  await assert.rejects(memory.batch(over), {
    name: "RangeError",
    code: "invalid_argument",
    message: /more than 100000 edits/,
  });
  assert.equal((await memory.search(["a"], { limit: 5_000 })).length, 3_000);
});

Deno.test("calls on one handle take effect in their order, whoever waits for them", async () => {
  await using temp = await langGraphStore();
  const { memory, store } = temp;
  const answers = await Promise.all([
    memory.get(["a"], "k"),
    memory.put(["a"], "k", { n: 1 }),
    memory.get(["a"], "k"),
    memory.put(["a"], "k", { n: 2 }),
    memory.put(["a"], "k", { n: 3 }),
    memory.search(["a"]),
    memory.delete(["a"], "k"),
    memory.get(["a"], "k"),
    memory.withProvenance({ source: "s" }).put(["a"], "k", { n: 4 }),
    memory.why(["a"], "k"),
    memory.branch("later"),
    memory.put(["a"], "k", { n: 5 }),
  ]);
  const [before, , one, , , [three], , none, , four] = answers;
  assert.deepEqual([before, none], [null, null]);
  assert.deepEqual(one?.value, { n: 1 });
  assert.deepEqual(three?.value, { n: 3 });
  assert.deepEqual(four.node.content, { n: 4 });
  const later = await memory.onBranch("later").get(["a"], "k");
  assert.deepEqual(later?.value, { n: 4 });
  assert.equal(await commitCount(store), 6);
  // One that fails holds nobody up.
  const [failed, after] = await Promise.allSettled([
    memory.onBranch("ghost").get(["a"], "k"),
    memory.get(["a"], "k"),
  ]);
  assert.equal(failed.status, "rejected");
  assert.equal(after.status, "fulfilled");
});

Deno.test("calls on a store and its views take effect in their order, whatever their branches", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  await memory.put(["a"], "k", { n: 0 });
  const main = memory.onBranch("main");
  const guess = memory.onBranch(await memory.branch("guess"));
  const [, seen, , also, , merged, , , later] = await Promise.all([
    memory.put(["a"], "k", { n: 1 }),
    main.get(["a"], "k"),
    main.put(["a"], "k", { n: 2 }),
    memory.get(["a"], "k"),
    guess.put(["b"], "k", { n: 3 }),
    memory.merge("guess"),
    guess.put(["b"], "k", { n: 4 }),
    memory.switch("guess"),
    memory.get(["b"], "k"),
  ]);
  assert.deepEqual([seen?.value, also?.value], [{ n: 1 }, { n: 2 }]);
  assert.deepEqual([...merged.changes.keys()], ["b:k"]);
  assert.deepEqual(later?.value, { n: 4 });
});

Deno.test("search() goes by creation, then by id, whatever wrote or moved an item", async () => {
  await using temp = await langGraphStore();
  const { memory, store } = temp;
  await memory.batch([put("z", {}), put("é", {}), put("b", {})]);
  await store.write([{ id: "raw", content: "text" }], { message: "elsewhere" });
  await memory.put(["a", "below"], "first", {});
  await memory.batch([put("a", {}), put("b", { again: true })]);
  assert.deepEqual(keysOf(await memory.search(["a"])), [
    "b",
    "z",
    "é",
    "first",
    "a",
  ]);
  assert.deepEqual(keysOf(await memory.search([])), [
    "b",
    "z",
    "é",
    "raw",
    "first",
    "a",
  ]);
  const query = await memory.search([], { query: "AGAIN" });
  assert.deepEqual(keysOf(query), ["b"]);
});

Deno.test("search() by query looks at keys, texts and names of fields", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  await memory.batch([
    put("Straße:1", { n: 1 }),
    put("two", { text: 'say "hi"\nCAFÉ', n: 42 }),
    put("three", { list: [{ Deep_Name: true }] }),
    { namespace: ["b"], key: "four", value: { text: "other" } },
  ]);
  const queries: [string, string[]][] = [
    ["STRASSE", []],
    ["straße:1", ["Straße:1"]],
    ['"hi"', ["two"]],
    ["\n", ["two"]],
    ["café", ["two"]],
    ["deep_name", ["three"]],
    ["{", []],
    ["42", []],
    ["true", []],
    ["other", []],
    ["", ["Straße:1", "three", "two"]],
  ];
  for (const [query, keys] of queries) {
    assert.deepEqual(
      keysOf(await memory.search(["a"], { query })),
      keys,
      query,
    );
  }
  const both = await memory.search([], {
    query: "o",
    filter: { text: "other" },
  });
  assert.deepEqual(keysOf(both), ["four"]);
});

Deno.test("listNamespaces() cuts to a depth, in bytewise order of labels", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  for (const path of ["B", "a/b/c", "a/b/d", "a-b", "a", "😀", "～/x", "é"]) {
    await memory.put(path.split("/"), "k", {});
  }
  const listed = async (options: Parameters<typeof memory.listNamespaces>[0]) =>
    (await memory.listNamespaces(options)).map((labels) => labels.join("/"));
  const all = ["B", "a", "a/b/c", "a/b/d", "a-b", "é", "～/x", "😀"];
  assert.deepEqual(await listed({}), all);
  assert.deepEqual(await listed({ maxDepth: 2 }), [
    "B",
    "a",
    "a/b",
    "a-b",
    "é",
    "～/x",
    "😀",
  ]);
  assert.deepEqual(await listed({ maxDepth: 1, limit: 2, offset: 1 }), [
    "a",
    "a-b",
  ]);
  // Conditions are held against the whole namespace, before it is cut.
  assert.deepEqual(await listed({ suffix: ["c"], maxDepth: 1 }), ["a"]);
  assert.deepEqual(await listed({ prefix: ["a", "*"], suffix: ["*", "d"] }), [
    "a/b/d",
  ]);
  assert.deepEqual(await listed({ prefix: [], suffix: [] }), all);
  for (const maxDepth of [0, -1, 1.5]) {
    await assert.rejects(memory.listNamespaces({ maxDepth }), {
      name: "RangeError",
      message: /maxDepth is .*, must be an integer from 1/,
    });
  }
});

Deno.test("nodes of other doors have a place, and no search falls over them", async () => {
  await using temp = await langGraphStore();
  const { memory, store } = temp;
  const contents = {
    "plan": "pro",
    "list": [1, 2],
    "none": null,
    "a::b": { n: 1 },
    "a.b:c": 5,
    "users:u1:plan": { n: 2 },
    "big": { n: 2n ** 60n },
    "meta": { _meta: 1 },
  };
  await store.write(
    Object.entries(contents).map(([id, content]) => ({ id, content })),
    { message: "from elsewhere" },
  );
  const found = await memory.search([], { limit: 100 });
  const seen = new Map(found.map(({ namespace, key, value }) => [
    [...namespace, key].join(" "),
    value,
  ]));
  assert.deepEqual(Object.fromEntries(seen), {
    "plan": { content: "pro" },
    "list": { content: [1, 2] },
    "none": { content: null },
    "a::b": { n: 1 },
    "a.b:c": { content: 5 },
    "users u1 plan": { n: 2 },
    "big": { n: 2n ** 60n },
    "meta": { _meta: 1 },
  });
  assert.deepEqual((await memory.get([], "plan"))?.value, { content: "pro" });
  assert.deepEqual((await memory.get([], "a::b"))?.namespace, []);
  assert.deepEqual(keysOf(await memory.search(["a"])), []);
  assert.deepEqual(keysOf(await memory.search(["users"])), ["plan"]);
  assert.deepEqual(await memory.listNamespaces(), [["users", "u1"]]);
  const pro = await memory.search([], { filter: { content: "pro" } });
  assert.deepEqual(keysOf(pro), ["plan"]);
  const big = await memory.search([], { filter: { n: { $gt: 2 ** 59 } } });
  assert.deepEqual(keysOf(big), ["big"]);
  assert.equal((await memory.why([], "plan")).node.content, "pro");
});

Deno.test("times hold when clocks do not", async () => {
  let now = 2_000;
  await using temp = await langGraphStore({ clock: () => now });
  const { memory, store } = temp;
  await memory.put(["a"], "k", { n: 1 });
  now = 1_000;
  await memory.put(["a"], "k", { n: 2 });
  const item = await memory.get(["a"], "k");
  assert.deepEqual([item?.createdAt.getTime(), item?.updatedAt.getTime()], [
    2_000,
    2_000,
  ]);
  const timeMs = Number.MAX_SAFE_INTEGER;
  await store.write([{ id: "a:far", content: {} }], { message: "far", timeMs });
  const far = await memory.get(["a"], "far");
  assert.equal(far?.createdAt.getTime(), 8.64e15);
});

Deno.test("a search costs its namespace, whatever else is remembered", async () => {
  const rows: {
    readonly page: number;
    readonly filter: number;
    readonly list: number;
  }[] = [];
  for (const others of [0, 20_000]) {
    const kv = new MemoryKv();
    const filled = await countedStore(kv.open(), { create: true });
    const items = [
      ...Array.from(
        { length: 100 },
        (_, i) => ({ id: `users:u7:k${i}`, content: { i } }),
      ),
      ...Array.from(
        { length: others },
        (_, i) => ({ id: `users:v${i}:k`, content: { i } }),
      ),
    ];
    await filled.store.write(items, { message: "fill" });
    const cold = async (
      read: (memory: MnemosyneStore) => Promise<unknown[]>,
    ) => {
      const { store, driver } = await countedStore(kv.open());
      const memory = new MnemosyneStore(store);
      let told = 0;
      const counts = await countsOf(driver, async () => {
        told = (await read(memory)).length;
      });
      assert.ok(told > 0);
      // The head, the levels of the tree, the nodes.
      assert.ok(counts.rounds <= 5, `${counts.rounds} rounds`);
      // Of many nodes one list, which ends with the last of them (ADR-0026).
      assert.ok(counts.lists <= 1, `${counts.lists} lists`);
      return counts.rowsRead;
    };
    rows.push({
      page: await cold((memory) =>
        memory.search(["users", "u7"], { offset: 95 })
      ),
      filter: await cold((memory) =>
        memory.search(["users", "u7"], { filter: { i: { $gt: 50 } } })
      ),
      list: await cold((memory) =>
        memory.listNamespaces({ prefix: ["users", "u7"] })
      ),
    });
  }
  const [small, large] = rows;
  // Rows of chunks: those of the tree's levels more, at most twice the leaves at the ends.
  assert.ok(small!.page <= 5 + 20, `${small!.page}`);
  assert.ok(large!.page <= small!.page + 10, `${small!.page}, ${large!.page}`);
  assert.ok(
    small!.filter >= 100 && large!.filter <= small!.filter + 10,
    `${large!.filter}`,
  );
  assert.ok(large!.list <= small!.list + 10, `${large!.list}`);
});

Deno.test("a get costs what a node costs, a hundred together one round more than one", async () => {
  const kv = new MemoryKv();
  const { store, driver } = await countedStore(kv.open(), { create: true });
  const memory = new MnemosyneStore(store);
  await memory.batch(
    Array.from({ length: 100 }, (_, i) => put(`k${i}`, { i })),
  );
  const node = await countsOf(driver, () => store.node("a:k7"));
  const get = await countsOf(driver, () => memory.get(["a"], "k7"));
  assert.deepEqual([get.rounds, get.rowsRead], [node.rounds, node.rowsRead]);
  const fresh = await countedStore(kv.open());
  const gets = Array.from(
    { length: 100 },
    (_, i) => ({ namespace: ["a"], key: `k${i}` }),
  );
  const counts = await countsOf(
    fresh.driver,
    () => new MnemosyneStore(fresh.store).batch(gets),
  );
  assert.ok(counts.rounds <= 4, `${counts.rounds}`);
  const write = await countsOf(
    driver,
    () => memory.put(["a"], "k7", { i: -1 }),
  );
  assert.deepEqual([write.rounds, write.rowsSet], [1, 3]);
});
