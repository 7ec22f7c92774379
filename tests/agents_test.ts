/**
 * The agents' door from outside: what a caller can rely on, and what a hostile one cannot do.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import {
  forget,
  history,
  recall,
  recallAll,
  remember,
  rememberMany,
  toWire,
  whatsNew,
  whenDid,
  why,
} from "@mnem/agents";
import { type Json, openStore, type Store } from "@mnem/core";
import { tempStore } from "./support/temp_store.ts";

/** A caller without types: anything may come in. */
const rememberAnything: (
  store: Store,
  id: unknown,
  content: unknown,
  options?: unknown,
) => Promise<unknown> = (store, id, content, options) => {
  const { summary, author, timeMs, base, ...evidence } = Object(options);
  const item = { ...evidence, id, content };
  return rememberMany(store, [item], { summary, author, timeMs, base });
};

async function stagedIn(store: Store): Promise<unknown> {
  const { nodes, removals } = await store.stage.list();
  return [[...nodes.keys()], removals];
}

Deno.test("remember makes one commit, stores its provenance and stages nothing", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await remember(store, "customer-4821", { plan: "enterprise" }, {
    source: "ticket-4821",
    step: "step-1",
  });
  const { commits } = await history(store);
  assert.deepEqual(commits.map(({ message, author }) => [message, author]), [
    ["remember customer-4821", "agent"],
  ]);
  const node = await recall(store, "customer-4821");
  assert.deepEqual(node?.content, { plan: "enterprise" });
  assert.deepEqual(node?.provenance, {
    agentStep: "step-1",
    source: "ticket-4821",
  });
  assert.deepEqual(await stagedIn(store), [[], []]);
});

Deno.test("remember sweeps up nothing that is staged", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await store.stage.put("staged", { content: 1 });
  const { changes } = await remember(store, "plan", "pro");
  assert.deepEqual([...changes.keys()], ["plan"]);
  assert.equal(await recall(store, "staged"), null);
  assert.deepEqual(await stagedIn(store), [["staged"], []]);
});

Deno.test("rememberMany makes one commit, integers stay integers", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const { changes } = await rememberMany(store, [
    { id: "plan", content: "enterprise" },
    { id: "seats", content: 240 },
    { id: "owner", content: "ada" },
  ]);
  assert.equal((await history(store)).commits.length, 1);
  assert.deepEqual([...changes.keys()], ["owner", "plan", "seats"]);
  assert.equal((await recall(store, "seats"))?.content, 240);
  const found = await whenDid(store, "seats", { equals: 240 });
  assert.deepEqual([...await whatsNew(store, found.commit.id)], [
    ["owner", "added"],
    ["plan", "added"],
    ["seats", "added"],
  ]);
});

Deno.test("forget takes one node out, and the past keeps it", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await rememberMany(store, [
    { id: "keep", content: 1 },
    { id: "temp", content: 2 },
  ]);
  await forget(store, "temp");
  assert.deepEqual(
    (await recallAll(store)).nodes.map(({ id }) => id),
    ["keep"],
  );
  const { commits: [last] } = await history(store);
  assert.equal(last?.message, "forget temp");
  assert.equal((await recall(store, "temp", { at: "HEAD~1" }))?.content, 2);
});

Deno.test("writers that meet lose nothing", async () => {
  await using temp = await tempStore();
  await using other = await openStore(temp.path);
  const writers = Array.from(
    { length: 20 },
    (_, i) => remember(i % 2 === 0 ? temp.store : other, `n${i}`, i),
  );
  const commits = (await Promise.all(writers)).map(({ commit }) => commit);
  assert.equal(new Set(commits).size, 20);
  assert.equal((await temp.store.memory()).size, 20);
  const { commits: log } = await history(other, { limit: 100 });
  assert.deepEqual(new Set(log.map(({ id }) => id)), new Set(commits));
  assert.ok(log.every(({ parents }, i) => parents[0] === log[i + 1]?.id));
});

Deno.test("of forgets that meet one wins, the others hear not_found", async () => {
  await using temp = await tempStore();
  await remember(temp.store, "n", 1);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, () => forget(temp.store, "n")),
  );
  const lost = outcomes.filter((outcome) => outcome.status === "rejected");
  assert.equal(lost.length, 7);
  for (const { reason } of lost) assert.equal(reason.code, "not_found");
  assert.equal((await history(temp.store)).commits.length, 2);
});

Deno.test("wire shapes of blame, change, commit and node survive JSON", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await remember(store, "plan", { tier: "pro", list: [1, null, 0.5] }, {
    note: "n",
    eventTimeMs: 5,
  });
  await remember(store, "plan", { tier: "pro", list: [1, null, 0.5] }, {
    note: "m",
  });
  const [change] = await store.changes();
  const { commits: [commit] } = await history(store);
  const node = await recall(store, "plan");
  assert.ok(change && commit && node);
  assert.equal(change.evidenceOnly, true);
  for (const value of [await why(store, "plan"), change, commit, node]) {
    const wire = toWire(value);
    assert.deepEqual(JSON.parse(JSON.stringify(wire)), wire);
  }
});

Deno.test("a bad item among good ones: all or nothing, no staged residue", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const good = { id: "a", content: 1 };
  const bad: unknown[] = [
    { id: "b" },
    { content: 1 },
    { id: "", content: 1 },
    { id: "b", content: NaN },
    { id: "b", content: 1, note: 5 },
    { id: "b", content: 1, eventTimeMs: 0.5 },
  ];
  for (const item of bad) {
    const items = [good, item, good] as { id: string; content: Json }[];
    await assert.rejects(rememberMany(store, items), isBadArgument);
    await assert.rejects(rememberMany(store, items.reverse()), isBadArgument);
  }
  assert.equal((await store.head()).commit, null);
  assert.deepEqual(await stagedIn(store), [[], []]);
  await rememberMany(store, [good, good]);
  const { commits } = await history(store);
  assert.deepEqual(commits.map(({ message }) => message), ["remember 2 nodes"]);
});

const ODD_IDS = [
  ":",
  "a:b",
  "/",
  "a/b/../c",
  ".",
  "..",
  " ",
  "\n",
  "__proto__",
  "constructor",
  "toString",
  "😀",
  "～",
  "e\u0301",
  "é",
  "0",
  "-1",
  "x".repeat(1_024),
  "😀".repeat(256),
  "\uFEFF",
  "%00",
  "'; drop table n; --",
];

Deno.test("odd ids are ids like any other, through every verb", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  for (const id of ODD_IDS) {
    const { commit } = await remember(store, id, id);
    assert.equal((await recall(store, id))?.id, id);
    assert.equal((await why(store, id)).commit.id, commit);
    assert.equal((await whenDid(store, id, { equals: id })).commit.id, commit);
    assert.deepEqual([...await whatsNew(store)], [[id, "added"]]);
    assert.equal((await history(store, { node: id })).commits.length, 1);
  }
  const encoder = new TextEncoder();
  const sorted = ODD_IDS.toSorted((a, b) =>
    Buffer.compare(encoder.encode(a), encoder.encode(b))
  );
  assert.deepEqual([...(await store.memory()).keys()], sorted);
  const paged: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await recallAll(store, { limit: 1, cursor });
    paged.push(...page.nodes.map(({ id }) => id));
    cursor = page.cursor;
  } while (cursor !== undefined);
  assert.deepEqual(paged, sorted);
  for (const id of ODD_IDS) await forget(store, id);
  assert.equal((await store.memory()).size, 0);
});

Deno.test("ids that are none are refused, and nothing is written", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const ids: unknown[] = [
    "",
    "a\0b",
    "\uD800",
    "a\uDC00",
    "x".repeat(1_025),
    "é".repeat(513),
    null,
    5,
    {},
    ["a"],
  ];
  for (const id of ids) {
    await assert.rejects(rememberAnything(store, id, 1), isBadArgument);
    await assert.rejects(forget(store, id as string), isBadArgument);
  }
  assert.equal((await store.head()).commit, null);
  await assert.rejects(remember(store, "x".repeat(1_025), 1), {
    name: "RangeError",
    message: /1,?025.*1,?024|1,?024.*1,?025/,
  });
  await remember(store, "x".repeat(1_024), 1);
  assert.equal((await store.memory()).size, 1);
});

Deno.test("content at the borders goes in and comes out as it was", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const contents: Json[] = [
    null,
    false,
    "",
    0,
    -0,
    -0.5,
    5e-324,
    Number.MAX_VALUE,
    Number.MAX_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
    2n ** 64n - 1n,
    -(2n ** 63n),
    2n ** 53n,
    [],
    {},
    [[], [{}]],
    { "": null, "a\0b": "\0", length: 1 },
    JSON.parse('{"__proto__": {"polluted": true}, "constructor": null}'),
    nested(127),
    "😀".repeat(20_000),
  ];
  for (const [i, content] of contents.entries()) {
    await rememberAnything(store, `n${i}`, content);
    assert.deepEqual((await recall(store, `n${i}`))?.content, content);
  }
  assert.equal(Reflect.get({}, "polluted"), undefined);
  assert.equal((await store.memory()).size, contents.length);
});

Deno.test("what is no JSON is refused, and nothing is written", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const cycle: unknown[] = [];
  cycle.push({ cycle });
  const sparse = [1];
  sparse[2] = 3;
  const contents: unknown[] = [
    undefined,
    NaN,
    Infinity,
    -Infinity,
    2n ** 64n,
    -(2n ** 63n) - 1n,
    Symbol("s"),
    () => 1,
    new Date(0),
    new Map([["a", 1]]),
    new Set([1]),
    new Uint8Array(2),
    new Error("e"),
    /x/,
    Object(1),
    Promise.resolve(1),
    cycle,
    sparse,
    nested(128),
    "\uD800",
    { "\uDC00": 1 },
    { a: undefined },
    [{ b: [undefined] }],
    [new Date(0)],
    { a: { b: NaN } },
    { toJSON: () => "x" },
  ];
  for (const content of contents) {
    await assert.rejects(rememberAnything(store, "n", content), isBadArgument);
    const inside = { deep: [content] };
    await assert.rejects(rememberAnything(store, "n", inside), isBadArgument);
  }
  assert.equal((await store.head()).commit, null);
  await rememberAnything(store, "n", { deep: [nested(125)] });
  assert.equal((await store.memory()).size, 1);
});

Deno.test("content may have 8 MiB, and not a byte more", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const largest = 8 * 1024 * 1024 - 5; // five bytes of CBOR tell the length of a long text
  await assert.rejects(remember(store, "n", "x".repeat(largest + 1)), {
    name: "RangeError",
    message: /8,?388,?609.*8,?388,?608|8,?388,?608.*8,?388,?609/,
  });
  assert.equal((await store.head()).commit, null);
  const text = "x".repeat(largest);
  await remember(store, "n", text);
  assert.ok((await recall(store, "n"))?.content === text);
  const page = await recallAll(store);
  assert.deepEqual(page.nodes.map(({ id }) => id), ["n"]);
});

Deno.test("evidence, summary and time are checked before anything is written", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const broken: unknown[] = [
    { source: 5 },
    { step: null },
    { observation: {} },
    { toolCall: ["a"] },
    { note: "\uD800" },
    { note: "x".repeat(64 * 1024 + 1) },
    { eventTimeMs: "now" },
    { eventTimeMs: NaN },
    { eventTimeMs: 1.5 },
    { timeMs: 1.5 },
    { timeMs: "now" },
    { timeMs: Infinity },
    { summary: 5 },
    { summary: "x".repeat(64 * 1024 + 1) },
    { summary: "\uD800" },
    { author: 5 },
    { author: "x".repeat(4 * 1024 + 1) },
    { base: 5 },
  ];
  for (const options of broken) {
    const what = JSON.stringify(options).slice(0, 60);
    await assert.rejects(
      rememberAnything(store, "n", 1, options),
      isBadArgument,
      what,
    );
  }
  assert.equal((await store.head()).commit, null);
  const note = "x".repeat(64 * 1024);
  const most = { note, summary: note, author: "x".repeat(4 * 1024) };
  await rememberAnything(store, "n", 1, most);
  assert.equal((await recall(store, "n"))?.provenance.note, note);
});

Deno.test("a field by another name is refused, and nothing is written", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const calls: readonly (() => Promise<unknown>)[] = [
    () => rememberAnything(store, "n", 1, { sorce: "x" }),
    () => rememberAnything(store, "n", 1, { remove: true }),
    () => remember(store, "n", 1, Object({ agentStep: "s" })),
    () => remember(store, "n", 1, Object([])),
    () => forget(store, "n", Object({ source: "x" })),
  ];
  for (const call of calls) await assert.rejects(call(), TypeError);
  assert.equal((await store.head()).commit, null);
  await rememberAnything(store, "n", 1, { source: "x", sorce: undefined });
  assert.equal((await recall(store, "n"))?.provenance.source, "x");
});

Deno.test("what a read returns is the caller's, and what was given stays the caller's", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const given = { tags: ["a"] };
  await remember(store, "n", given);
  given.tags.push("b");
  const first = await recall<{ tags: string[] }>(store, "n");
  first?.content.tags.push("c");
  const again = await recall(store, "n");
  assert.deepEqual(again?.content, { tags: ["a"] });
});

/** An array within an array, `depth` of them. */
function nested(depth: number): Json {
  let value: Json = [];
  for (let level = 1; level < depth; level += 1) value = [value];
  return value;
}

function isBadArgument(error: unknown): boolean {
  assert.ok(
    error instanceof TypeError || error instanceof RangeError,
    `a bad argument, not ${error}`,
  );
  assert.doesNotMatch(error.message, /is not a function|Cannot read propert/);
  assert.doesNotMatch(error.message, /\.$/);
  return true;
}
