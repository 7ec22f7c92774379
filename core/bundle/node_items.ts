/**
 * The nodes of a bundle, and what its states say of them, in the order of the rows that nodes have.
 *
 * @module
 */

import { decodeNode } from "../object/memory_node.ts";
import { encodeUtf8 } from "../object/utf8.ts";
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
  const name = itemName(nodeIdOf(bytes), object);
  nodes.add(name, NODE_TAGS.node, object, bytes);
}

/** Adds that a state holds an object under a node id; `isNamed`: the state of a commit. */
export function addName(
  nodes: Pick<Sorter, "add">,
  node: { readonly id: string; readonly object: Uint8Array },
  isNamed: boolean,
): void {
  const name = itemName(encodeUtf8(node.id), node.object);
  nodes.add(name, isNamed ? NODE_TAGS.named : NODE_TAGS.loose, node.object);
}

/** What sorts items as the keys of rows do: the node id, and the first bytes of the object id. */
function itemName(id: Uint8Array, object: Uint8Array): Uint8Array {
  const name = new Uint8Array(id.length + 1 + SHORT_BYTES);
  name.set(id);
  for (let i = 0; i < SHORT_BYTES; i++) name[id.length + 1 + i] = object[i]!;
  return name;
}

/** The node id in the bytes of a node, as UTF-8. */
function nodeIdOf(bytes: Uint8Array): Uint8Array {
  // The shortest name of a field that the format knows, so it mostly comes first.
  const isFirst = bytes[1] === 0x62 && bytes[2] === 0x69 && bytes[3] === 0x64;
  const head = bytes[4]!;
  return isFirst && head < 0x78
    ? bytes.subarray(5, 5 + (head & 0x1f))
    : encodeUtf8(decodeNode(bytes).id);
}
