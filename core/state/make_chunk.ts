/**
 * Makes chunks: their canonical bytes, and from those their logical ids (FORMAT.md, "State").
 *
 * @module
 */

import { CborWriter } from "../object/cbor_writer.ts";
import { blake3 } from "../object/hash.ts";
import type {
  Cast,
  Chunk,
  ChunkRef,
  Entry,
  Index,
  Leaf,
  Mould,
} from "./chunk.ts";
import { isLeaf } from "./chunk.ts";
import { inMapOrder } from "./map_order.ts";

/** Makes the leaf of some entries, which are in bytewise UTF-8 order with unique ids. */
export function makeLeaf(entries: readonly Entry[]): Leaf {
  const id = leafWriter(entries).finishWith(blake3);
  return { level: 0, id, count: entries.length, entries };
}

/**
 * Makes the same leaf as {@linkcode makeLeaf} where one with the same node ids was there, at the cost
 * of the places where the two differ.
 */
export function remakeLeaf(
  entries: readonly Entry[],
  remake: Remake<Leaf>,
): Leaf {
  const cast = castOf(remake, () => leafMould(entries));
  fill(cast, entries.length, (i) => entries[i]!.object);
  const id = blake3(cast.mould.bytes);
  return { level: 0, id, count: entries.length, entries, cast };
}

/**
 * Makes the index chunk of some children, which lie one level below in bytewise UTF-8 order of
 * their keys.
 */
export function makeIndex(
  level: number,
  children: readonly ChunkRef[],
): Index {
  const count = countBelow(children);
  const id = indexWriter(level, children).finishWith(blake3);
  return { level, id, count, children };
}

/** Makes the same chunk as {@linkcode makeIndex}, likewise, where also the counts of the children are the same. */
export function remakeIndex(
  children: readonly ChunkRef[],
  remake: Remake<Index>,
): Index {
  const { level, count } = remake.before;
  const cast = castOf(remake, () => indexMould(level, children));
  fill(cast, children.length, (i) => children[i]!.id);
  return { level, id: blake3(cast.mould.bytes), count, children, cast };
}

/** What a chunk takes the place of. */
export interface Remake<C extends Chunk> {
  /** A chunk with the same keys. */
  readonly before: C;
  /** Where the two differ, in order. */
  readonly places: readonly number[];
  /** Whether all in it has an origin and an address. */
  readonly isSettled: boolean;
}

let casts = 0;

function castOf(
  { before, places, isSettled }: Remake<Chunk>,
  makeMould: () => Mould,
): Cast {
  const { cast } = before;
  return {
    mould: cast?.mould ?? makeMould(),
    number: ++casts,
    before: cast?.number ?? 0,
    items: isLeaf(before) ? before.entries : before.children,
    places,
    isOnSettled: isSettled,
  };
}

/** Puts the ids of a chunk into its mould: those that differ, if it holds the chunk before. */
function fill(
  { mould, number, before, places }: Cast,
  count: number,
  idOf: (item: number) => Uint8Array,
): void {
  if (mould.holds === number) return;
  if (mould.holds === before && before > 0) {
    for (const item of places) fillItem(mould, item, idOf(item));
  } else for (let i = 0; i < count; i++) fillItem(mould, i, idOf(i));
  mould.holds = number;
}

function fillItem(mould: Mould, item: number, id: Uint8Array): void {
  mould.bytes.set(id, mould.places[item]!);
  mould.ids.set(id, item * 32);
}

/** Returns the ids in a chunk one behind the other, good until the next chunk is made; undefined without a mould. */
export function packedIds(chunk: Chunk): Uint8Array | undefined {
  const { cast } = chunk;
  if (cast === undefined) return undefined;
  if (isLeaf(chunk)) {
    const { entries } = chunk;
    fill(cast, entries.length, (i) => entries[i]!.object);
  } else {
    const { children } = chunk;
    fill(cast, children.length, (i) => children[i]!.id);
  }
  return cast.mould.ids;
}

/** Returns a reference that holds the chunk itself. */
export function refTo(chunk: Chunk): ChunkRef {
  const key = isLeaf(chunk) ? chunk.entries[0]?.id : chunk.children[0]?.key;
  return {
    key: key ?? "",
    id: chunk.id,
    level: chunk.level,
    count: chunk.count,
    at: chunk,
  };
}

/** Returns the root of the tree without entries: an empty leaf that is not stored. */
export function emptyRoot(): ChunkRef {
  return refTo(makeLeaf([]));
}

/** Encodes `{kind: "state", nodes: {node id: object id}}`, the bytes whose hash is a leaf's id. */
export function encodeLeaf(entries: readonly Entry[]): Uint8Array {
  return leafWriter(entries).finish();
}

function leafWriter(entries: readonly Entry[]): CborWriter {
  const writer = new CborWriter();
  writeStateHead(writer, entries.length);
  for (const entry of inMapOrder(entries, (entry) => entry.id)) {
    writer.text(entry.id);
    writer.bytes(entry.object);
  }
  return writer;
}

function leafMould(entries: readonly Entry[]): Mould {
  const writer = new CborWriter();
  writeStateHead(writer, entries.length);
  return finishMould(writer, entries.map(({ id }) => id));
}

function indexMould(level: number, children: readonly ChunkRef[]): Mould {
  const writer = new CborWriter();
  writeIndexHead(writer, level, children);
  return finishMould(writer, children.map(({ key }) => key));
}

/** Writes the pairs of a nodes map after its head, with room for the ids. */
function finishMould(writer: CborWriter, keys: readonly string[]): Mould {
  const places = new Uint32Array(keys.length);
  const room = new Uint8Array(32);
  const items = keys.map((key, item) => ({ key, item }));
  for (const { key, item } of inMapOrder(items, ({ key }) => key)) {
    writer.text(key);
    writer.bytes(room);
    places[item] = writer.length - room.length;
  }
  return {
    bytes: writer.finish(),
    places,
    ids: new Uint8Array(keys.length * 32),
    holds: 0,
  };
}

/** Writes what comes before the pairs of a state's nodes map with `count` pairs. */
export function writeStateHead(writer: CborWriter, count: number): void {
  writer.map(2);
  writer.text("kind");
  writer.text("state");
  writer.text("nodes");
  writer.map(count);
}

/**
 * Encodes `{kind: "state_index", level, count, nodes: {first node id of a child: child's id}}`, the
 * bytes whose hash is an index chunk's id. The count is that of the entries below.
 */
export function encodeIndex(
  level: number,
  children: readonly ChunkRef[],
): Uint8Array {
  return indexWriter(level, children).finish();
}

function indexWriter(
  level: number,
  children: readonly ChunkRef[],
): CborWriter {
  const writer = new CborWriter();
  writeIndexHead(writer, level, children);
  for (const child of inMapOrder(children, (child) => child.key)) {
    writer.text(child.key);
    writer.bytes(child.id);
  }
  return writer;
}

function writeIndexHead(
  writer: CborWriter,
  level: number,
  children: readonly ChunkRef[],
): void {
  writer.map(4);
  writer.text("kind");
  writer.text("state_index");
  writer.text("count");
  writer.int(countBelow(children));
  writer.text("level");
  writer.int(level);
  writer.text("nodes");
  writer.map(children.length);
}

function countBelow(children: readonly ChunkRef[]): number {
  return children.reduce((sum, child) => sum + child.count, 0);
}
