/**
 * The commits, nodes and loose objects of a whole store, in the order in which they lie there.
 *
 * @module
 */

import { shortOf } from "../object/graph_commit.ts";
import { blake3Into } from "../object/hash.ts";
import { readKind } from "../object/object_fields.ts";
import {
  type CommitRow,
  decodeCommitRow,
  decodeMetaBlock,
} from "../storage/commit_row.ts";
import type { RowRange } from "../storage/driver.ts";
import {
  COMMITS_RANGE,
  lastPartHex,
  LONG_NODES_RANGE,
  LOOSE_RANGE,
  NODES_RANGE,
} from "../storage/keys.ts";
import { corruptRow, sameBytes, unframeRow } from "../storage/row.ts";
import { RowBatches } from "../storage/row_batches.ts";
import type { SharedStore } from "../store/shared_store.ts";
import { tagOf } from "./export_tags.ts";
import type { Sorter } from "./sorter.ts";

/** What is exported. */
export interface StoredRows extends Pick<SharedStore, "driver" | "reader"> {
  /** Throws when it is time to end. */
  check(): void;
}

/** A commit, and the chunks in its row if those were read with it. */
export interface StoredCommit {
  /** The commit. */
  readonly row: CommitRow;
  /** The chunks. */
  readonly records?: readonly Uint8Array[];
}

/** Yields every commit, reachable or not, and, if others are being written, none without its parents. */
export async function* storedCommits(
  { driver, reader, check }: StoredRows,
): AsyncGenerator<StoredCommit> {
  const seen = new Set<string>();
  const missing = new Set<string>();
  const see = ({ commit }: CommitRow) => {
    seen.add(shortOf(commit.id));
    missing.delete(shortOf(commit.id));
    for (const parent of commit.parents.map(shortOf)) {
      if (!seen.has(parent)) missing.add(parent);
    }
  };
  for await (const stored of driver.list(COMMITS_RANGE)) {
    check();
    const { meta, records } = decodeCommitRow(
      await reader.payload(stored, true),
    );
    const row = decodeMetaBlock(meta, lastPartHex(stored.key));
    see(row);
    yield { row, records };
  }
  // What came while the list was read: a child may be in it, and its parent not.
  for (const short of missing) {
    const row = await reader.commit(short);
    see(row);
    yield { row };
  }
}

/** Gathers all nodes that are stored. */
export async function gatherNodes(
  store: StoredRows,
  objects: Sorter,
): Promise<void> {
  const tag = tagOf("memory_node");
  for (const range of [NODES_RANGE, LONG_NODES_RANGE]) {
    await gather(store, range, objects, () => tag);
  }
}

/** Gathers all objects that were imported though no commit names them. */
export async function gatherLoose(
  store: StoredRows,
  objects: Sorter,
): Promise<void> {
  await gather(
    store,
    LOOSE_RANGE,
    objects,
    (bytes) => tagOf(readKind(bytes), true),
  );
}

async function gather(
  { driver, reader, check }: StoredRows,
  range: RowRange,
  objects: Sorter,
  tagFor: (bytes: Uint8Array) => number,
): Promise<void> {
  const list = RowBatches.of(driver.list(range));
  const id = new Uint8Array(32);
  for (let rows = await list.batch(); rows.length > 0;) {
    check();
    for (const row of rows) {
      const inside = unframeRow(row.key, row.value, false);
      const bytes = "payload" in inside
        ? inside.payload
        : await reader.payload(row, false);
      blake3Into(bytes, id);
      // What is not what its key names would go out as another object.
      const short = row.key.at(-1);
      const isIt = short instanceof Uint8Array &&
        sameBytes(short, id.subarray(0, 16));
      if (!isIt) throw corruptRow(row.key, "holds another object");
      objects.add(id, tagFor(bytes), bytes);
    }
    rows = await list.batch();
  }
}
