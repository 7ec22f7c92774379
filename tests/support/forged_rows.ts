/**
 * Changes rows behind a store's back and seals them anew: lies that no seal finds out.
 *
 * @module
 */

import { shortOf } from "../../core/object/graph_commit.ts";
import type { Chunk, Origin } from "../../core/state/chunk.ts";
import {
  decodeAnyChunk,
  encodeChunk,
} from "../../core/storage/chunk_record.ts";
import {
  type CommitRow,
  decodeCommitRow,
  decodeMetaBlock,
  encodeCommitRow,
  encodeMetaBlock,
  originOf,
} from "../../core/storage/commit_row.ts";
import type { Key } from "../../core/storage/driver.ts";
import { commitKey } from "../../core/storage/keys.ts";
import { frameRow, joinPieces, unframeRow } from "../../core/storage/row.ts";
import type { MemoryKv } from "./memory_kv.ts";
import { putAll } from "./stored_commit.ts";

/** Rows of these heads are sealed. */
const SEALED = new Set<unknown>(["meta", "HEAD", "r", "c", "p", "s", "S", "k"]);

/** What a row holds. Throws unless it is there and in order. */
export function payloadOf(kv: MemoryKv, key: Key): Uint8Array {
  const row = kv.row(key);
  if (row === null) throw new Error(`no row ${String(key)}`);
  const inside = unframeRow(key, row.value, SEALED.has(key[0]));
  if ("payload" in inside) return inside.payload;
  const pieces = inside.pieces.map((piece) => kv.row(piece)!.value);
  return joinPieces(key, pieces, inside);
}

/** Puts something into a row, sealed where rows of its kind are. */
export function putPayload(kv: MemoryKv, key: Key, payload: Uint8Array): void {
  putAll(kv, frameRow(key, payload, SEALED.has(key[0])));
}

/** What may be forged in the row of a commit; what is left out stays. */
export interface ForgedCommit extends Partial<CommitRow> {
  /** The chunk records. */
  readonly records?: readonly Uint8Array[];
}

/** Forges the row of a commit. */
export function forgeCommit(
  kv: MemoryKv,
  id: string,
  forge: (row: CommitRow, chunks: readonly Chunk[]) => ForgedCommit,
): void {
  const short = shortOf(id);
  const { meta, records } = decodeCommitRow(payloadOf(kv, commitKey(id)));
  const row = decodeMetaBlock(meta, short);
  const home = { self: originOf(row), pack: short };
  const forged = forge(row, records.map((one) => decodeAnyChunk(one, home)));
  const block = encodeMetaBlock({ ...row, ...forged });
  const payload = encodeCommitRow(block, forged.records ?? records);
  putPayload(kv, commitKey(id), payload);
}

/** The record of a chunk in the row of a commit. */
export function recordIn(row: CommitRow, chunk: Chunk): Uint8Array {
  const self: Origin = originOf(row);
  return encodeChunk(chunk, { self, pack: shortOf(row.commit.id) });
}

/** Puts the rows of a database back as they were. */
export function restore(
  kv: MemoryKv,
  before: ReturnType<MemoryKv["rows"]>,
): void {
  const keys = new Set(before.map(({ key }) => nameOf(key)));
  for (const { key } of kv.rows()) if (!keys.has(nameOf(key))) kv.remove(key);
  for (const { key, value } of before) kv.put(key, value);
}

function nameOf(key: Key): string {
  return JSON.stringify(
    key.map((part) => typeof part === "string" ? part : [...part]),
  );
}
