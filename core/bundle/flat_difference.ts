/**
 * The nodes on which two flat states differ, found in their bytes: what they have in common is
 * compared, but not read.
 *
 * @module
 */

import { CborReader } from "../object/cbor_reader.ts";
import type { ObjectKind } from "../object/object_fields.ts";
import type { Entry } from "../state/chunk.ts";
import { decodeUtf8Part } from "../object/utf8.ts";
import { headBytes, headCount, itemEnd } from "./cbor_span.ts";

/** A node on which two states differ. */
export interface StateDifference {
  /** The node id. */
  readonly id: string;
  /** The object that the second state has, 32 bytes; null: none. */
  readonly object: Uint8Array | null;
  /** What the first one has, as it is stored, null for nothing; undefined where that was not read. */
  readonly old?: Entry | null;
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

/** Makes something of each pair of the nodes map of a state or of an index chunk, in the order of the map. */
export function mapFlat<T>(
  bytes: Uint8Array,
  kind: ObjectKind,
  make: (id: string, object: Uint8Array) => T,
): T[] {
  const made: T[] = [];
  const start = nodesStart(bytes, kind);
  // One array for all object ids: to make many costs more than all else.
  const objects = bytes.slice(start);
  for (let at = start; at < bytes.length;) {
    const end = keyEnd(bytes, at);
    const object = end + 2 - start;
    const id = decodeUtf8Part(bytes, at + headBytes(bytes[at]!), end);
    made.push(make(id, objects.subarray(object, object + 32)));
    at = end + ID_BYTES;
  }
  return made;
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
  let at = headBytes(bytes[0]!);
  const before = kind === "state_index" ? 6 : 2;
  for (let i = 0; i <= before; i++) at = itemEnd(bytes, at);
  return at + headBytes(bytes[at]!);
}

/** The level and the number of entries of an index chunk: its second and third field. */
export function indexHead(
  bytes: Uint8Array,
): { readonly level: number; readonly count: number } {
  const reader = new CborReader(bytes);
  reader.readMapHead();
  reader.skip();
  reader.skip();
  reader.skip();
  const count = reader.readUint();
  reader.skip();
  return { count, level: reader.readUint() };
}

function pairAt(
  bytes: Uint8Array,
  at: number,
): { readonly id: string; readonly object: Uint8Array } {
  const end = keyEnd(bytes, at);
  return {
    id: decodeUtf8Part(bytes, at + headBytes(bytes[at]!), end),
    // Not a view: it would hold the whole state.
    object: bytes.slice(end + 2, end + ID_BYTES),
  };
}

/** Where a text ends that begins at a place. */
function keyEnd(bytes: Uint8Array, at: number): number {
  return at + headBytes(bytes[at]!) + headCount(bytes, at);
}
