/**
 * What each tool answers, called as a client calls it, on a real store.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Json, Store } from "@mnem/core";
import { coreTools } from "../../mcp/tools.ts";
import { tempStore } from "../support/temp_store.ts";
import { callTool as tool, type Shown, tryTool } from "./tool_calls.ts";

/** Remembers a node and returns the commit. */
async function remember(
  store: Store,
  id: string,
  content: Json,
  rest: Shown = {},
): Promise<string> {
  const { commit } = await tool(store, "remember", { id, content, ...rest });
  assert.match(String(commit), /^[0-9a-f]{64}$/);
  return String(commit);
}

async function commitCount(store: Store): Promise<number> {
  let count = 0;
  for await (const _ of store.log()) count += 1;
  return count;
}

const NODE = {
  id: "plan",
  content: "pro",
  content_kind: "note",
  provenance: {
    agent_step: "step-31",
    observation: "note-8842",
    tool_call: "call-1",
    source: "ticket-7",
    note: "read in a hurry",
  },
  event_time: 1_700_000_000_000,
};
const PLAIN = {
  agent_step: null,
  observation: null,
  tool_call: null,
  source: null,
  note: null,
};

Deno.test("remember stores content, evidence and event time, and recall returns them", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const written = await tool(store, "remember", {
    id: "plan",
    content: "pro",
    step: "step-31",
    observation: "note-8842",
    tool_call: "call-1",
    source: "ticket-7",
    note: "read in a hurry",
    event_time: "1700000000000",
    summary: "read the note",
  });
  const head = await store.head();
  assert.deepEqual(written, {
    commit: head.commit,
    changes: { plan: "added" },
  });
  assert.deepEqual(await tool(store, "recall", { id: "plan" }), {
    result: NODE,
    as_of: head.commit,
  });
  assert.equal((await store.readCommit("HEAD")).message, "read the note");
});

Deno.test("revise records a change, and an equal value makes no commit", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const first = await remember(store, "plan", "pro");
  const again = await tool(store, "remember", { id: "plan", content: "pro" });
  assert.deepEqual(again, { commit: first, changes: {} });
  const { changes } = await tool(store, "revise", {
    id: "plan",
    content: null,
  });
  assert.deepEqual(changes, { plan: "modified" });
  const { result } = await tool(store, "recall", { id: "plan" });
  assert.equal(Object(result).content, null);
  assert.equal(await commitCount(store), 2);
});

Deno.test("remember_many makes one commit of all items, or none", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const items = [
    { id: "a", content: 1, source: "s", note: null },
    { id: "b", content: [null, { c: [] }] },
  ];
  const { changes } = await tool(store, "remember_many", {
    items: JSON.stringify(items),
  });
  assert.deepEqual(changes, { a: "added", b: "added" });
  assert.equal(await commitCount(store), 1);
  const refused = await tryTool(store, "remember_many", {
    items: [{ id: "c", content: 1 }, { id: "", content: 2 }],
  });
  assert.equal(refused["code"], "invalid_argument");
  const { result } = await tool(store, "recall", { id: "c" });
  assert.equal(result, null);
});

Deno.test("remember_many of nothing on an empty branch names no commit", async () => {
  await using temp = await tempStore();
  assert.deepEqual(await tool(temp.store, "remember_many", { items: [] }), {
    commit: "none",
    changes: {},
  });
});

Deno.test("forget removes from memory, not from history", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const before = await remember(store, "plan", "pro");
  const { changes } = await tool(store, "forget", { id: "plan" });
  assert.deepEqual(changes, { plan: "removed" });
  const now = await tool(store, "recall", { id: "plan" });
  assert.equal(now["result"], null);
  const then = await tool(store, "recall_at", { commit: before, id: "plan" });
  assert.equal(Object(then["result"]).content, "pro");
  assert.equal(then["as_of"], before);
  const again = await tryTool(store, "forget", { id: "plan" });
  assert.equal(again["code"], "not_found");
  assert.equal(await commitCount(store), 2);
});

Deno.test("base refuses a write over what changed since, with both values", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const first = await tool(store, "recall", { id: "plan" });
  assert.deepEqual(first, { result: null, as_of: "none" });
  const base = await remember(store, "plan", "pro", { base: "none" });
  const head = await remember(store, "plan", "max", { base });
  const lost = await tryTool(store, "revise", {
    id: "plan",
    content: "free",
    base,
  });
  assert.equal(lost["code"], "conflict");
  const { head: at, conflicts } = Object(lost["data"]);
  assert.equal(at, head);
  assert.equal(conflicts.length, 1);
  assert.deepEqual(
    [conflicts[0].id, conflicts[0].base.content, conflicts[0].head.content],
    ["plan", "pro", "max"],
  );
  const none = await tryTool(store, "forget", { id: "plan", base: "none" });
  assert.equal(none["code"], "conflict");
  await remember(store, "plan", "free", { base: null });
});

Deno.test("recall pages through memory by prefix, query and cursor", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const items = Array.from({ length: 7 }, (_, index) => ({
    id: `n/${index}`,
    content: index % 2 === 0 ? "even Beans" : "odd",
  }));
  await tool(store, "remember_many", {
    items: [...items, { id: "other", content: "beans" }],
  });
  const { commit } = await store.head();
  const ids: string[] = [];
  let cursor: unknown;
  do {
    const page = await tool(store, "recall", {
      prefix: "n/",
      limit: 3,
      cursor,
    });
    assert.equal(page["as_of"], commit);
    assert.ok(Array.isArray(page["result"]));
    assert.ok(page["result"].length <= 3);
    ids.push(...page["result"].map((node) => node.id));
    cursor = page["next_cursor"];
  } while (cursor !== undefined);
  assert.deepEqual(ids, items.map((item) => item.id));
  const found = await tool(store, "recall", { query: "BEANS" });
  assert.ok(Array.isArray(found["result"]));
  assert.deepEqual(found["result"].map((node) => node.id), [
    "n/0",
    "n/2",
    "n/4",
    "n/6",
    "other",
  ]);
  assert.equal(found["next_cursor"], undefined);
});

Deno.test("lists hold at most a page of bytes, and a larger node alone", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await tool(store, "remember_many", {
    items: Array.from({ length: 20 }, (_, index) => ({
      id: `n/${String(index).padStart(2, "0")}`,
      content: index === 7 ? "x".repeat(100_000) : "x".repeat(10_000),
    })),
  });
  const pages: string[][] = [];
  let cursor: unknown;
  do {
    const page = await tool(store, "recall", { cursor });
    assert.ok(Array.isArray(page["result"]));
    const ids: string[] = page["result"].map((node) => node.id);
    const bytes = new TextEncoder().encode(JSON.stringify(page)).length;
    assert.ok(bytes <= 60_000 || ids.length === 1, `${bytes} bytes`);
    pages.push(ids);
    cursor = page["next_cursor"];
  } while (cursor !== undefined);
  assert.equal(pages.flat().length, 20);
  assert.ok(pages.some(([id, ...rest]) => id === "n/07" && rest.length === 0));
});

Deno.test("recall refuses page arguments beside an id", async () => {
  await using temp = await tempStore();
  for (const name of ["prefix", "query", "cursor"]) {
    const refused = await tryTool(temp.store, "recall", {
      id: "a",
      [name]: "",
    });
    assert.equal(refused["code"], "invalid_argument", name);
  }
  const page = await tool(temp.store, "recall", { id: "a", limit: 5 });
  assert.equal(page["result"], null);
});

Deno.test("recall_at reads a page of the past", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const then = await remember(store, "a", 1);
  await remember(store, "b", 2);
  const page = await tool(store, "recall_at", { commit: "HEAD~1" });
  assert.deepEqual(page, {
    result: [{
      id: "a",
      content: 1,
      content_kind: "note",
      provenance: PLAIN,
      event_time: null,
    }],
    as_of: then,
  });
});

Deno.test("history lists commits newest first and goes on by cursor", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const ids: string[] = [];
  for (const n of [1, 2, 3]) ids.unshift(await remember(store, "a", n));
  const first = await tool(store, "history", { limit: "2" });
  const second = await tool(store, "history", {
    cursor: first["next_cursor"],
  });
  assert.ok(Array.isArray(first["result"]) && Array.isArray(second["result"]));
  const commits = [...first["result"], ...second["result"]];
  assert.deepEqual(commits.map((commit) => commit.id), ids);
  assert.deepEqual(Object.keys(commits[0]), [
    "id",
    "parents",
    "state",
    "message",
    "author",
    "time",
  ]);
  assert.deepEqual(commits[0].parents, [ids[1]]);
  assert.equal(second["next_cursor"], undefined);
});

Deno.test("why names the commit behind a value, now and at a revision", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const first = await remember(store, "plan", "pro", { source: "note" });
  const second = await remember(store, "plan", "max", { event_time: 5 });
  await remember(store, "other", 1);
  const now = await tool(store, "why", { id: "plan" });
  assert.deepEqual(
    [now["commit"], Object(now["node"]).content, now["time"]],
    [second, "max", 5],
  );
  const then = await tool(store, "why", { id: "plan", at: first.slice(0, 12) });
  assert.equal(then["commit"], first);
  assert.equal(Object(then["node"]).provenance.source, "note");
  const gone = await tryTool(store, "why", { id: "nobody" });
  assert.equal(gone["code"], "not_found");
});

Deno.test("when_did finds a value, null, absence and presence", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await remember(store, "other", 0);
  const added = await remember(store, "plan", "pro");
  const nulled = await remember(store, "plan", null);
  await tool(store, "forget", { id: "plan" });
  const { commit: gone } = await store.head();
  const ask = (question: Shown) =>
    tool(store, "when_did", { id: "plan", ...question });
  const pro = await ask({ equals: "pro", bad: nulled + "~1" });
  assert.deepEqual(
    [pro["commit"], pro["written_in"], pro["flips"], pro["flips_complete"]],
    [added, added, [added], true],
  );
  assert.equal(Object(pro["blame"]).node.content, "pro");
  assert.equal((await ask({ equals: null, bad: nulled }))["commit"], nulled);
  assert.equal((await ask({ present: "true", bad: nulled }))["commit"], added);
  const absent = await ask({ equals: null, absent: true, present: false });
  assert.deepEqual([absent["commit"], absent["blame"]], [gone, null]);
});

Deno.test("when_did wants exactly one question", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await remember(store, "plan", "pro");
  for (
    const question of [
      {},
      { absent: false },
      { equals: "pro", present: true },
      { absent: true, present: true },
    ]
  ) {
    const refused = await tryTool(store, "when_did", {
      id: "plan",
      ...question,
    });
    assert.equal(refused["code"], "invalid_argument");
    assert.match(String(refused["message"]), /exactly one of/);
  }
  const never = await tryTool(store, "when_did", { id: "plan", equals: "max" });
  assert.equal(never["code"], "not_found");
});

Deno.test("whats_new pages through the changes of one commit, whatever comes later", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const ids = Array.from({ length: 5 }, (_, index) => `n/${index}`);
  await tool(store, "remember_many", {
    items: ids.map((id) => ({ id, content: 1 })),
  });
  const first = await tool(store, "whats_new", { commit: "HEAD", limit: 3 });
  assert.deepEqual(first["result"], {
    "n/0": "added",
    "n/1": "added",
    "n/2": "added",
  });
  await remember(store, "later", 1);
  const rest = await tool(store, "whats_new", {
    commit: "HEAD",
    cursor: first["next_cursor"],
  });
  assert.deepEqual(rest, { result: { "n/3": "added", "n/4": "added" } });
  const other = await tryTool(store, "whats_new", {
    commit: "HEAD~1",
    cursor: first["next_cursor"],
  });
  assert.equal(other["code"], "invalid_argument");
});

Deno.test("a write of many changes tells a page of them and where the rest is", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const ids = Array.from(
    { length: 1_000 },
    (_, index) => `${"n".repeat(100)}/${String(index).padStart(4, "0")}`,
  );
  const written = await tool(store, "remember_many", {
    items: ids.map((id) => ({ id, content: 1 })),
  });
  const bytes = new TextEncoder().encode(JSON.stringify(written)).length;
  assert.ok(bytes <= 60_000 && bytes > 50_000, `${bytes} bytes`);
  const told = Object.keys(Object(written["changes"]));
  let cursor = written["next_cursor"];
  while (cursor !== undefined) {
    const page = await tool(store, "whats_new", {
      commit: written["commit"],
      limit: 300,
      cursor,
    });
    told.push(...Object.keys(Object(page["result"])));
    cursor = page["next_cursor"];
  }
  assert.deepEqual(told, ids);
});

Deno.test("a node named __proto__ is listed like any other", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const content = JSON.parse('{"__proto__":{"a":1}}');
  const written = await tool(store, "remember", { id: "__proto__", content });
  assert.equal(JSON.stringify(written["changes"]), '{"__proto__":"added"}');
  const { result } = await tool(store, "recall", { id: "__proto__" });
  assert.equal(
    JSON.stringify(Object(result).content),
    '{"__proto__":{"a":1}}',
  );
});

Deno.test("integers beyond 2^53 are stored exactly and shown as decimal strings", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const content = [18446744073709551615n, -9223372036854775808n, 1e300, 40];
  await remember(store, "n", content);
  assert.deepEqual((await store.node("n"))?.content, content);
  const { result } = await tool(store, "recall", { id: "n" });
  assert.deepEqual(Object(result).content, [
    "18446744073709551615",
    "-9223372036854775808",
    1e300,
    40,
  ]);
  const refused = await tryTool(store, "remember", {
    id: "n",
    content: 18446744073709551616n,
  });
  assert.equal(refused["code"], "invalid_argument");
});

const REFUSED: [string, string, unknown, string][] = [
  ["a misspelt argument", "recall", { ids: "a" }, "invalid_argument"],
  ["arguments that are a list", "recall", [], "invalid_argument"],
  ["a missing id", "remember", { content: 1 }, "invalid_argument"],
  ["missing content", "remember", { id: "a" }, "invalid_argument"],
  ["a limit of 0", "history", { limit: 0 }, "invalid_argument"],
  ["a cursor of nothing", "recall", { cursor: "x" }, "invalid_argument"],
  ["a cursor of nothing", "history", { cursor: "" }, "invalid_argument"],
  [
    "a cursor of nothing",
    "whats_new",
    { commit: "HEAD", cursor: "x" },
    "invalid_argument",
  ],
  ["an empty id", "remember", { id: "", content: 1 }, "invalid_argument"],
  ["an unknown branch", "recall_at", { commit: "nowhere" }, "invalid_ref"],
  ["an unknown commit", "whats_new", { commit: "abcdef" }, "invalid_ref"],
];

Deno.test("tools refuse bad arguments by code and write nothing", async (t) => {
  await using temp = await tempStore();
  const { store } = temp;
  const head = await remember(store, "a", 1);
  for (const [name, of, args, code] of REFUSED) {
    await t.step(`${of}: ${name}`, async () => {
      const refused = await tryTool(store, of, args);
      assert.equal(refused["code"], code, JSON.stringify(refused));
      assert.equal((await store.head()).commit, head);
    });
  }
});

Deno.test("a call that was given up commits nothing", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const given = new AbortController();
  const call = (signal: AbortSignal) =>
    coreTools()[0]?.call({ id: "a", content: 1 }, {
      store,
      author: undefined,
      signal,
    });
  given.abort();
  assert.throws(() => call(given.signal), { name: "AbortError" });
  assert.equal((await store.head()).commit, null);
  await call(new AbortController().signal);
  assert.notEqual((await store.head()).commit, null);
});

Deno.test("a hundred calls in flight are a hundred commits", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const commits = await Promise.all(
    Array.from(
      { length: 100 },
      (_, index) => remember(store, `n/${index}`, index),
    ),
  );
  assert.equal(new Set(commits).size, 100);
  assert.equal(await commitCount(store), 100);
  assert.equal((await store.memory()).size, 100);
});
