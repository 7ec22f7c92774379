/**
 * The nodes of a bundle, and what its states say of them, in the order of the rows that nodes have.
 *
 * @module
 */

import { decodeNode } from "../object/memory_node.ts";
import type { Sorter } from "./sorter.ts";

/** What an item is, in the order in which items of one node come. */
export const NODE_TAGS = {
  /** A commit's state holds the node. */
  named: 0,
  /** A state that no commit names holds it. */
  loose: 1,
  /** It is the node itself; its bytes follow its object id. */
  node: 2,
} as const;

/** Bytes by which rows name an object. */
export const SHORT_BYTES = 16;

/** Adds a node of the bundle. */
export function addNode(
  nodes: Sorter,
  object: Uint8Array,
  bytes: Uint8Array,
): void {
  // The shortest name of a field that the format knows, so it mostly comes first.
  const isFirst = bytes[1] === 0x62 && bytes[2] === 0x69 && bytes[3] === 0x64;
  const head = bytes[4]!;
  const size = isFirst && head < 0x78
    ? putBytes(bytes, 5, head & 0x1f)
    : putText(decodeNode(bytes).id);
  nodes.add(itemName(size, object), NODE_TAGS.node, object, bytes);
}

/** Adds that a state holds an object under a node id; `isNamed`: the state of a commit. */
export function addName(
  nodes: Pick<Sorter, "add">,
  node: { readonly id: string; readonly object: Uint8Array },
  isNamed: boolean,
): void {
  const name = itemName(putText(node.id), node.object);
  nodes.add(name, isNamed ? NODE_TAGS.named : NODE_TAGS.loose, node.object);
}

const encoder = new TextEncoder();

// Names are copied from here: to make an array for each costs more than all else.
let room = new Uint8Array(1024);

/** What sorts items as the keys of rows do: the node id, which is put already, and the first bytes of the object id. */
function itemName(size: number, object: Uint8Array): Uint8Array {
  room[size] = 0;
  for (let i = 0; i < SHORT_BYTES; i++) room[size + 1 + i] = object[i]!;
  return room.subarray(0, size + 1 + SHORT_BYTES);
}

/** Puts a node id, given as UTF-8; returns its length. */
function putBytes(bytes: Uint8Array, from: number, size: number): number {
  for (let i = 0; i < size; i++) room[i] = bytes[from + i]!;
  return size;
}

/** Puts a node id; returns its length as UTF-8. */
function putText(id: string): number {
  const most = 3 * id.length + 1 + SHORT_BYTES;
  if (most > room.length) room = new Uint8Array(2 * most);
  for (let i = 0; i < id.length; i++) {
    const unit = id.charCodeAt(i);
    if (unit >= 0x80) return encoder.encodeInto(id, room).written;
    room[i] = unit;
  }
  return id.length;
}
