/**
 * Answers the reads of a batch, all from one snapshot.
 *
 * @module
 */

import type { MemoryNode, NodeEntry, Snapshot } from "@mnem/core";
import type { Item, SearchItem } from "@langchain/langgraph-checkpoint";
import { fromId, idPrefix, valueOf } from "@mnem/agents/items";
import {
  compareNamespaces,
  fixedLabels,
  type Namespace,
  startsWith,
} from "./namespace.ts";
import type {
  GetItem,
  ListNamespaces,
  Page,
  SearchItems,
} from "./parse_operation.ts";

/** What a Date can hold, in Unix milliseconds. */
const DATE_MS_MAX = 8.64e15;

/** A memory, as far as it is read here. */
type Memory = Pick<Snapshot, "entries" | "nodes">;

/** Returns the items of some gets, each an object of its own; null for one that is not in memory. */
export async function getItems(
  memory: Memory,
  gets: readonly GetItem[],
): Promise<(Item | null)[]> {
  const ids = gets.map(({ id }) => id);
  if (ids.length === 0) return [];
  const entries: NodeEntry[] = [];
  for await (const entry of memory.entries({ ids })) entries.push(entry);
  const items = await itemsOf(memory, entries);
  const found = new Map(entries.map(({ id }, place) => [id, items[place]!]));
  const given = new Set<string>();
  return ids.map((id) => {
    const item = found.get(id) ?? null;
    if (given.has(id)) return structuredClone(item);
    given.add(id);
    return item;
  });
}

/**
 * Returns the items of a namespace and those below it that match, in the order of their creation: by
 * the generation of the commit that made them, then by node id.
 */
export async function searchItems(
  memory: Memory,
  search: SearchItems,
): Promise<SearchItem[]> {
  if (search.limit === 0) return [];
  const entries = await entriesIn(memory, search.namespace);
  entries.sort((a, b) => a.born.generation - b.born.generation);
  if (search.matches === undefined) {
    return await itemsOf(memory, pageOf(entries, search));
  }
  const found = await matchingNodes(memory, search);
  const hits = entries.filter(({ id }) => found.has(id));
  return pageOf(hits, search).map((entry) =>
    itemOf(entry, found.get(entry.id)!)
  );
}

/** Returns the namespaces that hold an item, label by label in bytewise UTF-8 order. */
export async function listNamespaces(
  memory: Memory,
  list: ListNamespaces,
): Promise<string[][]> {
  const range = longest(list.prefixes.map(fixedLabels));
  const found = new Map<string, string[]>();
  for await (const { id } of memory.entries({ prefix: idPrefix(range) })) {
    const { namespace } = fromId(id);
    if (namespace.length === 0 || !list.matches(namespace)) continue;
    const labels = namespace.slice(0, list.depth);
    found.set(idPrefix(labels), labels);
  }
  return pageOf([...found.values()].sort(compareNamespaces), list);
}

/** The entries of a namespace and those below it, in id order. */
async function entriesIn(
  memory: Memory,
  namespace: Namespace,
): Promise<NodeEntry[]> {
  const entries: NodeEntry[] = [];
  for await (const entry of memory.entries({ prefix: idPrefix(namespace) })) {
    if (startsWith(fromId(entry.id).namespace, namespace)) entries.push(entry);
  }
  return entries;
}

async function matchingNodes(
  memory: Memory,
  { namespace, matches }: SearchItems,
): Promise<Map<string, MemoryNode>> {
  const found = new Map<string, MemoryNode>();
  for await (const node of memory.nodes({ prefix: idPrefix(namespace) })) {
    if (matches?.(node, valueOf(node.content))) found.set(node.id, node);
  }
  return found;
}

/** Reads the nodes of some entries of the memory, and gives items in the order of the entries. */
async function itemsOf(
  memory: Memory,
  entries: readonly NodeEntry[],
): Promise<Item[]> {
  const ids = entries.map(({ id }) => id);
  const nodes = new Map<string, MemoryNode>();
  for await (const node of memory.nodes({ ids })) nodes.set(node.id, node);
  return entries.map((entry) => itemOf(entry, nodes.get(entry.id)!));
}

function itemOf({ id, born, changed }: NodeEntry, node: MemoryNode): Item {
  const { namespace, key } = fromId(id);
  return {
    value: valueOf(node.content),
    key,
    namespace,
    createdAt: dateOf(born.timeMs),
    // A clock may have been set back between the two.
    updatedAt: dateOf(Math.max(born.timeMs, changed.timeMs)),
  };
}

function dateOf(timeMs: number): Date {
  return new Date(Math.min(DATE_MS_MAX, Math.max(-DATE_MS_MAX, timeMs)));
}

function pageOf<T>(list: readonly T[], { limit, offset }: Page): T[] {
  return list.slice(offset, offset + limit);
}

function longest(prefixes: readonly Namespace[]): Namespace {
  return prefixes.reduce(
    (best, prefix) => prefix.length > best.length ? prefix : best,
    [],
  );
}
