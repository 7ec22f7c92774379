/**
 * Memory as of one commit.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { firstParentLog, fullLog } from "../history/log.ts";
import type { Commit } from "../object/commit.ts";
import type { Json } from "../object/json.ts";
import { decodeNode, type MemoryNode } from "../object/memory_node.ts";
import { quote } from "../object/quote.ts";
import type { Entry } from "../state/chunk.ts";
import { commitOf, type CommitRow } from "../storage/commit_row.ts";
import {
  checkAnyId,
  type CheckedLog,
  checkFlag,
  checkLog,
  checkOptions,
  checkRange,
} from "./check_options.ts";
import { chainChanges } from "./chain_changes.ts";
import { chainVersions, changesNode, nodeVersions } from "./node_versions.ts";
import { findEntry } from "./find_entry.ts";
import { chooseRuns, nodeEntryOf } from "./read_entries.ts";
import { readNodes } from "./read_nodes.ts";
import type { Session } from "./session.ts";
import type { SharedStore } from "./shared_store.ts";
import type {
  Blame,
  LogOptions,
  NodeEntry,
  NodesOptions,
  NodeVersion,
  Snapshot,
  VersionsOptions,
} from "./surface.ts";

/** Reads memory as of one commit, or as of none. It never changes, so nothing is read twice. */
export class CommitSnapshot implements Snapshot {
  /** The commit; null on a branch that has none yet. */
  readonly commit: Commit | null;
  readonly #session: Session;
  readonly #row: CommitRow | null;

  /** Reads as of a commit; null: a branch without one, whose memory is empty. */
  constructor(session: Session, row: CommitRow | null) {
    this.commit = row === null ? null : commitOf(row);
    this.#session = session;
    this.#row = row;
  }

  /** One node, or null if it is not in memory. */
  async node<T = Json>(id: string): Promise<MemoryNode<T> | null> {
    checkAnyId(id);
    return await this.#session.run(async (store) => {
      const entry = await this.#find(store, id);
      return entry === undefined ? null : await nodeOf<T>(store, entry);
    });
  }

  /** Nodes in id order, bytewise UTF-8. */
  async *nodes(options: NodesOptions = {}): AsyncGenerator<MemoryNode> {
    const range = checkRange(options);
    const row = this.#row;
    if (row === null) return;
    const nodes = this.#session.eachOf((store) => readNodes(store, row, range));
    for await (const bytes of nodes) yield decodeNode(bytes);
  }

  /** Which nodes there are and where they come from, in id order; no node is read. */
  async *entries(options: NodesOptions = {}): AsyncGenerator<NodeEntry> {
    const choice = checkRange(options);
    const { root } = this.#row ?? {};
    if (root === undefined) return;
    const entries = this.#session.eachOf(({ reader }) =>
      chooseRuns(reader, root, choice)
    );
    for await (const entry of entries) yield nodeEntryOf(entry);
  }

  /** The whole memory, in id order. */
  async memory(): Promise<Map<string, MemoryNode>> {
    return await this.#session.run(async (store) => {
      const memory = new Map<string, MemoryNode>();
      if (this.#row === null) return memory;
      for await (const wave of readNodes(store, this.#row)) {
        for (const bytes of wave) {
          const node = decodeNode(bytes);
          memory.set(node.id, node);
        }
      }
      return memory;
    });
  }

  /** The commit that wrote a node's value: a look-up, however long the history. */
  async blame<T = Json>(id: string): Promise<Blame<T>> {
    checkAnyId(id);
    return await this.#session.run(async (store) => {
      const entry = await this.#find(store, id);
      if (entry === undefined) {
        throw new MnemError(
          "not_found",
          `Cannot blame node ${quote(id)}: it is not in memory`,
        );
      }
      const [node, row] = await Promise.all([
        nodeOf<T>(store, entry),
        store.reader.commit(entry.changed.commit),
      ]);
      const commit = commitOf(row);
      return { commit, node, timeMs: node.eventTimeMs ?? commit.timeMs };
    });
  }

  /** The line of values that led to this one, newest first. */
  async *versions(
    id: string,
    options: VersionsOptions = {},
  ): AsyncGenerator<NodeVersion> {
    checkAnyId(id);
    const { firstParent } = checkOptions(options);
    const alongFirst = checkFlag("firstParent", firstParent) ?? false;
    const row = this.#row;
    if (row === null) return;
    yield* this.#session.each((store) =>
      alongFirst ? chainVersions(store, row, id) : nodeVersions(store, row, id)
    );
  }

  /** Children before parents, newest first among the free, ties by id descending. */
  async *log(options: LogOptions = {}): AsyncGenerator<Commit> {
    const { limit, firstParent, node } = checkLog(options);
    const row = this.#row;
    if (row === null || limit === 0) return;
    let told = 0;
    const rows = this.#session.each((store) =>
      commitRows(store, row, { limit, firstParent, node })
    );
    for await (const row of rows) {
      yield commitOf(row);
      if (++told >= limit) return;
    }
  }

  async #find(store: SharedStore, id: string): Promise<Entry | undefined> {
    if (this.#row === null) return undefined;
    return await findEntry(store, this.#row.root, id);
  }
}

async function nodeOf<T>(
  { reader }: SharedStore,
  entry: Entry,
): Promise<MemoryNode<T>> {
  const [bytes] = await reader.nodes([entry]);
  return asTyped<T>(decodeNode(bytes!));
}

/** The commits of a log; along first parents, those that change a node are found without a walk. */
function commitRows(
  store: SharedStore,
  row: CommitRow,
  { limit, firstParent, node }: CheckedLog,
): AsyncIterable<CommitRow> {
  if (node !== undefined && (firstParent || row.mergeDepth === null)) {
    return chainRows(store, row, node);
  }
  const most = node === undefined ? limit : Infinity;
  const rows = firstParent
    ? firstParentLog(store.reader, row, most)
    : fullLog(store.reader, row, most);
  return node === undefined ? rows : changingRows(store, rows, node);
}

async function* chainRows(
  store: SharedStore,
  row: CommitRow,
  id: string,
): AsyncGenerator<CommitRow> {
  for await (const change of chainChanges(store, row, id)) yield change.row;
}

async function* changingRows(
  store: SharedStore,
  rows: AsyncIterable<CommitRow>,
  id: string,
): AsyncGenerator<CommitRow> {
  for await (const row of rows) {
    if (await changesNode(store, row, id)) yield row;
  }
}

/** The caller says what the content is; nothing here can know better. */
function asTyped<T>(node: MemoryNode): MemoryNode<T> {
  return node as MemoryNode<T>;
}
