/**
 * Reading memory: one node, or all of it in pages.
 *
 * @module
 */

import type { Branch, Json, MemoryNode, ObjectId, Revision } from "@mnem/core";
import { checkedLimit, formatCursor, parseCursor, takePage } from "./page.ts";
import { matcherOf } from "./query.ts";

/** As of when to read. */
export interface RecallOptions {
  /** HEAD if left out. */
  readonly at?: Revision | undefined;
}

/** Which nodes to read. */
export interface RecallAllOptions extends RecallOptions {
  /** Only ids that begin with it. */
  readonly prefix?: string | undefined;
  /** Only nodes that hold this text, whatever its case, in their id, their strings or their key names. */
  readonly query?: string | undefined;
  /** Nodes in a page, 50 if left out; a page of large nodes holds fewer. */
  readonly limit?: number | undefined;
  /** What the page before gave. It fixes the commit that is read, whatever `at` says; give `prefix` and `query` again. */
  readonly cursor?: string | undefined;
}

/** One page of memory. */
export interface RecalledPage {
  /** The commit that was read; null on a branch without a commit. */
  readonly asOf: ObjectId | null;
  /** In id order, bytewise UTF-8. */
  readonly nodes: MemoryNode[];
  /** Where the next page begins; left out on the last one. */
  readonly cursor?: string;
}

const NODES_LIMIT = 50;

/**
 * Returns one node, or null if it is not in memory.
 *
 * @throws {MnemError} `invalid_ref` if `at` names no commit.
 */
export async function recall<T = Json>(
  store: Branch,
  id: string,
  options: RecallOptions = {},
): Promise<MemoryNode<T> | null> {
  if (options.at === undefined) return await store.node<T>(id);
  const memory = await store.at(options.at);
  return await memory.node<T>(id);
}

/**
 * Returns memory page by page, each at most 60 kB as compact JSON unless one node alone is larger.
 * All pages that follow from one first page are of the same commit, whatever is written meanwhile.
 *
 * @throws {RangeError} If `limit` is not a positive integer or `cursor` is none of ours.
 * @throws {TypeError} If `prefix` or `query` is not a string.
 * @throws {MnemError} `invalid_ref` if `at` names no commit.
 *
 * @example
 * ```ts
 * import { openStore } from "@mnem/core";
 * import { recallAll, rememberMany } from "@mnem/agents";
 *
 * await using store = await openStore(Deno.makeTempDirSync(), { create: true });
 * await rememberMany(store, [
 *   { id: "customer/plan", content: "enterprise" },
 *   { id: "customer/seats", content: 240 },
 * ]);
 * const page = await recallAll(store, { prefix: "customer/", query: "ENTER" });
 * if (page.nodes.length !== 1) throw new Error("one node holds the text");
 * ```
 */
export async function recallAll(
  store: Branch,
  options: RecallAllOptions = {},
): Promise<RecalledPage> {
  const { prefix, query, cursor } = options;
  const limit = checkedLimit(options.limit, NODES_LIMIT);
  for (const [name, text] of Object.entries({ prefix, query })) {
    if (text !== undefined && typeof text !== "string") {
      throw new TypeError(`Cannot recall: ${name} must be a string`);
    }
  }
  const place = cursor === undefined ? null : parseCursor("nodes", cursor);
  const memory = await store.at(place?.commit ?? options.at);
  if (memory.commit === null) return { asOf: null, nodes: [] };
  const asOf = memory.commit.id;
  const nodes = query
    ? filter(memory.nodes({ prefix, after: place?.after }), matcherOf(query))
    : memory.nodes({ prefix, after: place?.after, limit: limit + 1 });
  const { items, more } = await takePage(nodes, limit);
  const last = items.at(-1);
  if (!more || last === undefined) return { asOf, nodes: items };
  const next = formatCursor({ list: "nodes", commit: asOf, after: last.id });
  return { asOf, nodes: items, cursor: next };
}

async function* filter(
  nodes: AsyncIterable<MemoryNode>,
  matches: (node: MemoryNode) => boolean,
): AsyncIterable<MemoryNode> {
  for await (const node of nodes) {
    if (matches(node)) yield node;
  }
}
