/**
 * What is cached takes in memory: several times what it takes in its row.
 *
 * @module
 */

import { type Chunk, isLeaf } from "../state/chunk.ts";

/** The bytes of a chunk, as measured: an entry takes 240 beside its id, a reference 310 beside its key. */
export function chunkWeight(chunk: Chunk): number {
  const own = isLeaf(chunk)
    ? 240 * chunk.entries.length
    : 310 * chunk.children.length;
  // Chunks of the same keys share a mould, which has these, and the storage keeps the like of it: counted for each.
  if (chunk.cast !== undefined) {
    return 200 + own + 4 * chunk.cast.mould.bytes.length;
  }
  let keys = 0;
  if (isLeaf(chunk)) { for (const { id } of chunk.entries) keys += id.length; }
  else for (const { key } of chunk.children) keys += key.length;
  return 200 + own + keys;
}

/** The bytes of a node, as measured: an array of bytes, its buffer and its name weigh more than most nodes. */
export function nodeWeight(bytes: Uint8Array): number {
  return bytes.length + 500;
}
