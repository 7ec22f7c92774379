/**
 * Where chunks start. It is decided by each node id alone, so that one set of ids has one shape of
 * tree, whatever the order of the edits that led to it (FORMAT.md, "State").
 *
 * @module
 */

import { blake3Into } from "../object/hash.ts";
import { encodeUtf8 } from "../object/utf8.ts";

/** Bits of a hash that an id needs for each level: one id in 32 starts a chunk. */
const BITS_PER_LEVEL = 5;

// The hash of one id after the other.
const hash = new Uint8Array(32);

/** What changes the shape of a tree; given only by tests, which want tall trees from few ids. */
export interface TreeOptions {
  /** Bits of a hash per level, 1 to 32; 5 in every store. */
  readonly bits?: number;
}

/**
 * Returns the level of a node id: at each level below it, the id starts a chunk.
 *
 * It is `floor(z / bits)`, where z counts the leading zero bits of the first 8 bytes of
 * BLAKE3-256 over the UTF-8 of the id.
 */
export function levelOf(nodeId: string, options: TreeOptions = {}): number {
  blake3Into(encodeUtf8(nodeId), hash);
  let zeros = 0;
  for (let i = 0; i < 8; i++) {
    const byte = hash[i] ?? 0;
    if (byte !== 0) {
      zeros += Math.clz32(byte) - 24;
      break;
    }
    zeros += 8;
  }
  return Math.floor(zeros / (options.bits ?? BITS_PER_LEVEL));
}
