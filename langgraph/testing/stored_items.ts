/**
 * What the cases put into a store, and how they look at what comes back.
 *
 * @module
 */

import assert from "node:assert/strict";
import type {
  BaseStore,
  Item,
  Operation,
  OperationResults,
  SearchItem,
} from "@langchain/langgraph-checkpoint";

/** Puts each value under its key, one after the other. */
export async function putEach(
  store: BaseStore,
  namespace: readonly string[],
  values: { readonly [key: string]: Item["value"] },
): Promise<void> {
  for (const [key, value] of Object.entries(values)) {
    await store.put([...namespace], key, value);
  }
}

/** Puts an item into each namespace, one after the other, all under one key. */
export async function fillNamespaces(
  store: BaseStore,
  ...namespaces: readonly (readonly string[])[]
): Promise<void> {
  for (const namespace of namespaces) {
    await store.put([...namespace], "k", { in: namespace.join("/") });
  }
}

/** A batch whose results are typed one by one. */
export function batchOf<Op extends Operation[]>(
  store: BaseStore,
  ...operations: Op
): Promise<OperationResults<Op>> {
  return store.batch(operations);
}

/** An item that must be there. */
export async function present(
  store: BaseStore,
  namespace: readonly string[],
  key: string,
): Promise<Item> {
  const item = await store.get([...namespace], key);
  assert.ok(item, `${JSON.stringify([namespace, key])} is not there`);
  return item;
}

/** The value of an item that must be there. */
export async function valueOf(
  store: BaseStore,
  namespace: readonly string[],
  key: string,
): Promise<Item["value"]> {
  return (await present(store, namespace, key)).value;
}

/** Keys in the order of the results. */
export function keysOf(items: readonly SearchItem[]): string[] {
  return items.map(({ key }) => key);
}

/** Keys without an order: for rules that say nothing of one. */
export function keySet(items: readonly SearchItem[]): string[] {
  return keysOf(items).sort();
}

/** Namespaces without an order. */
export function namespaceSet(namespaces: readonly string[][]): string[] {
  return namespaces.map((one) => JSON.stringify(one)).sort();
}

/** Fails unless these namespaces are listed, in any order. */
export function assertListed(
  namespaces: readonly string[][],
  ...expected: readonly string[][]
): void {
  assert.deepEqual(namespaceSet(namespaces), namespaceSet(expected));
}
