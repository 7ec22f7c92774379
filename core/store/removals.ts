/**
 * The commits that removed a node, as the marks of removals name them (FORMAT.md, "Rows").
 *
 * @module
 */

import { shortOf } from "../object/graph_commit.ts";
import { readEntry } from "../state/read_entry.ts";
import type { CommitRow } from "../storage/commit_row.ts";
import { lastPartHex, removalsRange } from "../storage/keys.ts";
import type { SharedStore } from "./shared_store.ts";

/** The commits that removed a node, wherever they are, in no order. */
export async function removalsOf(
  store: SharedStore,
  id: string,
): Promise<CommitRow[]> {
  const names: string[] = [];
  for await (const row of store.driver.list(removalsRange(id))) {
    names.push(lastPartHex(row.key));
  }
  const commits = await store.reader.commits(names);
  // The mark of a bulk commit names its pack, for it is written ahead, and is without a commit if
  // that never came.
  const packs = names.filter((_, i) => commits[i] === null);
  const owners = await store.reader.packOwners(packs);
  const bulk = await store.reader.commits(
    owners.flatMap((owner) => owner === null ? [] : [owner.commit]),
  );
  const held = await Promise.all(
    bulk.map((row) => row !== null && holdsBefore(store, row, id)),
  );
  return [...commits, ...bulk.filter((_, i) => held[i])]
    .filter((row) => row !== null);
}

/** Whether a commit's first parent holds a node: another may have removed it before a bulk commit did. */
async function holdsBefore(
  store: SharedStore,
  row: CommitRow,
  id: string,
): Promise<boolean> {
  const parent = row.commit.parents[0];
  if (parent === undefined) return false;
  const { root } = await store.reader.commit(shortOf(parent));
  return await readEntry(store.reader, root, id) !== undefined;
}
