/**
 * Opens commit rows that may be damaged.
 *
 * @module
 */

import { CborReader } from "../../object/cbor_reader.ts";
import { shortOf } from "../../object/graph_commit.ts";
import { objectIdOf } from "../../object/object_id.ts";
import {
  type CommitRow,
  decodeCommitRow,
  decodeMetaBlock,
} from "../../storage/commit_row.ts";
import type { Row } from "../../storage/driver.ts";
import { lastPartHex } from "../../storage/keys.ts";
import { describeKey } from "../../storage/row.ts";
import type { FaultList } from "./fault_list.ts";
import type { RowReader } from "./row_reader.ts";

/** A commit row, taken apart. */
export interface OpenedCommit {
  /** The commit. */
  readonly row: CommitRow;
  /** The meta block, as stored. */
  readonly meta: Uint8Array;
  /** The chunk records that lie in the row. */
  readonly records: readonly Uint8Array[];
}

/** Opens the row of a commit; null after a fault. */
export async function openCommitRow(
  rows: RowReader,
  faults: FaultList,
  row: Row,
): Promise<OpenedCommit | null> {
  const payload = await rows.payload(row, true);
  if (payload === null) return null;
  const name = `Row ${describeKey(row.key)}`;
  const parts = faults.attempt(name, () => decodeCommitRow(payload));
  if (parts === null) return null;
  const short = lastPartHex(row.key);
  const stored = storedId(parts.meta);
  if (stored !== null && shortOf(stored) !== short) {
    faults.add("object_id", `${name} holds the commit ${stored}`);
    return null;
  }
  const commit = faults.attempt(
    name,
    () => decodeMetaBlock(parts.meta, short),
  );
  return commit === null ? null : { row: commit, ...parts };
}

/** The id of the commit in a meta block; null where none can be read. */
function storedId(meta: Uint8Array): string | null {
  const reader = new CborReader(meta);
  try {
    reader.readArrayHead();
    return objectIdOf(reader.readBytes());
  } catch {
    return null;
  }
}
