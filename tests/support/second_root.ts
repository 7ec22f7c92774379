/**
 * Puts a branch on a root of its own, below the API, which makes no second one.
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

/** What the root is like. */
export interface SecondRoot {
  /** The branch to put on it, by a blind write. */
  readonly branch: string;
  /** A commit whose memory is empty, as that of the root. */
  readonly like: string;
  /** Its message. */
  readonly message: string;
  /** Its time. */
  readonly timeMs: number;
}

/** Writes a root without nodes; returns its id. */
export async function secondRoot(
  driver: Driver,
  { branch, like, message, timeMs }: SecondRoot,
): Promise<string> {
  const empty = await new StoreReader(driver).commit(shortOf(like));
  const made = makeCommit({
    parents: [],
    root: empty.root,
    state: { id: fromHex(empty.commit.state), form: empty.form },
    changes: [],
    message,
    author: "unknown",
    timeMs,
  });
  const { id } = made.row.commit;
  const ref = frameRow(refKey(branch), encodeRefRow(id, made.meta, null), true);
  const sets = [made.framed, ref].map(({ key, value }) => ({ key, value }));
  await driver.commit({ sets });
  return id;
}
