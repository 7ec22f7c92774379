/**
 * Stores to measure, in folders that go with them.
 *
 * @module
 */

import type { Store } from "@mnem/core";
import { createFolder } from "../../core/storage/local_folder.ts";
import { parseLocation } from "../../core/storage/location.ts";
import { openDriver } from "../../core/storage/open_driver.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { CountingDriver } from "../support/counting_driver.ts";

/** A store whose storage calls are counted. */
export interface BenchStore extends AsyncDisposable {
  /** The store. */
  readonly store: Store;
  /** Its storage, on which floors are measured too. */
  readonly driver: CountingDriver;
  /** Where it lies. */
  readonly folder: string;
  /** The ids of its nodes, in order. */
  readonly ids: readonly string[];
  /** Another handle on it, with empty caches and storage calls of its own. */
  reopen(): Promise<Omit<BenchStore, "ids" | "reopen">>;
}

/** Nodes written in one commit while a store is filled. */
const BATCH_NODES = 50_000;

/** Makes a store of so many nodes. */
export async function benchStore(nodes: number): Promise<BenchStore> {
  const folder = await Deno.makeTempDir({ prefix: "mnem-bench-" });
  const location = parseLocation(folder);
  if (location.kind === "local") await createFolder(location);
  const opened = await openCounted(folder);
  const ids = Array.from(
    { length: nodes },
    (_, i) => `customer-${String(i).padStart(8, "0")}-plan`,
  );
  for (let at = 0; at < nodes; at += BATCH_NODES) {
    const batch = ids.slice(at, at + BATCH_NODES);
    const edits = batch.map((id, i) => ({ id, content: `value ${i}` }));
    await opened.store.write(edits, { message: "fill the store" });
  }
  return {
    ...opened,
    folder,
    ids,
    reopen: () => openCounted(folder),
    async [Symbol.asyncDispose]() {
      await opened.store.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

async function openCounted(
  folder: string,
): Promise<Omit<BenchStore, "ids" | "reopen">> {
  const driver = new CountingDriver(await openDriver(parseLocation(folder)));
  const store = await openStoreOn(driver, { create: true });
  return {
    store,
    driver,
    folder,
    [Symbol.asyncDispose]: () => store.close(),
  };
}
