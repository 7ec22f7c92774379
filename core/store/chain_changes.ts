/**
 * The commits of a first-parent chain that changed a node, found without walking the chain: from
 * each value to the commit that brought it, and from there to the value before.
 *
 * @module
 */

import { ancestorAt } from "../history/skip_list.ts";
import { shortOf } from "../object/graph_commit.ts";
import type { Entry } from "../state/chunk.ts";
import { readEntry } from "../state/read_entry.ts";
import type { CommitRow } from "../storage/commit_row.ts";
import { removalsOf } from "./removals.ts";
import type { SharedStore } from "./shared_store.ts";

/** What a commit made of a node. */
export interface ChainChange {
  /** The commit. */
  readonly row: CommitRow;
  /** The object that the node has since then; null: it is not in memory. */
  readonly object: Uint8Array | null;
}

/** Yields the commits whose entry for a node differs from their first parent's, newest first. */
export async function* chainChanges(
  store: SharedStore,
  head: CommitRow,
  id: string,
): AsyncGenerator<ChainChange> {
  const chain = new NodeChain(store, id);
  let there: There | null = { end: head, value: await chain.entryAt(head) };
  while (there !== null) {
    const { end, value }: There = there;
    const row = value === undefined
      ? await chain.removal(end)
      : await chain.arrival(end, value);
    if (row === null) return;
    yield { row, object: value?.object ?? null };
    there = await chain.before(row);
  }
}

/** A value, and who wrote it. */
type Value = Pick<Entry, "object" | "changed">;

/** What a chain holds from some commit on, up to its end or to a commit that changed it. */
interface There {
  readonly end: CommitRow;
  readonly value: Value | undefined;
}

/** One node along one chain. */
class NodeChain {
  readonly #store: SharedStore;
  readonly #id: string;
  #removals: Promise<CommitRow[]> | undefined;

  constructor(store: SharedStore, id: string) {
    this.#store = store;
    this.#id = id;
  }

  entryAt(row: CommitRow): Promise<Entry | undefined> {
    return readEntry(this.#store.reader, row.root, this.#id);
  }

  /** What there was before a commit that changed the node: as it lists it, else by looking. */
  async before(row: CommitRow): Promise<There | null> {
    // Nothing but its own change lies between a commit with one parent and that.
    const listed = row.commit.parents.length === 1
      ? row.changes?.find((change) => change.id === this.#id)
      : undefined;
    if (listed !== undefined) {
      const { old, oldOrigin } = listed;
      const isThere = old !== null && oldOrigin !== null;
      const value = isThere ? { object: old, changed: oldOrigin } : undefined;
      return { end: row, value };
    }
    const end = await this.firstParent(row);
    return end && { end, value: await this.entryAt(end) };
  }

  async firstParent(row: CommitRow): Promise<CommitRow | null> {
    const parent = row.commit.parents[0];
    return parent === undefined
      ? null
      : await this.#store.reader.commit(shortOf(parent));
  }

  /** The commit of the chain that brought the value which it holds at its end. */
  async arrival(end: CommitRow, { changed }: Value): Promise<CommitRow> {
    const writer = await this.#store.reader.commit(changed.commit);
    // Without a merge the chain is all there is.
    if (end.mergeDepth === null) return writer;
    // Written on the chain, it may have left it since, and a merge have brought it back.
    const floor = await this.#isOnChain(end, writer) ? writer.depth : -1;
    let brought = end;
    for (let at: CommitRow | null = end; at !== null;) {
      const depth: number = at.mergeDepth ?? 0;
      if (depth <= floor) return writer;
      brought = await ancestorAt(this.#store.reader, at, depth);
      at = await this.firstParent(brought);
      if (at === null || await this.#changes(brought, at)) break;
    }
    return brought;
  }

  /** Whether a commit gave the node another origin than its first parent: as it lists it, else by looking. */
  async #changes(row: CommitRow, parent: CommitRow): Promise<boolean> {
    if (row.changes !== null) {
      return row.changes.some((change) => change.id === this.#id);
    }
    const [own, before] = [await this.entryAt(row), await this.entryAt(parent)];
    return own?.changed.commit !== before?.changed.commit;
  }

  /** The commit of the chain that took the node away which it lacks at its end; null: it never held it. */
  async removal(end: CommitRow): Promise<CommitRow | null> {
    this.#removals ??= removalsOf(this.#store, this.#id);
    const latestFirst = [...await this.#removals].sort((a, b) =>
      b.depth - a.depth
    );
    for (const row of latestFirst) {
      if (await this.#isOnChain(end, row)) return row;
    }
    return null;
  }

  async #isOnChain(end: CommitRow, row: CommitRow): Promise<boolean> {
    if (row.depth > end.depth) return false;
    const there = await ancestorAt(this.#store.reader, end, row.depth);
    return there.commit.id === row.commit.id;
  }
}
