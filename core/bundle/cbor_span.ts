/**
 * Where items of canonical CBOR end, found by their heads alone.
 *
 * @module
 */

import { MAJOR } from "../object/cbor_writer.ts";

/** Bytes that the head of an item takes, given its first byte. */
export function headBytes(first: number): number {
  const info = first & 0x1f;
  return info < 24 ? 1 : 1 + 2 ** (info - 24);
}

/** The length, or the number of items, that the head at a place says. */
export function headCount(bytes: Uint8Array, at: number): number {
  const head = headBytes(bytes[at]!);
  if (head === 1) return bytes[at]! & 0x1f;
  let count = 0;
  for (let i = 1; i < head; i++) count = count * 256 + bytes[at + i]!;
  return count;
}

/** Where the item ends that begins at a place. */
export function itemEnd(bytes: Uint8Array, at: number): number {
  let end = at;
  // Items that are still to be passed: those of arrays and maps are added to it.
  for (let left = 1; left > 0; left--) {
    const first = bytes[end]!;
    const count = headCount(bytes, end);
    end += headBytes(first);
    switch (first >>> 5) {
      case MAJOR.bytes:
      case MAJOR.text:
        end += count;
        break;
      case MAJOR.array:
        left += count;
        break;
      case MAJOR.map:
        left += 2 * count;
        break;
    }
  }
  return end;
}
