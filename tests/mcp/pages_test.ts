/**
 * The page of a commit: what it changed and the memory as of it, within one page of bytes.
 *
 * @module
 */

import assert from "node:assert/strict";
import { rememberMany } from "@mnem/agents";
import type { Store } from "@mnem/core";
import {
  branchesPage,
  changesPage,
  commitPage,
  mergePage,
  recallPage,
} from "../../mcp/pages.ts";
import { tempStore } from "../support/temp_store.ts";

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

async function write(
  store: Store,
  count: number,
  content: string,
): Promise<string> {
  const items = Array.from({ length: count }, (_, index) => ({
    id: `${"n".repeat(60)}/${String(index).padStart(4, "0")}`,
    content,
  }));
  const { commit } = await rememberMany(store, items);
  assert.ok(commit !== null);
  return commit;
}

function idsOf(nodes: unknown): string[] {
  assert.ok(Array.isArray(nodes));
  return nodes.map((node) => node.id);
}

Deno.test("commitPage() shows a small commit whole", async () => {
  await using temp = await tempStore();
  const commit = await write(temp.store, 2, "x");
  const page = await commitPage(temp.store, commit);
  assert.deepEqual(Object.keys(page), ["changed", "state"]);
  const ids = Object.keys(Object(page["changed"]));
  assert.equal(ids.length, 2);
  assert.deepEqual(idsOf(page["state"]), ids);
});

Deno.test("commitPage() cuts a large commit to a page, and its cursors go on", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const commit = await write(store, 500, "x".repeat(2_000));
  const page = await commitPage(store, commit);
  const bytes = bytesOf(page);
  assert.ok(bytes <= 60_000 && bytes > 50_000, `${bytes} bytes`);

  const changed = Object.keys(Object(page["changed"]));
  let cursor: unknown = page["next_changed_cursor"];
  assert.equal(typeof cursor, "string");
  while (cursor !== undefined) {
    const next = await changesPage(store, commit, { cursor: String(cursor) });
    changed.push(...Object.keys(Object(next["result"])));
    cursor = next["next_cursor"];
  }
  assert.equal(new Set(changed).size, 500);
  assert.equal(changed.length, 500);

  const state = idsOf(page["state"]);
  cursor = page["next_cursor"];
  assert.equal(typeof cursor, "string");
  while (cursor !== undefined) {
    const next = await recallPage(store, { cursor: String(cursor) });
    state.push(...idsOf(next["result"]));
    cursor = next["next_cursor"];
  }
  assert.deepEqual(state, changed);
});

Deno.test("changesPage() refuses a cursor that was made up", async () => {
  await using temp = await tempStore();
  const commit = await write(temp.store, 3, "x");
  const encode = (value: unknown) => btoa(JSON.stringify(value));
  for (
    const cursor of [
      "",
      "x",
      encode({}),
      encode([commit]),
      encode([commit, commit, -1]),
      encode([commit, commit, "0"]),
      encode([commit, 5, 0]),
    ]
  ) {
    await assert.rejects(
      changesPage(temp.store, commit, { cursor }),
      TypeError,
      cursor,
    );
  }
  const { result } = await changesPage(temp.store, commit, {
    cursor: encode([commit, commit, 1]),
  });
  assert.equal(Object.keys(Object(result)).length, 2);
});

Deno.test("branchesPage() lists every branch once, in order, within a page", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const commit = await write(store, 1, "x");
  const names = Array.from(
    { length: 120 },
    (_, i) => `${"b".repeat(40)}${String(i).padStart(3, "0")}`,
  );
  for (const name of names) await store.createBranch(name);
  for (const limit of [undefined, 1, 7, 1_000]) {
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await branchesPage(store, { limit, cursor });
      assert.ok(bytesOf(page) <= 60_000);
      const result = Object(page["result"]);
      listed.push(...Object.keys(result));
      assert.ok(Object.keys(result).length <= (limit ?? 50));
      assert.ok(Object.values(result).every((id) => id === commit));
      const next = page["next_cursor"];
      cursor = next === undefined ? undefined : String(next);
    } while (cursor !== undefined);
    assert.deepEqual(listed, [...names, "main"]);
  }
});

Deno.test("branchesPage() is bounded in bytes, and its cursor outlives its branch", async () => {
  const names = Array.from(
    { length: 400 },
    (_, i) => `${String(i).padStart(3, "0")}${"b".repeat(197)}`,
  );
  const branches = new Map(names.map((name) => [name, "c".repeat(64)]));
  // A page of branches asks for nothing else, and so many would take long to make.
  const store = {
    branches: () => Promise.resolve(branches),
  } as unknown as Store;
  const page = await branchesPage(store, { limit: 1_000 });
  assert.ok(bytesOf(page) <= 60_000 && bytesOf(page) > 50_000);
  const listed = Object.keys(Object(page["result"]));
  branches.delete(listed.at(-1) ?? "");
  const cursor = String(page["next_cursor"]);
  const next = await branchesPage(store, { limit: 1_000, cursor });
  assert.deepEqual(
    [...listed, ...Object.keys(Object(next["result"]))],
    names,
  );
  await assert.rejects(
    branchesPage(store, { cursor: btoa('["changes","x"]') }),
    TypeError,
  );
});

Deno.test("mergePage() cuts conflicts to a page and counts the rest; resolving goes on", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await write(store, 100, "base");
  await store.createBranch("side");
  await write(store, 100, `ours ${"x".repeat(1_000)}`);
  const items = (content: string) =>
    Array.from({ length: 100 }, (_, index) => ({
      id: `${"n".repeat(60)}/${String(index).padStart(4, "0")}`,
      content,
    }));
  await rememberMany(store.on("side"), items(`theirs ${"x".repeat(1_000)}`));
  const resolutions: Record<string, "theirs"> = {};
  let rounds = 0;
  for (;;) {
    const result = await store.merge("side", { resolutions });
    const page = mergePage(result);
    assert.ok(bytesOf(page) <= 60_000, `${bytesOf(page)} bytes`);
    if (page["status"] === "merged") break;
    rounds += 1;
    assert.ok(Array.isArray(page["conflicts"]));
    const shown = page["conflicts"].map((conflict) => conflict.id);
    assert.equal(
      shown.length + Number(page["conflicts_omitted"] ?? 0),
      100 - Object.keys(resolutions).length,
    );
    assert.ok(shown.length > 0);
    for (const id of shown) resolutions[id] = "theirs";
  }
  assert.ok(rounds > 1 && rounds < 10, `${rounds} rounds`);
});

Deno.test("mergePage() cuts what a merge changed, and its cursor goes on", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await write(store, 1, "base");
  await store.createBranch("side");
  await rememberMany(store, [{ id: "main only", content: 1 }]);
  const items = Array.from({ length: 900 }, (_, index) => ({
    id: `${"m".repeat(60)}/${String(index).padStart(4, "0")}`,
    content: index,
  }));
  await rememberMany(store.on("side"), items);
  const rehearsed = mergePage(await store.merge("side", { dryRun: true }));
  assert.equal(rehearsed["next_cursor"], undefined);
  const page = mergePage(await store.merge("side"));
  assert.ok(bytesOf(page) <= 60_000);
  const changed = Object.keys(Object(page["changes"]));
  assert.equal(changed.length + Number(page["changes_omitted"]), 900);
  assert.equal(rehearsed["changes_omitted"], page["changes_omitted"]);
  let cursor: unknown = page["next_cursor"];
  while (cursor !== undefined) {
    const next = await changesPage(store, String(page["commit"]), {
      cursor: String(cursor),
    });
    changed.push(...Object.keys(Object(next["result"])));
    cursor = next["next_cursor"];
  }
  assert.deepEqual(changed, items.map((item) => item.id));
});
