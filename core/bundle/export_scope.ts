/**
 * What an export covers.
 *
 * @module
 */

import { fullLog } from "../history/log.ts";
import type { ObjectId } from "../object/commit.ts";
import { shortOf } from "../object/graph_commit.ts";
import type { CommitRow } from "../storage/commit_row.ts";
import { HEAD_KEY } from "../storage/keys.ts";
import { type HeadValue, readHeadRow } from "../storage/meta_row.ts";
import type { StoreReader } from "../storage/store_reader.ts";
import { corruptRow } from "../storage/row.ts";
import { listBranches } from "../store/refs.ts";
import type { SharedStore } from "../store/shared_store.ts";
import type { BundleHead } from "./bundle_reader.ts";

/** What of a store is exported. */
export interface ExportScope extends BundleHead {
  /** The commit whose ancestors are meant; undefined: every commit; null: none. */
  readonly tip: CommitRow | null | undefined;
}

/** Everything in a store. */
export async function wholeStore(store: SharedStore): Promise<ExportScope> {
  const refs = await listBranches(store);
  const [row] = await store.driver.getMany([HEAD_KEY]);
  if (!row) throw corruptRow(HEAD_KEY, "is missing");
  const { defaultBranch } = store.meta;
  return { head: readHeadRow(row.value), refs, defaultBranch, tip: undefined };
}

/** One branch, and what led to it. */
export async function oneBranch(
  store: SharedStore,
  name: string,
): Promise<ExportScope> {
  const { head } = await store.heads.read({ on: "branch", name });
  const refs = new Map(
    head.row === null ? [] : [[name, head.row.commit.id]],
  );
  return { head: { branch: name }, refs, defaultBranch: name, tip: head.row };
}

/** One commit, and what led to it. */
export async function oneCommit(
  store: SharedStore,
  id: ObjectId,
): Promise<ExportScope> {
  const head: HeadValue = { commit: id };
  const { defaultBranch } = store.meta;
  const tip = await store.reader.commit(shortOf(id));
  return { head, refs: new Map(), defaultBranch, tip };
}

/** The commits that led to one, itself included. */
export function ancestors(
  reader: StoreReader,
  tip: CommitRow | null,
): AsyncIterable<CommitRow> {
  return tip === null ? none() : fullLog(reader, tip, Infinity);
}

async function* none(): AsyncGenerator<never> {}
