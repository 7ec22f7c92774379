/**
 * The one hash of the store, BLAKE3-256. The only file that knows which library computes it.
 *
 * @module
 */

import { hash, hashInto } from "blake3-jit";

/** Returns the BLAKE3-256 of some bytes: 32 fresh bytes, the caller's to keep. */
export function blake3(bytes: Uint8Array): Uint8Array {
  return hash(bytes);
}

/** Puts the BLAKE3-256 of some bytes into 32 others: to make those costs as much as to hash a node. */
export function blake3Into(bytes: Uint8Array, id: Uint8Array): void {
  hashInto(bytes, id);
}
