/**
 * Commits put into a database row by row, without the store above: a state of one leaf each.
 *
 * @module
 */

import { encodeCommit } from "../../core/object/commit.ts";
import { blake3 } from "../../core/object/hash.ts";
import { toHex } from "../../core/object/hex.ts";
import { encodeNode, type NodeInput } from "../../core/object/memory_node.ts";
import { encodeChunk } from "../../core/storage/chunk_record.ts";
import {
  type CommitRow,
  encodeCommitRow,
  encodeMetaBlock,
  originOf,
} from "../../core/storage/commit_row.ts";
import { commitKey, nodeKey } from "../../core/storage/keys.ts";
import { frameRow, type NewRow } from "../../core/storage/row.ts";
import type { Entry, Leaf } from "../../core/state/chunk.ts";
import { makeLeaf, refTo } from "../../core/state/make_chunk.ts";
import type { MemoryKv } from "./memory_kv.ts";

/** A commit that was put into a database. */
export interface StoredCommit {
  /** As it is read back. */
  readonly row: CommitRow;
  /** The first 32 digits of its id. */
  readonly short: string;
  /** The leaf that is its state. */
  readonly leaf: Leaf;
  /** The record of that leaf. */
  readonly record: Uint8Array;
}

/** Puts a root commit with some nodes into a database, and its nodes unless `nodes` is false. */
export function storeCommit(
  kv: MemoryKv,
  contents: Readonly<Record<string, NodeInput["content"]>>,
  options: { readonly message?: string } = {},
): StoredCommit {
  const objects = Object.entries(contents).map(([id, content]) => ({
    id,
    ...storeNode(kv, id, content),
  }));
  const probe = makeLeaf(objects.map(({ id, object }) => entry(id, object)));
  const { message = "stored" } = options;
  const state = toHex(probe.id);
  const fields = { parents: [], state, message, author: "a", timeMs: 1 };
  const bytes = encodeCommit(fields);
  const commit = { id: toHex(blake3(bytes)), ...fields };
  const short = commit.id.slice(0, 32);
  const row: CommitRow = {
    commit,
    bytes,
    generation: 0,
    depth: 0,
    mergeDepth: null,
    skips: [],
    root: { ...refTo(probe), at: { pack: short, part: 0, index: 0 } },
    form: "flat",
    changes: null,
  };
  const self = originOf(row);
  const leaf = makeLeaf(
    objects.map(({ id, object }) => ({
      id,
      object,
      changed: self,
      born: self,
    })),
  );
  const record = encodeChunk(leaf, { self, pack: short });
  const payload = encodeCommitRow(encodeMetaBlock(row), [record]);
  putAll(kv, frameRow(commitKey(commit.id), payload, true));
  return { row, short, leaf, record };
}

/** Puts a node into a database. */
export function storeNode(
  kv: MemoryKv,
  id: string,
  content: NodeInput["content"],
): { readonly object: Uint8Array; readonly bytes: Uint8Array } {
  const { id: object, bytes } = encodeNode(id, { content });
  putAll(kv, frameRow(nodeKey(id, object), bytes, false));
  return { object, bytes };
}

/** Puts a row and its pieces into a database. */
export function putAll(
  kv: MemoryKv,
  { key, value, pieces }: NewRow & { readonly pieces: readonly NewRow[] },
): void {
  for (const piece of pieces) kv.put(piece.key, piece.value);
  kv.put(key, value);
}

function entry(id: string, object: Uint8Array): Entry {
  const origin = { commit: "0".repeat(32), timeMs: 0, generation: 0 };
  return { id, object, changed: origin, born: origin };
}
