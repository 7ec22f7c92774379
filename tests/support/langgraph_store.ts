/**
 * A new store for LangGraph in a temporary folder, closed and gone at the end of the scope.
 *
 * @module
 */

import type { Operation } from "@langchain/langgraph-checkpoint";
import type { OpenOptions, Store } from "@mnem/core";
import { MnemosyneStore } from "@mnem/langgraph";
import { tempStore } from "./temp_store.ts";

/** A store for one test, and the core store below it. */
export interface LangGraphStore extends AsyncDisposable {
  /** The store. */
  readonly memory: MnemosyneStore;
  /** What it stands on. */
  readonly store: Store;
  /** The folder that it lies in. */
  readonly path: string;
}

/** Makes an empty store in a new temporary folder. */
export async function langGraphStore(
  options: OpenOptions = {},
): Promise<LangGraphStore> {
  const temp = await tempStore(options);
  return {
    memory: new MnemosyneStore(temp.store),
    store: temp.store,
    path: temp.path,
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

/** The number of commits on the current branch. */
export async function commitCount(store: Store): Promise<number> {
  let count = 0;
  for await (const _ of store.log()) count++;
  return count;
}

/** The keys of some items, in their order. */
export function keysOf(items: readonly { readonly key: string }[]): string[] {
  return items.map(({ key }) => key);
}

/** Operations as a program without types would give them. */
export function anyOperations(...operations: readonly unknown[]): Operation[] {
  return operations as Operation[];
}
