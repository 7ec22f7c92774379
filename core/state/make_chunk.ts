/**
 * Makes chunks: their canonical bytes, and from those their logical ids (FORMAT.md, "State").
 *
 * @module
 */

import { CborWriter } from "../object/cbor_writer.ts";
import { blake3 } from "../object/hash.ts";
import type { Chunk, ChunkRef, Entry, Index, Leaf } from "./chunk.ts";
import { isLeaf } from "./chunk.ts";
import { inMapOrder } from "./map_order.ts";

/** Makes the leaf of some entries, which are in bytewise UTF-8 order with unique ids. */
export function makeLeaf(entries: readonly Entry[]): Leaf {
  const id = leafWriter(entries).finishWith(blake3);
  return { level: 0, id, count: entries.length, entries };
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
  writer.map(4);
  writer.text("kind");
  writer.text("state_index");
  writer.text("count");
  writer.int(countBelow(children));
  writer.text("level");
  writer.int(level);
  writer.text("nodes");
  writer.map(children.length);
  for (const child of inMapOrder(children, (child) => child.key)) {
    writer.text(child.key);
    writer.bytes(child.id);
  }
  return writer;
}

function countBelow(children: readonly ChunkRef[]): number {
  return children.reduce((sum, child) => sum + child.count, 0);
}
