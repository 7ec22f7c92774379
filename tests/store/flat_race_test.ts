/**
 * The bytes of a flat state are patched for the next one: whoever holds those of the one before must not
 * see it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { openStoreOn } from "../../core/store/open_store.ts";
import { checkVerified } from "../support/check_verified.ts";
import { hookedDriver, landsOn } from "../support/hooked_driver.ts";
import { MemoryKv } from "../support/memory_kv.ts";

/** More than one atomic write takes, and few enough for a flat state. */
const NODES = 800;

Deno.test("a large write that loses a race keeps its flat state, whatever is made of the same state elsewhere", async () => {
  const kv = new MemoryKv();
  let beforeLanding: (() => Promise<void>) | undefined;
  const driver = hookedDriver(kv.open(), {
    commit(write) {
      const meanwhile = landsOn("main", write) ? beforeLanding : undefined;
      if (meanwhile !== undefined) beforeLanding = undefined;
      return meanwhile?.();
    },
  });
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
