/**
 * Gives the new chunks of a state their places in the rows of a commit.
 *
 * @module
 */

import type {
  Cast,
  Chunk,
  ChunkAddress,
  ChunkRef,
  Entry,
  Origin,
} from "../state/chunk.ts";
import { isLeaf, isStored, SELF } from "../state/chunk.ts";
import { encodeChunk } from "../storage/chunk_record.ts";

/** A chunk with its place, as it will be read from there. */
export interface PlacedChunk {
  /** Where it lies. */
  readonly address: ChunkAddress;
  /** The chunk, its children placed. */
  readonly chunk: Chunk;
  /** Its record. */
  readonly record: Uint8Array;
}

/** Where chunks are placed. */
export interface ChunkPlaces {
  /** The row or pack: 32 hex digits. */
  readonly pack: string;
  /** The commit that the chunks belong to; undefined while it has no id. */
  readonly self: Origin | undefined;
  /** The first part; the row of a commit is part 0. */
  readonly part: number;
  /** The size above which another part is begun, in bytes. */
  readonly partBytesMax: number;
}

/** A state all of whose chunks have a place. */
export interface PlacedState {
  /** The root, with its address. */
  readonly root: ChunkRef;
  /** The chunks that were new, children before parents. */
  readonly placed: readonly PlacedChunk[];
}

/** Places every chunk below a root that is not stored yet. */
export function placeChunks(root: ChunkRef, places: ChunkPlaces): PlacedState {
  const placed: PlacedChunk[] = [];
  let part = places.part;
  let index = 0;
  let bytes = 0;
  const place = (ref: ChunkRef): ChunkRef => {
    if (isStored(ref.at)) return ref;
    const chunk = settle(ref.at, place, places.self);
    const record = encodeChunk(chunk, places);
    if (index > 0 && bytes + record.length > places.partBytesMax) {
      part++;
      index = 0;
      bytes = 0;
    }
    const address = { pack: places.pack, part, index };
    index++;
    bytes += record.length;
    placed.push({ address, chunk, record });
    return { ...ref, at: address };
  };
  return { root: place(root), placed };
}

/** A chunk as it will be read back: children with addresses, origins with ids. */
function settle(
  chunk: Chunk,
  place: (ref: ChunkRef) => ChunkRef,
  self: Origin | undefined,
): Chunk {
  if (!isLeaf(chunk)) {
    const children = chunk.children.slice();
    for (const i of newPlaces(chunk.cast, children)) {
      children[i] = place(children[i]!);
    }
    return { ...chunk, children };
  }
  if (self === undefined) return { ...chunk, isAhead: true };
  const entries = chunk.entries.slice();
  for (const i of newPlaces(chunk.cast, entries)) {
    entries[i] = withOrigin(entries[i]!, self);
  }
  return { ...chunk, entries };
}

/** The places of what may be new in a chunk. */
function newPlaces(
  cast: Cast | undefined,
  items: readonly unknown[],
): Iterable<number> {
  return cast?.isOnSettled ? cast.places : items.keys();
}

function withOrigin(entry: Entry, self: Origin): Entry {
  if (entry.changed !== SELF && entry.born !== SELF) return entry;
  return {
    ...entry,
    changed: entry.changed === SELF ? self : entry.changed,
    born: entry.born === SELF ? self : entry.born,
  };
}
