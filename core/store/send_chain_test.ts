import assert from "node:assert/strict";
import { MemoryKv } from "../../tests/support/memory_kv.ts";
import { NODE_CACHE_BYTES_MAX } from "../limits.ts";
import { encodeNode } from "../object/memory_node.ts";
import { openStoreOn } from "./open_store.ts";
import { OpenedStore } from "./opened_store.ts";

Deno.test("a write keeps its nodes at hand, and much at once pushes none of others out", async () => {
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
  const some = Array.from({ length: 1_000 }, (_, i) => ({
    id: `s${i}`,
    content: `some ${i}`,
  }));
  await store.write(some, { message: "some" });
  assert.ok(isKept("s0", "some 0"));
  // Few and long, or many and short: more than the cache holds.
  for (const count of [NODE_CACHE_BYTES_MAX / 100_000, 30_000]) {
    const large = "x".repeat(count < 1_000 ? 100_000 : 100);
    const edits = Array.from({ length: count + 1 }, (_, i) => ({
      id: `n${i}`,
      content: large + i,
    }));
    await store.write(edits, { message: "large" });
    assert.ok(isKept("asked often", "a") && isKept("long", long));
    assert.ok(!isKept("n0", `${large}0`));
  }
});
