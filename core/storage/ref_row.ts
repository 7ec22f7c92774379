/**
 * The row of a branch (FORMAT.md, "Ref rows"): the commit's id, with copies of its meta block and
 * root chunk, so that reading a branch and its first chunk takes one round.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { REF_ROW_BYTES_MAX } from "../limits.ts";
import { CborReader } from "../object/cbor_reader.ts";
import { CborWriter } from "../object/cbor_writer.ts";
import type { ObjectId } from "../object/commit.ts";
import { toHex } from "../object/hex.ts";
import { readNull } from "./chunk_record.ts";

/** A branch's row, taken apart. */
export interface RefRow {
  /** The branch's commit. */
  readonly commit: ObjectId;
  /** A copy of the commit's meta block, unless that was too large. */
  readonly meta: Uint8Array | null;
  /** A copy of the record of the state's root chunk, unless that was too large. */
  readonly root: Uint8Array | null;
}

/** Encodes a branch's row; what makes it too large is left out, the root chunk first. */
export function encodeRefRow(
  commit: ObjectId,
  meta: Uint8Array,
  root: Uint8Array | null,
): Uint8Array {
  const withRoot = root !== null &&
    meta.length + root.length <= REF_ROW_BYTES_MAX;
  const writer = new CborWriter();
  writer.array(3);
  writer.hex(commit);
  meta.length <= REF_ROW_BYTES_MAX ? writer.bytes(meta) : writer.null();
  withRoot ? writer.bytes(root) : writer.null();
  return writer.finishBrief();
}

/** Decodes a branch's row. Throws `corrupt_store` for anything else. */
export function decodeRefRow(payload: Uint8Array): RefRow {
  const reader = new CborReader(payload);
  const items = reader.readArrayHead();
  const row = {
    commit: toHex(reader.readBytes()),
    meta: readNull(reader) ? null : reader.readBytes(),
    root: readNull(reader) ? null : reader.readBytes(),
  };
  if (items !== 3 || !reader.atEnd) {
    throw new MnemError("corrupt_store", "The row of a branch is broken");
  }
  return row;
}
