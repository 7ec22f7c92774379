/**
 * Stores to measure, in folders that go with them.
 *
 * @module
 */

import type { Store } from "@mnem/core";
import type { Driver } from "../../core/storage/driver.ts";
import { createFolder } from "../../core/storage/local_folder.ts";
import { parseLocation } from "../../core/storage/location.ts";
import { openDriver } from "../../core/storage/open_driver.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { CountingDriver } from "../support/counting_driver.ts";

/** Puts something between a store and its counted storage. */
export type Wrap = (driver: Driver) => Driver;

/** How to make a store to measure. */
export interface BenchStoreOptions {
  /** Put between the store and its storage. */
  readonly wrap?: Wrap | undefined;
}

/** A handle whose storage calls are counted. */
export interface BenchHandle extends AsyncDisposable {
  /** The store. */
  readonly store: Store;
  /** Its storage, on which floors are measured too. */
  readonly driver: CountingDriver;
}

/** A store whose storage calls are counted. */
export interface BenchStore extends BenchHandle {
  /** Where it lies. */
  readonly folder: string;
  /** The ids of its nodes, in order. */
  readonly ids: readonly string[];
  /** Another handle on it, with empty caches and storage calls of its own, and a wrap outside the store's. */
  reopen(wrap?: Wrap): Promise<BenchHandle>;
  /** Its storage alone, opened anew: the floor of what a handle with empty caches does. */
  reopenBare(): Promise<Driver>;
}

/** Nodes written in one commit while a store is filled. */
const BATCH_NODES = 50_000;
const HOT_NODES = 100;

/** Makes a store of so many nodes. */
export async function benchStore(
  nodes: number,
  options: BenchStoreOptions = {},
): Promise<BenchStore> {
  const folder = await Deno.makeTempDir({ prefix: "mnem-bench-" });
  const location = parseLocation(folder);
  if (location.kind === "local") await createFolder(location);
  const opened = await openCounted(folder, options);
  const ids = nodeIds(nodes);
  for (let at = 0; at < nodes; at += BATCH_NODES) {
    const batch = ids.slice(at, at + BATCH_NODES);
    const edits = batch.map((id, i) => ({ id, content: `value ${i}` }));
    await opened.store.write(edits, { message: "fill the store" });
  }
  return {
    ...opened,
    folder,
    ids,
    reopen: (wrap) => openCounted(folder, options, wrap),
    reopenBare: () => openDriver(location),
    async [Symbol.asyncDispose]() {
      await opened.store.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** The ids of so many nodes, in order. */
export function nodeIds(nodes: number): string[] {
  return Array.from(
    { length: nodes },
    (_, i) => `customer-${String(i).padStart(8, "0")}-plan`,
  );
}

/** A hundred ids from all over the memory, or as many as there are. */
export function hotIds(ids: readonly string[]): string[] {
  const step = Math.max(1, Math.floor(ids.length / HOT_NODES));
  return ids.filter((_, i) => i % step === 0).slice(0, HOT_NODES);
}

async function openCounted(
  folder: string,
  { wrap }: BenchStoreOptions,
  outer?: Wrap,
): Promise<BenchHandle> {
  const driver = new CountingDriver(await openDriver(parseLocation(folder)));
  const inner = wrap?.(driver) ?? driver;
  const store = await openStoreOn(outer?.(inner) ?? inner, { create: true });
  return { store, driver, [Symbol.asyncDispose]: () => store.close() };
}
