/**
 * What a merge costs: rounds, rows and bytes, on a handle with empty caches.
 *
 * @module
 */

import assert from "node:assert/strict";
import { countedStore, countsOf } from "../support/counted_store.ts";
import { MemoryKv } from "../support/memory_kv.ts";

const NODES = 10_000;
const idOf = (i: number) => `customer-${String(i).padStart(8, "0")}-plan`;

Deno.test("a merge among 10,000 nodes: the price follows what changed", async () => {
  const kv = new MemoryKv();
  const { store } = await countedStore(kv.open(), { create: true });
  const all = Array.from(
    { length: NODES },
    (_, i) => ({ id: idOf(i), content: i }),
  );
  await store.write(all, { message: "fill" });
  const costs = [];
  for (const count of [10, 100]) {
    await store.createBranch(`side ${count}`.replace(" ", "-"));
    const step = NODES / count;
    const edits = (offset: number) =>
      Array.from({ length: count }, (_, i) => ({
        id: idOf(i * step + offset),
        content: `revised ${count}`,
      }));
    await store.on(`side-${count}`).write(edits(7), { message: "theirs" });
    await store.write(edits(3), { message: "ours" });
    const cold = await countedStore(kv.open());
    const cost = await countsOf(cold.driver, async () => {
      const { status, changes } = await cold.store.merge(`side-${count}`);
      assert.deepEqual([status, changes.size], ["merged", count]);
    });
    costs.push({ ...cost });
  }
  const [few, many] = costs;
  assert.ok(few !== undefined && many !== undefined);
  assert.ok(few.rounds <= 9, `10 + 10: ${few.rounds} rounds`);
  assert.ok(many.rounds <= 11, `100 + 100: ${many.rounds} rounds`);
  for (const name of ["rowsRead", "bytesSet"] as const) {
    const ratio = many[name] / few[name];
    assert.ok(ratio <= 12, `${name}: ${few[name]}, ${many[name]}`);
  }
  // The ref, the commit row, and what else holds the new chunks; no node is written again.
  assert.ok(few.rowsSet <= 4, `${few.rowsSet} rows`);
});
