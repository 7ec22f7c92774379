import assert from "node:assert/strict";
import { type MemoryNode, PAGE_BYTES_MAX } from "@mnem/core";
import { checkedLimit, formatCursor, parseCursor, takePage } from "./page.ts";

const COMMIT = "0123456789abcdef".repeat(4);

function nodeOf(id: string, bytes: number): MemoryNode {
  return {
    id,
    content: "x".repeat(bytes),
    contentKind: "note",
    provenance: {},
  };
}

async function* listed(nodes: Iterable<MemoryNode>): AsyncIterable<MemoryNode> {
  yield* nodes;
}

Deno.test("takePage() stops at the limit and says whether there is more", async () => {
  const nodes = ["a", "b", "c"].map((id) => nodeOf(id, 1));
  const two = await takePage(listed(nodes), 2);
  assert.deepEqual(two, { items: nodes.slice(0, 2), more: true });
  const three = await takePage(listed(nodes), 3);
  assert.deepEqual(three, { items: nodes, more: false });
  assert.deepEqual(await takePage(listed([]), 3), { items: [], more: false });
});

Deno.test("takePage() keeps a page within its bytes", async () => {
  const nodes = Array.from({ length: 100 }, (_, i) => nodeOf(`n${i}`, 5_000));
  const { items, more } = await takePage(listed(nodes), 100);
  assert.equal(more, true);
  const bytes = JSON.stringify(items).length;
  assert.ok(bytes < PAGE_BYTES_MAX, `${bytes} bytes`);
  assert.ok(bytes > PAGE_BYTES_MAX - 15_000, `only ${bytes} bytes`);
});

Deno.test("takePage() counts bytes of UTF-8, and bigints", async () => {
  const wide = Array.from({ length: 30 }, (_, i) => ({
    ...nodeOf(`n${i}`, 0),
    content: "😀".repeat(1_000),
  }));
  const { items } = await takePage(listed(wide), 30);
  assert.equal(items.length, 13); // 13 of about 4,130 bytes and the frame fit into 60,000
  const exact = { ...nodeOf("n", 0), content: 2n ** 63n };
  assert.deepEqual(await takePage(listed([exact]), 1), {
    items: [exact],
    more: false,
  });
});

Deno.test("takePage() gives an oversized item a page of its own", async () => {
  const large = nodeOf("b", PAGE_BYTES_MAX + 1);
  const first = await takePage(listed([nodeOf("a", 1), large]), 10);
  assert.deepEqual(first.items.map(({ id }) => id), ["a"]);
  assert.equal(first.more, true);
  const second = await takePage(listed([large, nodeOf("c", 1)]), 10);
  assert.deepEqual(second.items.map(({ id }) => id), ["b"]);
  assert.equal(second.more, true);
});

Deno.test("checkedLimit() takes positive integers only", () => {
  assert.equal(checkedLimit(undefined, 50), 50);
  assert.equal(checkedLimit(1, 50), 1);
  for (const limit of [0, -1, 1.5, NaN, Infinity]) {
    assert.throws(() => checkedLimit(limit, 50), RangeError, String(limit));
  }
});

Deno.test("parseCursor() reads what formatCursor() wrote, whatever the id", () => {
  for (const after of ["", "plan", "a:b/c", "é 😀\n%", "x".repeat(1_024)]) {
    const place = { list: "nodes", commit: COMMIT, after } as const;
    const cursor = formatCursor(place);
    assert.match(cursor, /^[!-~]*$/);
    assert.deepEqual(parseCursor("nodes", cursor), place);
  }
});

Deno.test("parseCursor() refuses every other text", () => {
  const cursors = [
    "",
    "nodes",
    `nodes:${COMMIT}`,
    `nodes:${COMMIT.slice(1)}:a`,
    `nodes:${COMMIT.toUpperCase()}:a`,
    `nodes:${COMMIT}:%`,
    `nodes:${COMMIT}:a b`,
    `nodes:${COMMIT}:a\n`,
    `commits:${COMMIT}:1`,
    ` nodes:${COMMIT}:a`,
  ];
  for (const cursor of cursors) {
    assert.throws(() => parseCursor("nodes", cursor), RangeError, cursor);
  }
  for (const after of ["0", "-1", "1.5", "", "01", "9999999999999", "1e3"]) {
    const cursor = `commits:${COMMIT}:${after}`;
    assert.throws(() => parseCursor("commits", cursor), RangeError, cursor);
  }
  assert.equal(parseCursor("commits", `commits:${COMMIT}:12`).after, "12");
});
