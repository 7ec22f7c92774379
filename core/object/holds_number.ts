/**
 * Looks through canonical CBOR for numbers without making values of it.
 *
 * @module
 */

import { MAJOR } from "./cbor_writer.ts";

/** The first of the simple items that is a float: half, single and double follow each other. */
const HALF = 25;

/** Tells whether canonical CBOR, as the writer makes it, holds a number, however deep. */
export function holdsNumber(bytes: Uint8Array): boolean {
  let at = 0;
  while (at < bytes.length) {
    const first = bytes[at++]!;
    const major = first >>> 5;
    const info = first & 31;
    if (major === MAJOR.uint || major === MAJOR.negative) return true;
    if (major > MAJOR.map) {
      if (info >= HALF) return true;
      continue;
    }
    let size = info < 24 ? info : 0;
    const end = info < 24 ? at : at + (1 << (info - 24));
    while (at < end) size = size * 256 + bytes[at++]!;
    // What arrays and maps hold comes next; texts and byte strings are passed over.
    if (major === MAJOR.text || major === MAJOR.bytes) at += size;
  }
  return false;
}
