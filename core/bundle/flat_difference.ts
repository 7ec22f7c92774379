/**
 * The nodes on which two flat states differ, found in their bytes: what they have in common is
 * compared, but not read.
 *
 * @module
 */

import { CborReader } from "../object/cbor_reader.ts";
import type { ObjectKind } from "../object/object_fields.ts";
import { decodeUtf8 } from "../object/utf8.ts";

/** A node on which two states differ. */
export interface StateDifference {
  /** The node id. */
  readonly id: string;
  /** The object that the second state has, 32 bytes; null: none. */
  readonly object: Uint8Array | null;
}

/** An object id in CBOR: its head and its bytes. */
const ID_BYTES = 34;

/**
 * Yields what the second of two flat objects has otherwise, in the order of their maps. Without a first
 * one that is everything.
 */
export function* diffFlat(
  before: Uint8Array | undefined,
  after: Uint8Array,
): Generator<StateDifference> {
  let i = before === undefined ? 0 : nodesStart(before);
  let j = nodesStart(after);
  const old = before ?? new Uint8Array();
  while (i < old.length && j < after.length) {
    const key = keyEnd(old, i);
    const size = key + ID_BYTES - i;
    let same = 0;
    while (same < size && old[i + same] === after[j + same]) same++;
    if (same === size) {
      i += size;
      j += size;
    } else if (i + same >= key) {
      yield pairAt(after, j);
      i += size;
      j += size;
    } else if (old[i + same]! < after[j + same]!) {
      yield { id: pairAt(old, i).id, object: null };
      i += size;
    } else {
      yield pairAt(after, j);
      j = keyEnd(after, j) + ID_BYTES;
    }
  }
  for (; i < old.length; i = keyEnd(old, i) + ID_BYTES) {
    yield { id: pairAt(old, i).id, object: null };
  }
  for (; j < after.length; j = keyEnd(after, j) + ID_BYTES) {
    yield pairAt(after, j);
  }
}

/** The pairs of the nodes map of a state or of an index chunk, in the order of the map. */
export function readFlat(
  bytes: Uint8Array,
  kind: ObjectKind,
): { readonly id: string; readonly object: Uint8Array }[] {
  const pairs: { id: string; object: Uint8Array }[] = [];
  let at = nodesStart(bytes, kind);
  for (; at < bytes.length; at = keyEnd(bytes, at) + ID_BYTES) {
    pairs.push(pairAt(bytes, at));
  }
  return pairs;
}

/** Where the text of each id in a nodes map begins and ends, in turn; its object id follows after two bytes. */
export function flatPlaces(bytes: Uint8Array, kind: ObjectKind): number[] {
  const places: number[] = [];
  for (let at = nodesStart(bytes, kind); at < bytes.length;) {
    const end = keyEnd(bytes, at);
    places.push(at + headBytes(bytes[at]!), end);
    at = end + ID_BYTES;
  }
  return places;
}

/** Where the pairs of the nodes map begin: it is the last field, and an object has no others than its kind's. */
function nodesStart(bytes: Uint8Array, kind: ObjectKind = "state"): number {
  const reader = new CborReader(bytes);
  const fields = reader.readMapHead();
  reader.skip();
  reader.skip();
  if (kind === "state_index") {
    for (let i = 0; i < 2 * (fields - 2); i++) reader.skip();
  }
  reader.readText();
  reader.readMapHead();
  return reader.offset;
}

function pairAt(
  bytes: Uint8Array,
  at: number,
): { readonly id: string; readonly object: Uint8Array } {
  const end = keyEnd(bytes, at);
  return {
    id: decodeUtf8(bytes.subarray(at + headBytes(bytes[at]!), end)),
    // Not a view: it would hold the whole state.
    object: bytes.slice(end + 2, end + ID_BYTES),
  };
}

/** Where a text ends that begins at a place. */
function keyEnd(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  const head = headBytes(first);
  let size = head === 1 ? first & 0x1f : 0;
  for (let i = 1; i < head; i++) size = size * 256 + bytes[at + i]!;
  return at + head + size;
}

function headBytes(first: number): number {
  const info = first & 0x1f;
  return info < 24 ? 1 : 1 + 2 ** (info - 24);
}
