/**
 * A merge racing a writer many times, on a store in a file.
 *
 * @module
 */

import assert from "node:assert/strict";
import { openStore } from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { raceMerges } from "../support/merge_race.ts";
import { tempFolder } from "../support/temp_folder.ts";

/** How long it takes on two busy cores. */
export const SECONDS = 12;

Deno.test("a merge racing a writer, 500 times, on two drivers", async () => {
  const kv = new MemoryKv();
  const one = await openStoreOn(kv.open(), { create: true });
  const two = await openStoreOn(kv.open(), {});
  const { merged, conflicts } = await raceMerges(one, two, 500);
  assert.equal(merged + conflicts, 500);
});

Deno.test("a merge racing a writer, 500 times, in a file", async () => {
  await using folder = await tempFolder();
  await using one = await openStore(folder.path, { create: true });
  await using two = await openStore(folder.path);
  const { merged, conflicts } = await raceMerges(one, two, 500);
  assert.equal(merged + conflicts, 500);
});
