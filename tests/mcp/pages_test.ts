/**
 * The page of a commit: what it changed and the memory as of it, within one page of bytes.
 *
 * @module
 */

import assert from "node:assert/strict";
import { rememberMany } from "@mnem/agents";
import type { Store } from "@mnem/core";
import { changesPage, commitPage, recallPage } from "../../mcp/pages.ts";
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
