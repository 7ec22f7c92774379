/**
 * The values that a node had along first parents where merges take a value away and bring it back.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Store } from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { MemoryKv } from "../support/memory_kv.ts";

Deno.test("a value that a merge brings back is another version, though its writer is on the chain", async () => {
  const kv = new MemoryKv();
  const store = await openStoreOn(kv.open(), { create: true });
  let timeMs = 0;
  const write = async (view: Pick<Store, "write">, content: string) =>
    (await view.write([{ id: "b", content }], {
      message: content,
      timeMs: ++timeMs,
    })).commit!;
  await store.write([], { message: "root", timeMs, allowEmpty: true });
  await store.createBranch("side");
  const side = store.on("side");
  const x = await write(store, "x");
  const z = await write(side, "z");
  // Either side takes x over z, so that the two have two common ancestors that differ.
  await side.merge(x, { strategy: "theirs", timeMs: ++timeMs });
  await store.merge(z, { strategy: "ours", timeMs: ++timeMs });
  const y = await write(store, "y");
  const { status, commit } = await store.merge("side", {
    strategy: "theirs",
    timeMs: ++timeMs,
  });
  assert.equal(status, "merged");
  assert.equal((await store.blame("b"))?.commit.id, x);
  const versions = await Array.fromAsync(
    store.versions("b", { firstParent: true }),
  );
  assert.deepEqual(
    versions.map((one) => [one.node?.content, one.commit.id]),
    [["x", commit], ["y", y], ["x", x]],
  );
  const found = await store.bisect(
    async (memory) => (await memory.node("b"))?.content === "x",
    { scan: true },
  );
  assert.deepEqual(found.flips, [x, y, commit]);
  await store.close();
});
