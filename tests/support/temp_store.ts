/**
 * A new store in a temporary folder, closed and gone at the end of the scope.
 *
 * @module
 */

import { type OpenOptions, openStore, type Store } from "@mnem/core";

/** A store for one test; `await using` closes it and removes its folder. */
export interface TempStore extends AsyncDisposable {
  /** The store. */
  readonly store: Store;
  /** The folder that it lies in. */
  readonly path: string;
}

/** Makes an empty store in a new temporary folder. */
export async function tempStore(
  options: OpenOptions = {},
): Promise<TempStore> {
  const path = await Deno.makeTempDir({ prefix: "mnem_test_" });
  const store = await openStore(path, { ...options, create: true });
  return {
    store,
    path,
    async [Symbol.asyncDispose]() {
      await store.close();
      await Deno.remove(path, { recursive: true });
    },
  };
}
