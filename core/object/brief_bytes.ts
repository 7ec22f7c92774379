/**
 * Room for bytes that are soon forgotten: the records and rows of a commit on their way to the
 * storage. One allocation serves many of them, because each costs more than filling it.
 *
 * @module
 */

const SLAB_BYTES = 128 * 1024;

let slab = new Uint8Array(0);
let used = 0;

/**
 * Returns so many zero bytes, nobody else's. As long as they are held, so are the 128 KB around them:
 * what a cache keeps must not lie here.
 */
export function briefBytes(size: number): Uint8Array {
  if (size > SLAB_BYTES / 8) return new Uint8Array(size);
  if (used + size > slab.length) {
    slab = new Uint8Array(SLAB_BYTES);
    used = 0;
  }
  used += size;
  return slab.subarray(used - size, used);
}
