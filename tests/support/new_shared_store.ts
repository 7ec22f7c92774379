/**
 * What lies below the handles of a store.
 *
 * @module
 */

import { readMetaRow } from "../../core/storage/meta_row.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { SharedStore } from "../../core/store/shared_store.ts";
import type { MemoryKv } from "./memory_kv.ts";

/** Makes a store in an empty database, and opens it with empty caches. */
export async function newSharedStore(kv: MemoryKv): Promise<SharedStore> {
  await (await openStoreOn(kv.open(), { create: true })).close();
  const row = kv.row(["meta"])!;
  return new SharedStore(kv.open(), readMetaRow(row.value), row.versionstamp);
}
