/**
 * Verifying a store: nothing is wrong with a store in order, and every kind of damage is named.
 *
 * @module
 */

import assert from "node:assert/strict";
import { openStoreOn } from "../../core/store/open_store.ts";
import { MemoryKv } from "../support/memory_kv.ts";

Deno.test("verify() finds nothing in a store in order, and counts its rows", async () => {
  const kv = new MemoryKv();
  await using store = await openStoreOn(kv.open(), { create: true });
  await store.write([{ id: "a", content: 1 }], { message: "one" });
  const { checked, faults } = await store.verify();
  assert.deepEqual(faults, []);
  assert.equal(checked, kv.rows().length);
});
