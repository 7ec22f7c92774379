/**
 * A store as a program without types sees it, which may hand it anything.
 *
 * @module
 */

import type { BaseStore } from "@langchain/langgraph-checkpoint";

/** The methods of `BaseStore`, with arguments of any kind. */
export interface UntypedStore {
  /** As `BaseStore.batch`. */
  batch(operations: readonly unknown[]): Promise<readonly unknown[]>;
  /** As `BaseStore.get`. */
  get(namespace: readonly unknown[], key: unknown): Promise<unknown>;
  /** As `BaseStore.put`. */
  put(
    namespace: readonly unknown[],
    key: unknown,
    value: unknown,
  ): Promise<unknown>;
  /** As `BaseStore.delete`. */
  delete(namespace: readonly unknown[], key: unknown): Promise<unknown>;
  /** As `BaseStore.search`. */
  search(prefix: readonly unknown[], options?: object): Promise<unknown>;
  /** As `BaseStore.listNamespaces`. */
  listNamespaces(options?: object): Promise<unknown>;
}

/** The same store. */
export function untyped(store: BaseStore): UntypedStore {
  return store;
}
