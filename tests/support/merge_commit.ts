/**
 * Puts a branch on a merge of two commits, whose memory is that of the second, below the API.
 *
 * @module
 */

import type { Driver } from "../../core/storage/driver.ts";
import { shortOf } from "../../core/object/graph_commit.ts";
import { fromHex } from "../../core/object/hex.ts";
import { encodeRefRow } from "../../core/storage/ref_row.ts";
import { refKey } from "../../core/storage/keys.ts";
import { frameRow } from "../../core/storage/row.ts";
import { StoreReader } from "../../core/storage/store_reader.ts";
import { makeCommit } from "../../core/store/make_commit.ts";

/** Which commits, of which branch. */
export interface MergeParts {
  /** The branch to put on the merge, by a blind write. */
  readonly branch: string;
  /** The first parent. */
  readonly theirs: string;
  /** The second parent, whose memory the merge has. */
  readonly ours: string;
}

/** Writes the merge; returns its id. */
export async function mergeCommit(
  driver: Driver,
  { branch, theirs, ours }: MergeParts,
): Promise<string> {
  const reader = new StoreReader(driver);
  const first = await reader.commit(shortOf(theirs));
  const second = await reader.commit(shortOf(ours));
  const made = makeCommit({
    parents: [first, second],
    root: second.root,
    state: { id: fromHex(second.commit.state), form: second.form },
    changes: [],
    message: `merge into ${branch}`,
    author: "merger",
    timeMs: 99,
  });
  const { id } = made.row.commit;
  const ref = frameRow(refKey(branch), encodeRefRow(id, made.meta, null), true);
  const sets = [made.framed, ref].map(({ key, value }) => ({ key, value }));
  await driver.commit({ sets });
  return id;
}
