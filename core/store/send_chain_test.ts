import assert from "node:assert/strict";
import { MemoryKv } from "../../tests/support/memory_kv.ts";
import { NODE_CACHE_BYTES_MAX, SINGLE_WRITE_NODES_MAX } from "../limits.ts";
import { encodeNode } from "../object/memory_node.ts";
import { openStoreOn } from "./open_store.ts";
import { OpenedStore } from "./opened_store.ts";

Deno.test("a write keeps its nodes at hand, and a large one pushes none of others out", async () => {
  await using store = await openStoreOn(new MemoryKv().open(), {
    create: true,
  });
  const { reader } = OpenedStore.sessionOf(store).shared;
  const isKept = (id: string, content: string) => {
    const { id: object } = encodeNode(id, { content });
    return reader.keptNodes([{ id, object }])[0] !== undefined;
  };
  await store.write([{ id: "asked often", content: "a" }], { message: "a" });
  // Alone too long for one atomic write, but one node still.
  const long = "long ".repeat(30_000);
  await store.write([{ id: "long", content: long }], { message: "long" });
  assert.ok(isKept("asked often", "a") && isKept("long", long));
  const count = SINGLE_WRITE_NODES_MAX * 3;
  const large = "x".repeat(NODE_CACHE_BYTES_MAX / count);
  const edits = Array.from({ length: count }, (_, i) => ({
    id: `n${i}`,
    content: large + i,
  }));
  await store.write(edits, { message: "large" });
  assert.ok(isKept("asked often", "a") && isKept("long", long));
  assert.ok(!isKept("n0", `${large}0`));
});
