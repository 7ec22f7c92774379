/**
 * What became of a chain of commits when its answer does not tell (FORMAT.md, C3): the commits that
 * are stored, and the branch, say it.
 *
 * @module
 */

import { isMnemError } from "../errors.ts";
import { isAncestor } from "../history/ancestry.ts";
import { shortOf } from "../object/graph_commit.ts";
import { type CommitRow, encodeMetaBlock } from "../storage/commit_row.ts";
import type { AtomicWrite } from "../storage/driver.ts";
import type { Head } from "../storage/head.ts";
import { refKey } from "../storage/keys.ts";
import { encodeRefRow } from "../storage/ref_row.ts";
import { frameRow } from "../storage/row.ts";
import type { Attempt } from "./attempts.ts";
import { landingsOf, type Outcome } from "./outcome.ts";
import type { SharedStore } from "./shared_store.ts";

/**
 * The first commits of an attempt that are stored, in order. Not always all or none of them: another
 * process that is given the same writes makes the same commits, maybe fewer.
 */
export async function storedCommits(
  store: SharedStore,
  attempt: Attempt,
): Promise<readonly CommitRow[]> {
  const rows = await store.reader.commits(attempt.commits.map(shortOf));
  const end = rows.indexOf(null);
  return rows.slice(0, end < 0 ? rows.length : end).filter((row) =>
    row !== null
  );
}

/**
 * The outcomes of an attempt as far as its commits led to the head of its branch, by any parent: a
 * fast-forward through a merge may have passed them meanwhile. Null if none did.
 */
export async function landedOutcomes(
  store: SharedStore,
  head: Head,
  attempt: Attempt,
  stored: readonly CommitRow[],
): Promise<readonly Outcome[] | null> {
  const branch = attempt.head.branch!;
  const tip = branch === head.branch ? head.row : await tipOf(store, branch);
  if (tip === null) return null;
  for (let count = stored.length; count > 0; count--) {
    if (await isAncestor(store.reader, stored[count - 1]!, tip)) {
      return outcomesUpTo(attempt, count);
    }
  }
  return null;
}

/**
 * The write that puts a branch on commits of an attempt that another branch made too: only the ref is
 * missing. Null where the branch has moved, so that they would not fit.
 */
export function adoption(
  head: Head,
  attempt: Attempt,
  stored: readonly CommitRow[],
): AtomicWrite | null {
  const { branch, row } = attempt.head;
  const last = stored.at(-1);
  const fits = last !== undefined && head.branch === branch &&
    head.row?.commit.id === row?.commit.id;
  if (!fits || branch === null) return null;
  return refWrite(head, branch, last);
}

/** The write that puts a branch on a commit that is stored. */
export function refWrite(
  head: Head,
  branch: string,
  row: CommitRow,
): AtomicWrite {
  const payload = encodeRefRow(row.commit.id, encodeMetaBlock(row), null);
  const { key, value } = frameRow(refKey(branch), payload, true);
  return { checks: head.checks, sets: [{ key, value }] };
}

/** The outcomes of an attempt of which so many commits landed. */
export function outcomesUpTo(
  { outcomes, commits }: Attempt,
  count: number,
): readonly Outcome[] {
  if (count === commits.length) return outcomes;
  let left = count;
  const end = outcomes.findIndex((outcome) =>
    landingsOf([outcome]).length > 0 && --left === 0
  );
  return outcomes.slice(0, end + 1);
}

/** Where a branch stands that HEAD is not on any more; null if it was deleted since. */
async function tipOf(
  store: SharedStore,
  name: string,
): Promise<CommitRow | null> {
  try {
    const { head } = await store.heads.read({ on: "branch", name });
    return head.row;
  } catch (error) {
    if (isMnemError(error, "invalid_ref")) return null;
    throw error;
  }
}
