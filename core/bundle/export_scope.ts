/**
 * What an export covers.
 *
 * @module
 */

import { fullLog } from "../history/log.ts";
import { checkBranchName } from "../object/branch_name.ts";
import type { ObjectId } from "../object/commit.ts";
import { shortOf } from "../object/graph_commit.ts";
import type { CommitRow } from "../storage/commit_row.ts";
import { HEAD_KEY } from "../storage/keys.ts";
import { type HeadValue, readHeadRow } from "../storage/meta_row.ts";
import { corruptRow } from "../storage/row.ts";
import { listBranches } from "../store/refs.ts";
import type { SharedStore } from "../store/shared_store.ts";
import type { Revision, Store } from "../store/surface.ts";
import type { BundleHead } from "./bundle_reader.ts";
import {
  type StoredCommit,
  storedCommits,
  type StoredRows,
} from "./stored_objects.ts";

/** What of a store is exported. */
export interface ExportScope extends BundleHead {
  /** The commit whose ancestors are meant; undefined: every commit; null: none. */
  readonly tip: CommitRow | null | undefined;
}

/**
 * Checks which part of a store is asked for, and returns how it is found. Throws a TypeError for two
 * parts, `invalid_ref` for what can be no name of a branch.
 */
export function checkScope(
  store: Store,
  { branch, at }: {
    readonly branch?: string | undefined;
    readonly at?: Revision | undefined;
  },
): (shared: SharedStore) => Promise<ExportScope> {
  if (branch !== undefined) checkBranchName(branch);
  if (branch !== undefined && at !== undefined) {
    throw new TypeError('"branch" and "at" cannot be used together');
  }
  return async (shared) => {
    if (branch !== undefined) return await oneBranch(shared, branch);
    if (at === undefined) return await wholeStore(shared);
    return await oneCommit(shared, await store.resolve(at));
  };
}

/** The commits of a part of a store, in any order. */
export async function* commitsIn(
  rows: StoredRows,
  { tip }: ExportScope,
): AsyncGenerator<StoredCommit> {
  if (tip === undefined) yield* storedCommits(rows);
  else if (tip !== null) {
    for await (const row of fullLog(rows.reader, tip, Infinity)) yield { row };
  }
}

/** Everything in a store. */
async function wholeStore(store: SharedStore): Promise<ExportScope> {
  const refs = await listBranches(store);
  const [row] = await store.driver.getMany([HEAD_KEY]);
  if (!row) throw corruptRow(HEAD_KEY, "is missing");
  const { defaultBranch } = store.meta;
  return { head: readHeadRow(row.value), refs, defaultBranch, tip: undefined };
}

/** One branch, and what led to it. */
async function oneBranch(
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
async function oneCommit(
  store: SharedStore,
  id: ObjectId,
): Promise<ExportScope> {
  const head: HeadValue = { commit: id };
  const { defaultBranch } = store.meta;
  const tip = await store.reader.commit(shortOf(id));
  return { head, refs: new Map(), defaultBranch, tip };
}
