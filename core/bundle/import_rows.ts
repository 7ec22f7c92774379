/**
 * The rows beside the objects that make an imported bundle a store.
 *
 * @module
 */

import { randomId } from "../chance.ts";
import { systemClock } from "../clock.ts";
import { shortOf } from "../object/graph_commit.ts";
import { encodeMetaBlock } from "../storage/commit_row.ts";
import { refKey } from "../storage/keys.ts";
import { FORMAT_VERSION, metaRow } from "../storage/meta_row.ts";
import { encodeRefRow } from "../storage/ref_row.ts";
import { type FramedRow, frameRow, type NewRow } from "../storage/row.ts";
import type { StoreReader } from "../storage/store_reader.ts";
import type { BundleHead } from "./bundle_reader.ts";

/** The rows of branches. */
export async function refRows(
  reader: StoreReader,
  refs: ReadonlyMap<string, string>,
): Promise<FramedRow[]> {
  const rows: FramedRow[] = [];
  for (const [name, id] of refs) {
    const meta = encodeMetaBlock(await reader.commit(shortOf(id)));
    rows.push(frameRow(refKey(name), encodeRefRow(id, meta, null), true));
  }
  return rows;
}

/** The row that makes a store, written last. */
export function markRow({ defaultBranch }: BundleHead): NewRow {
  return metaRow({
    format: FORMAT_VERSION,
    stateForm: "tree",
    defaultBranch,
    storeId: randomId(),
    createdMs: systemClock(),
  });
}
