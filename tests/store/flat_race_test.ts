/**
 * The bytes of flat states are patched, not copied: whoever holds them must hold them alone.
 *
 * @module
 */

import assert from "node:assert/strict";
import { openStoreOn } from "../../core/store/open_store.ts";
import type { AtomicWrite, Driver } from "../../core/storage/driver.ts";
import { checkVerified } from "../support/check_verified.ts";
import { MemoryKv } from "../support/memory_kv.ts";

/** More than one atomic write takes, and few enough for a flat state. */
const NODES = 800;

Deno.test("a large write that loses a race keeps its flat state, whatever is made of the same state elsewhere", async () => {
  const kv = new MemoryKv();
  const inner = kv.open();
  let beforeLanding: (() => Promise<void>) | undefined;
  const driver: Driver = {
    name: inner.name,
    getMany: (keys) => inner.getMany(keys),
    list: (range, options) => inner.list(range, options),
    async commit(write) {
      const meanwhile = landsOnMain(write) ? beforeLanding : undefined;
      if (meanwhile !== undefined) beforeLanding = undefined;
      await meanwhile?.();
      return await inner.commit(write);
    },
    close: () => inner.close(),
  };
  const timeMs = 1_700_000_000_000;
  await using store = await openStoreOn(driver, { create: true });
  await store.write([{ id: "n0", content: "first" }], { message: "a", timeMs });
  await store.createBranch("twin");
  await using other = await openStoreOn(kv.open());
  const edits = Array.from({ length: NODES }, (_, i) => ({
    id: `n${i}`,
    content: i,
  }));
  // The same state, on a branch of its own.
  await store.on("twin").write(edits, { message: "twin", timeMs });
  let raced = 0;
  beforeLanding = async () => {
    raced++;
    await other.write([{ id: "theirs", content: 1 }], { message: "theirs" });
    const edit = { id: "n7", content: "on the twin" };
    await store.on("twin").write([edit], { message: "twin again" });
  };
  await store.write(edits, { message: "large", timeMs });
  assert.equal(raced, 1);
  assert.equal((await store.memory()).size, NODES + 1);
  await checkVerified(store);
});

function landsOnMain({ sets = [] }: AtomicWrite): boolean {
  return sets.some(({ key }) => key[0] === "r" && key[1] === "main");
}
