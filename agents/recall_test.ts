import assert from "node:assert/strict";
import type { MemoryNode } from "@mnem/core";
import { tempStore } from "../tests/support/temp_store.ts";
import { forget, remember, rememberMany } from "./remember.ts";
import { recall, recallAll, type RecallAllOptions } from "./recall.ts";

type Reader = Parameters<typeof recallAll>[0];

/** All pages of one listing. */
async function pagesOf(
  store: Reader,
  options: RecallAllOptions,
): Promise<MemoryNode[][]> {
  const pages: MemoryNode[][] = [];
  let cursor: string | undefined;
  do {
    const page = await recallAll(store, { ...options, cursor });
    pages.push(page.nodes);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return pages;
}

function idsOf(pages: readonly (readonly MemoryNode[])[]): string[][] {
  return pages.map((page) => page.map(({ id }) => id));
}

Deno.test("recall() reads one node, now and then", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  assert.equal(await recall(store, "plan"), null);
  const { commit } = await remember(store, "plan", "pro");
  await remember(store, "plan", "team");
  assert.equal((await recall<string>(store, "plan"))?.content, "team");
  const at = commit ?? "";
  assert.equal((await recall<string>(store, "plan", { at }))?.content, "pro");
  assert.equal((await recall(store, "plan", { at: "HEAD~1" }))?.content, "pro");
  assert.equal(await recall(store, "ghost", { at }), null);
  await assert.rejects(recall(store, "plan", { at: "nope" }), {
    code: "invalid_ref",
  });
});

Deno.test("recallAll() of a branch without a commit is empty", async () => {
  await using temp = await tempStore();
  assert.deepEqual(await recallAll(temp.store), { asOf: null, nodes: [] });
});

Deno.test("recallAll() pages in order of UTF-8 bytes, nothing twice, nothing left out", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const ids = [
    "~",
    "😀",
    "～",
    "a",
    "B",
    "10",
    "9",
    "a:b",
    "a/b",
    "é",
    "__proto__",
  ];
  const { commit } = await rememberMany(
    store,
    ids.map((id) => ({ id, content: id })),
  );
  const sorted = [
    "10",
    "9",
    "B",
    "__proto__",
    "a",
    "a/b",
    "a:b",
    "~",
    "é",
    "～",
    "😀",
  ];
  for (const limit of [1, 2, 3, 10, 11, 50]) {
    const pages = idsOf(await pagesOf(store, { limit }));
    assert.deepEqual(pages.flat(), sorted, `limit ${limit}`);
    assert.equal(pages.length, Math.ceil(ids.length / limit), `limit ${limit}`);
    assert.ok(pages.every((page) => page.length <= limit));
  }
  assert.equal((await recallAll(store)).asOf, commit);
});

Deno.test("recallAll() gives 50 nodes unless asked otherwise", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const items = Array.from(
    { length: 120 },
    (_, i) => ({ id: `n${i}`, content: i }),
  );
  await rememberMany(store, items);
  const pages = await pagesOf(store, {});
  assert.deepEqual(pages.map((page) => page.length), [50, 50, 20]);
  assert.equal((await recallAll(store, { limit: 1_000 })).nodes.length, 120);
});

Deno.test("recallAll() goes on in the memory that it began with", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await rememberMany(
    store,
    ["a", "b", "c"].map((id) => ({ id, content: "old" })),
  );
  const first = await recallAll(store, { limit: 1 });
  await forget(store, "b");
  await rememberMany(store, [{ id: "c", content: "new" }, {
    id: "bb",
    content: "new",
  }]);
  const { cursor } = first;
  assert.ok(cursor !== undefined);
  const rest = await recallAll(store, { cursor });
  assert.equal(rest.asOf, first.asOf);
  assert.deepEqual(rest.nodes.map(({ id, content }) => [id, content]), [
    ["b", "old"],
    ["c", "old"],
  ]);
  assert.deepEqual(idsOf([(await recallAll(store)).nodes]), [["a", "bb", "c"]]);
});

Deno.test("recallAll() filters by prefix and text, together and across pages", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await rememberMany(store, [
    { id: "a/1", content: "Pro" },
    { id: "a/2", content: { tier: "free" } },
    { id: "a/3", content: ["x", "PROFESSIONAL"] },
    { id: "b/1", content: "pro" },
    { id: "b/pro", content: 1 },
  ]);
  const all = (options: RecallAllOptions) => pagesOf(store, options);
  assert.deepEqual(idsOf(await all({ prefix: "a/" })), [["a/1", "a/2", "a/3"]]);
  assert.deepEqual(idsOf(await all({ query: "pRo", limit: 1 })), [
    ["a/1"],
    ["a/3"],
    ["b/1"],
    ["b/pro"],
  ]);
  assert.deepEqual(idsOf(await all({ query: "pro", prefix: "b", limit: 5 })), [
    ["b/1", "b/pro"],
  ]);
  assert.deepEqual(idsOf(await all({ query: "tier" })), [["a/2"]]);
  assert.deepEqual(idsOf(await all({ query: "nothing" })), [[]]);
  assert.deepEqual(idsOf(await all({ prefix: "c" })), [[]]);
});

Deno.test("recallAll() keeps pages within 60 kB, but moves past a larger node", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const sizes = [100, 20_000, 20_000, 20_000, 90_000, 100];
  await rememberMany(
    store,
    sizes.map((size, i) => ({ id: `n${i}`, content: "x".repeat(size) })),
  );
  assert.deepEqual(idsOf(await pagesOf(store, {})), [
    ["n0", "n1", "n2"],
    ["n3"],
    ["n4"],
    ["n5"],
  ]);
});

Deno.test("recallAll() reads as of a revision", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const { commit } = await remember(store, "a", 1);
  await remember(store, "b", 2);
  const page = await recallAll(store, { at: "HEAD~1" });
  assert.equal(page.asOf, commit);
  assert.deepEqual(idsOf([page.nodes]), [["a"]]);
});

Deno.test("recallAll() refuses bad arguments", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await remember(store, "a", 1);
  await assert.rejects(recallAll(store, { limit: 0 }), RangeError);
  await assert.rejects(recallAll(store, { cursor: "" }), RangeError);
  await assert.rejects(recallAll(store, { cursor: "a" }), RangeError);
  await assert.rejects(recallAll(store, { at: "nope" }), {
    code: "invalid_ref",
  });
  const elsewhere = `nodes:${"0".repeat(64)}:a`;
  await assert.rejects(recallAll(store, { cursor: elsewhere }), {
    code: "invalid_ref",
  });
  // @ts-expect-error -- a number is no text to look for
  await assert.rejects(recallAll(store, { query: 5 }), TypeError);
  // @ts-expect-error -- nor is it a prefix
  await assert.rejects(recallAll(store, { prefix: 5 }), TypeError);
  assert.equal((await recallAll(store)).nodes.length, 1);
});
