/**
 * What users of LangGraph's stores reported, by number: each test names the thread and states the
 * right result.
 *
 * @module
 */

import assert from "node:assert/strict";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { fakeModel } from "@langchain/core/testing";
import { AIMessage } from "@langchain/core/messages";
import { tool, type ToolRuntime } from "@langchain/core/tools";
import {
  END,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import {
  AsyncBatchedStore,
  type BaseStore,
  type GetOperation,
  InMemoryStore,
  InvalidNamespaceError,
  type SearchOperation,
} from "@langchain/langgraph-checkpoint";
import { isMnemError } from "@mnem/core";
import { mnemosyne, MnemosyneStore, toId } from "@mnem/langgraph";
import { z } from "zod";
import {
  anyOperations,
  commitCount,
  keysOf,
  langGraphStore,
} from "../support/langgraph_store.ts";

/** Values by item, `label/label key`, in the order in which they are put, one batch each. */
async function fill(
  store: BaseStore,
  items: { readonly [name: string]: { readonly [name: string]: unknown } },
): Promise<void> {
  for (const [name, value] of Object.entries(items)) {
    const [namespace = "", key = ""] = name.split(" ");
    await store.put(namespace.split("/"), key, value);
  }
}

function paths(namespaces: string[][]): string[] {
  return namespaces.map((labels) => labels.join("/"));
}

Deno.test("case 1, langchain-ai/langgraphjs#2721: a search of one tenant finds no other", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  await fill(memory, {
    "tenant/acme a": { n: 1 },
    "tenant/acme-corp b": { n: 2 },
    "tenant/acme/team c": { n: 3 },
    "tenant/acmé d": { n: 4 },
  });
  assert.deepEqual(keysOf(await memory.search(["tenant", "acme"])), ["a", "c"]);
  assert.deepEqual(keysOf(await memory.search(["tenant", "acme-corp"])), ["b"]);
  assert.deepEqual(keysOf(await memory.search(["ten"])), []);
});

Deno.test("case 2, langgraphjs#2721 and memanto#1317: no two items are one", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  const pairs: [string[], string][] = [
    [["a", "b", "c"], "k"],
    [["team_a"], "k"],
    [["team", "a"], "k"],
    [["a"], "b:c"],
    [["a", "b"], "c"],
    [["a"], "b~1c"],
  ];
  // In one batch, where the official store loses one of them.
  await Promise.all([
    memory.batch(pairs.map(([namespace, key], n) => ({
      namespace,
      key,
      value: { n },
    }))),
  ]);
  for (const [n, [namespace, key]] of pairs.entries()) {
    const item = await memory.get(namespace, key);
    assert.deepEqual(item?.value, { n });
    assert.deepEqual([item?.namespace, item?.key], [namespace, key]);
  }
  assert.equal((await memory.search([])).length, pairs.length);
  const colon = { namespace: ["a", "b:c"], key: "k", value: { n: 9 } };
  await assert.rejects(memory.batch([colon]), InvalidNamespaceError);
  await assert.rejects(
    memory.put(["a", "b:c"], "k", {}),
    InvalidNamespaceError,
  );
  await assert.rejects(memory.get(["a", "b:c"], "k"), InvalidNamespaceError);
});

Deno.test("case 3, langgraphjs#2803: a search of the empty prefix finds everything", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  await fill(memory, { "a x": {}, "a/b y": {}, "c z": {} });
  assert.deepEqual(keysOf(await memory.search([])), ["x", "y", "z"]);
});

Deno.test("case 4, langgraphjs#2512 and langgraph#8300: wildcards of SQL are letters like others", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  await fill(memory, { "john-doe a": {}, "john_doe b": {}, "* c": {} });
  assert.deepEqual(await memory.search(["%"]), []);
  assert.deepEqual(keysOf(await memory.search(["john-doe"])), ["a"]);
  assert.deepEqual(keysOf(await memory.search(["john_doe"])), ["b"]);
  assert.deepEqual(keysOf(await memory.search(["*"])), ["c"]);
});

Deno.test("case 5, langgraphjs#2825 and langgraph#8478: conditions go by whole labels", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  await fill(memory, {
    "users/malice k": {},
    "users/alice k": {},
    "cache/a/b/v1 k": {},
    "cache/a/v1 k": {},
  });
  const suffix = await memory.listNamespaces({ suffix: ["alice"] });
  assert.deepEqual(paths(suffix), ["users/alice"]);
  const prefix = await memory.listNamespaces({ prefix: ["cache", "*", "v1"] });
  assert.deepEqual(paths(prefix), ["cache/a/v1"]);
  const both = await memory.listNamespaces({
    prefix: ["cache"],
    suffix: ["*", "v1"],
  });
  assert.deepEqual(paths(both), ["cache/a/b/v1", "cache/a/v1"]);
});

Deno.test("case 6, langgraphjs#1788: listNamespaces() inside a node", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  await memory.put(["users", "u1"], "k", {});
  const seen: string[][] = [];
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("list", async (_state, config) => {
      await assert.rejects(async () => await config.store?.listNamespaces());
      seen.push(...await mnemosyne(config).listNamespaces());
      return {};
    })
    .addEdge(START, "list").addEdge("list", END).compile({ store: memory });
  await graph.invoke({ messages: [] });
  assert.deepEqual(seen, [["users", "u1"]]);
});

Deno.test("case 7, langgraph#8734: reads create no namespace, and an empty one is gone", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  await memory.put(["real"], "k", {});
  assert.deepEqual(await memory.listNamespaces(), [["real"]]);
  assert.equal(await memory.get(["ghost"], "k"), null);
  await memory.search(["ghost"]);
  await memory.delete(["ghost"], "k");
  await memory.delete(["real"], "k");
  assert.deepEqual(await memory.listNamespaces(), []);
});

Deno.test("case 8, langgraph#8835: a value belongs to the store once it is put, and to the caller once it is got", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  const value = { t: 1, deep: { n: [1] } };
  const put = memory.put(["a"], "k", value);
  value.t = 2;
  value.deep.n.push(2);
  await put;
  const twice = await memory.batch<
    [GetOperation, GetOperation, SearchOperation]
  >([
    { namespace: ["a"], key: "k" },
    { namespace: ["a"], key: "k" },
    { namespacePrefix: ["a"] },
  ]);
  const [got, other, [found]] = twice;
  assert.ok(got !== null && other !== null && found !== undefined);
  for (const item of [got, found]) {
    item.value["t"] = 3;
    item.value["deep"].n.push(3);
    item.namespace.push("b");
    item.createdAt.setTime(0);
    assert.deepEqual(other.value, { t: 1, deep: { n: [1] } });
  }
  const again = await memory.get(["a"], "k");
  assert.deepEqual(again?.value, { t: 1, deep: { n: [1] } });
  assert.deepEqual(again?.namespace, ["a"]);
  assert.notEqual(again?.createdAt.getTime(), 0);
});

Deno.test("case 9, langgraph#8365: an order says nothing of what has none", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  await fill(memory, {
    "p a": { age: 30 },
    "p b": {},
    "p c": { age: "unknown" },
    "p d": { age: null },
  });
  const over = await memory.search(["p"], { filter: { age: { $gt: 25 } } });
  assert.deepEqual(keysOf(over), ["a"]);
  const from = await memory.search(["p"], { filter: { age: { $gte: 0 } } });
  assert.deepEqual(keysOf(from), ["a"]);
});

Deno.test("case 10, langgraph#8366: $ne lets an item without the field pass", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  await fill(memory, { "p a": { age: 30 }, "p b": {} });
  const other = await memory.search(["p"], { filter: { age: { $ne: 30 } } });
  assert.deepEqual(keysOf(other), ["b"]);
});

Deno.test("case 11, langgraph#7684: numbers compare as numbers", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  await fill(memory, {
    "p a": { score: 9 },
    "p b": { score: 10 },
    "p c": { score: 100 },
  });
  const from = await memory.search(["p"], { filter: { score: { $gte: 10 } } });
  assert.deepEqual(keysOf(from), ["b", "c"]);
});

Deno.test("case 12, langgraph#8786 and langgraph#7795: an object is equal by its parts, a dot is a letter", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  await fill(memory, {
    "p a": { user: { "access-level": "x" } },
    "p b": { "user.access-level": "x" },
  });
  const filters: [{ [name: string]: unknown }, string[]][] = [
    [{ user: { "access-level": "x" } }, ["a"]],
    [{ user: { "access-level": "y" } }, []],
    [{ "user.access-level": "x" }, ["b"]],
  ];
  for (const [filter, keys] of filters) {
    assert.deepEqual(keysOf(await memory.search(["p"], { filter })), keys);
  }
});

Deno.test("case 13, langgraph#8829: an unknown operator is an error", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  await fill(memory, { "p a": { n: "a" } });
  for (
    const filter of [
      { $and: [{ n: "a" }] },
      { n: { $regex: "a" } },
      { n: { $exists: true } },
    ]
  ) {
    await assert.rejects(memory.search(["p"], { filter }), {
      name: "TypeError",
      code: "invalid_argument",
      message: /"\$\w+" in the filter is not .*; operators are \$eq, /,
    });
  }
  assert.equal((await memory.search(["p"], { filter: { n: "a" } })).length, 1);
});

Deno.test("case 14, langgraph#8831: one order, and pages that neither repeat nor skip", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  await fill(memory, { "p a": {}, "p b": {}, "p c": {} });
  const pages: string[] = [];
  for (let offset = 0; offset < 4; offset++) {
    pages.push(...keysOf(await memory.search(["p"], { limit: 1, offset })));
    // Between two pages, what is behind and what is ahead are updated.
    await memory.put(["p"], "a", { offset });
    await memory.put(["p"], "c", { offset });
  }
  assert.deepEqual(pages, ["a", "b", "c"]);
  await memory.delete(["p"], "a");
  await memory.put(["p"], "a", {});
  assert.deepEqual(keysOf(await memory.search(["p"])), ["b", "c", "a"]);
});

Deno.test("case 15, langgraph#8696: limits and offsets that are no counts", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  await fill(memory, { "p a": {}, "p b": {} });
  for (
    const options of [
      { limit: -1 },
      { offset: -1 },
      { limit: 1.5 },
      { limit: NaN },
      { offset: Infinity },
    ]
  ) {
    const error = { name: "RangeError", code: "invalid_argument" };
    await assert.rejects(memory.search(["p"], options), error);
    await assert.rejects(memory.listNamespaces(options), error);
  }
  assert.deepEqual(await memory.search(["p"], { limit: 0 }), []);
  assert.deepEqual(await memory.search(["p"], { offset: 5 }), []);
  assert.deepEqual(await memory.listNamespaces({ limit: 0 }), []);
  assert.equal((await memory.search(["p"], { limit: 1 })).length, 1);
  for (let i = 0; i < 12; i++) await memory.put(["p"], `n${i}`, {});
  assert.equal((await memory.search(["p"])).length, 10);
  const [none]: unknown[] = await memory.batch(
    anyOperations({ namespacePrefix: ["p"], limit: null, offset: null }),
  );
  assert.ok(Array.isArray(none));
  assert.equal(none.length, 10);
});

Deno.test("case 16, langgraph#8590: one value that cannot be stored, and nothing is", async () => {
  await using temp = await langGraphStore();
  const { memory, store } = temp;
  await memory.put(["a"], "before", {});
  const good = { namespace: ["a"], key: "good", value: { x: 1 } };
  const bad = { namespace: ["a"], key: "bad", value: { x: 1n } };
  for (const batch of [[good, bad], [bad, good]]) {
    await assert.rejects(memory.batch(batch), {
      name: "TypeError",
      code: "invalid_argument",
      message: /node "a:bad": value at "\/x" is a bigint/,
    });
  }
  assert.deepEqual(keysOf(await memory.search([])), ["before"]);
  assert.equal(await commitCount(store), 1);
});

Deno.test("case 17, langgraph#8832 and langgraph#7575: batch has no back door for namespaces", async () => {
  await using temp = await langGraphStore();
  const { memory, store } = temp;
  for (const namespace of [[], ["a.b"], [""], ["a", "b\0"]]) {
    for (const value of [{ x: 1 }, null]) {
      await assert.rejects(memory.batch([{ namespace, key: "k", value }]), {
        name: "InvalidNamespaceError",
        code: "invalid_argument",
      });
    }
  }
  assert.equal(await commitCount(store), 0);
  const namespace = ["langgraph", "x"];
  await memory.batch([{ namespace, key: "k", value: { x: 1 } }]);
  assert.deepEqual((await memory.get(namespace, "k"))?.value, { x: 1 });
  await assert.rejects(memory.put(namespace, "k", {}), InvalidNamespaceError);
});

Deno.test("case 18, langgraph#8340: times of an item that is put again", async () => {
  let now = 1_000;
  await using temp = await langGraphStore({ clock: () => now });
  const { memory } = temp;
  const times = async () => {
    const item = await memory.get(["a"], "k");
    return [item?.createdAt.getTime(), item?.updatedAt.getTime()];
  };
  await memory.put(["a"], "k", { n: 1 });
  now = 2_000;
  assert.deepEqual(await times(), [1_000, 1_000]);
  await memory.put(["a"], "k", { n: 2 });
  now = 3_000;
  await memory.search(["a"]);
  assert.deepEqual(await times(), [1_000, 2_000]);
  // The same again is no change.
  await memory.put(["a"], "k", { n: 2 });
  assert.deepEqual(await times(), [1_000, 2_000]);
  await memory.delete(["a"], "k");
  await memory.put(["a"], "k", { n: 2 });
  assert.deepEqual(await times(), [3_000, 3_000]);
});

Deno.test("case 19, langgraph-redis#196 and OpenViking#4335: keys of every kind", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  const keys = [
    "my-doc.md#0",
    "/AGENTS.md",
    "a\\b",
    "!s",
    "",
    "a:b",
    "~1",
    "a\0b",
    "../x",
    "é 😀",
    "__proto__",
  ];
  for (const key of keys) {
    await memory.put(["files"], key, { is: key });
    const item = await memory.get(["files"], key);
    assert.deepEqual([item?.key, item?.value], [key, { is: key }]);
    assert.deepEqual(keysOf(await memory.search(["files"])), [key]);
    await memory.delete(["files"], key);
    assert.equal(await memory.get(["files"], key), null);
    assert.deepEqual(await memory.search(["files"]), []);
  }
});

Deno.test("case 20, aegra#162, langgraph#6240 and langgraph#7427: what is no value and no label", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  await memory.put(["a"], "k", {});
  for (const value of ["str", [1], 5, true, undefined]) {
    const operations = anyOperations({ namespace: ["a"], key: "x", value });
    await assert.rejects(memory.batch(operations), {
      name: "TypeError",
      message: /node "a:x": it is .*, must be a plain object, or null/,
    });
  }
  for (const label of [null, 1, undefined]) {
    const operations = anyOperations({
      namespace: ["a", label],
      key: "x",
      value: {},
    });
    await assert.rejects(memory.batch(operations), {
      name: "InvalidNamespaceError",
      message: /Cannot use namespace label: .*, must be a string/,
    });
  }
  for (const key of [5, null, undefined]) {
    const operations = anyOperations({ namespace: ["a"], key, value: {} });
    await assert.rejects(memory.batch(operations), {
      name: "TypeError",
      message: /Cannot use key: .*, must be a string/,
    });
  }
  assert.deepEqual(await memory.listNamespaces(), [["a"]]);
});

Deno.test("case 21, langgraph#1878: a NUL in content", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  const value = { text: "a\u0000b", "k\u0000": 1 };
  await memory.put(["a"], "k", value);
  assert.deepEqual((await memory.get(["a"], "k"))?.value, value);
});

Deno.test("case 22, langgraph#4359: created, updated and removed in one batch", async () => {
  await using temp = await langGraphStore();
  const { memory, store } = temp;
  await memory.put(["a"], "other", {});
  const item = { namespace: ["a"], key: "k" };
  const batch = () =>
    memory.batch([
      { ...item, value: { n: 1 } },
      { ...item, value: { n: 2 } },
      { ...item, value: null },
    ]);
  assert.deepEqual(await batch(), [undefined, undefined, undefined]);
  assert.equal(await memory.get(["a"], "k"), null);
  assert.equal(await commitCount(store), 1);
  await memory.put(["a"], "k", {});
  await batch();
  assert.equal(await memory.get(["a"], "k"), null);
  assert.equal(await commitCount(store), 3);
});

Deno.test("case 23, mnestic#17: every read is of one moment", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  const both = (n: number) => [
    { namespace: ["pair"], key: "a", value: { n } },
    { namespace: ["pair"], key: "b", value: { n } },
  ];
  await memory.batch(both(0));
  // A second handle, so that no order of one handle helps.
  await using other = await MnemosyneStore.open(temp.path);
  const writing = (async () => {
    for (let n = 1; n <= 60; n++) await other.batch(both(n));
  })();
  const seen = new Set<number>();
  for (let done = false; !done;) {
    const [a, b, found] = await memory.batch<
      [GetOperation, GetOperation, SearchOperation]
    >([
      { namespace: ["pair"], key: "a" },
      { namespace: ["pair"], key: "b" },
      { namespacePrefix: ["pair"] },
    ]);
    const values = [a, b, ...found].map((item) => item?.value["n"]);
    assert.equal(new Set(values).size, 1, `${values}`);
    seen.add(values[0]);
    done = values[0] === 60;
  }
  await writing;
  assert.ok(seen.size > 1);
});

Deno.test("case 24, memanto#1721: two put one new key at once", async () => {
  await using temp = await langGraphStore();
  const { memory, store } = temp;
  await using other = await MnemosyneStore.open(temp.path);
  await Promise.all([
    memory.put(["a"], "k", { by: "one" }),
    other.put(["a"], "k", { by: "two" }),
  ]);
  const items = await memory.search(["a"]);
  assert.equal(items.length, 1);
  const versions = await Array.fromAsync(store.versions(toId(["a"], "k")));
  const written = versions.map(({ node }) => node?.content);
  assert.deepEqual(written[0], items[0]?.value);
  assert.equal(written.length, 2);
  // From one handle the order of the calls decides.
  await Promise.all([
    memory.put(["a"], "k", { by: "three" }),
    memory.put(["a"], "k", { by: "four" }),
  ]);
  assert.deepEqual((await other.get(["a"], "k"))?.value, { by: "four" });
});

Deno.test("case 25, langchainjs#10171: a tool of an agent has the store", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  const save = tool(
    async ({ tier }: { tier: string }, runtime: ToolRuntime) => {
      assert.ok(runtime.store instanceof AsyncBatchedStore);
      await runtime.store.put(["users", "u1"], "plan", { tier });
      return "saved";
    },
    {
      name: "save",
      description: "saves",
      schema: z.object({ tier: z.string() }),
    },
  );
  const model = fakeModel()
    .respondWithTools([{ name: "save", args: { tier: "pro" } }])
    .respond(new AIMessage("done"));
  const agent = createReactAgent({ llm: model, tools: [save], store: memory });
  await agent.invoke({ messages: [{ role: "user", content: "I am pro" }] });
  const item = await memory.get(["users", "u1"], "plan");
  assert.deepEqual(item?.value, { tier: "pro" });
});

Deno.test("case 26, deepagents#5711: files of two tenants, listed page by page", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  for (const tenant of ["acme", "acme-corp"]) {
    for (let i = 0; i < 7; i++) {
      await memory.put([tenant, "filesystem"], `/notes/${i}.md`, {
        content: [`${tenant} ${i}`],
      });
    }
  }
  // As a file backend lists: pages until one is not full.
  const files: string[] = [];
  for (let offset = 0;; offset += 3) {
    const page = await memory.search(["acme", "filesystem"], {
      limit: 3,
      offset,
    });
    files.push(
      ...page.map(({ key, value }) => `${key} ${value["content"][0]}`),
    );
    if (page.length < 3) break;
  }
  assert.deepEqual(
    files,
    Array.from({ length: 7 }, (_, i) => `/notes/${i}.md acme ${i}`),
  );
  const found = await memory.search(["acme"], { query: "corp" });
  assert.deepEqual(found, []);
});

Deno.test("case 27, langgraph#8757 and langgraph#8214: a key made anew has nothing of the old one", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  const secret = { text: "secret", _meta: { source: "old" } };
  await memory.put(["a"], "k", secret);
  await memory.delete(["a"], "k");
  await memory.put(["a"], "k", { other: 1 });
  const [item] = await memory.search(["a"]);
  assert.deepEqual(item?.value, { other: 1 });
  assert.equal(item?.score, undefined);
  assert.deepEqual(await memory.search(["a"], { query: "secret" }), []);
  assert.deepEqual((await memory.why(["a"], "k")).node.provenance, {});
  // The past keeps it, and says so.
  const { commits } = await memory.history();
  const before = await memory.why(["a"], "k", { at: commits[2]!.id });
  assert.equal(before.node.provenance.source, "old");
  const gone = memory.why(["a"], "k", { at: commits[1]!.id });
  await assert.rejects(gone, (error) => isMnemError(error, "not_found"));
});

Deno.test("cases 2, 7, 8 and 15 can fail: the store that LangGraph ships fails them", async () => {
  const official = new InMemoryStore();
  await official.batch([
    { namespace: ["a"], key: "b:c", value: { n: 1 } },
    { namespace: ["a", "b"], key: "c", value: { n: 2 } },
  ]);
  assert.equal(await official.get(["a"], "b:c"), null);
  await official.delete(["ghost"], "k");
  assert.deepEqual((await official.listNamespaces()).at(-1), ["ghost"]);
  const value = { t: 1 };
  await official.put(["p"], "k", value);
  value.t = 2;
  assert.deepEqual((await official.get(["p"], "k"))?.value, { t: 2 });
  assert.deepEqual(await official.search(["p"], { limit: -1 }), []);
});
