import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Result, ServerContext } from "@modelcontextprotocol/server";
import { pagedList } from "./paged_lists.ts";

const TOOLS = ["a", "b", "c", "d", "e"];
const LISTS = {
  "tools/list": "tools",
  "resources/list": "resources",
  "resources/templates/list": "resourceTemplates",
  "prompts/list": "prompts",
};
// No handler of these tests looks at it.
const CONTEXT = {} as ServerContext;

function lister(method: string, whole: Result, entriesMax: number) {
  const handler = pagedList(method, {
    handler: () => Promise.resolve(whole),
    entriesMax,
  });
  return async (params: { cursor?: string } = {}) =>
    Object(
      await handler({ jsonrpc: "2.0", id: 1, method, params }, CONTEXT),
    );
}

Deno.test("pagedList() cuts a list, and its cursors lead through all of it", async () => {
  for (const entriesMax of [1, 2, 4, 5, 6]) {
    const list = lister("tools/list", { tools: TOOLS }, entriesMax);
    const seen: string[] = [];
    let pages = 0;
    let page = await list();
    for (;;) {
      assert.ok(page.tools.length > 0 && page.tools.length <= entriesMax);
      seen.push(...page.tools);
      pages += 1;
      if (page.nextCursor === undefined) break;
      page = await list({ cursor: page.nextCursor });
    }
    assert.deepEqual(seen, TOOLS);
    assert.equal(pages, Math.ceil(TOOLS.length / entriesMax));
  }
});

Deno.test("pagedList() pages every list, keeps the rest of the answer, and no other method", async () => {
  for (const [method, field] of Object.entries(LISTS)) {
    const list = lister(method, { [field]: [1, 2], ttlMs: 5 }, 1);
    const { nextCursor, ...first } = await list();
    assert.deepEqual(first, { [field]: [1], ttlMs: 5 });
    assert.deepEqual(await list({ cursor: nextCursor }), {
      [field]: [2],
      ttlMs: 5,
    });
  }
  const list = lister("tools/call", { tools: [1, 2] }, 1);
  assert.deepEqual(await list(), { tools: [1, 2] });
});

function encoded(text: string): string {
  return Buffer.from(text).toString("base64url");
}

Deno.test("pagedList() refuses a cursor that it did not give", async () => {
  const list = lister("tools/list", { tools: TOOLS }, 2);
  const { nextCursor } = await list();
  assert.equal(nextCursor, encoded("tools/list:2"));
  const bad = [
    "",
    "2",
    "tools/list:2",
    // As they are spelt, but none that a page of two gives: the end, before the start, within a page.
    ...["6", "8", "0", "-2", "2.0", "02", "1", "3", "0.5", "2.5", "Infinity"]
      .map((start) => encoded(`tools/list:${start}`)),
    encoded("tools/list"),
    encoded("prompts/list:2"),
    `${nextCursor}x`,
  ];
  for (const cursor of bad) {
    await assert.rejects(
      list({ cursor }),
      (error) =>
        Object(error).code === -32602 &&
        `${error}`.includes(JSON.stringify(cursor)),
      cursor,
    );
  }
  const prompts = lister("prompts/list", { prompts: TOOLS }, 2);
  await assert.rejects(prompts({ cursor: nextCursor }), { code: -32602 });
  assert.equal((await list({ cursor: nextCursor })).tools[0], "c");
});
