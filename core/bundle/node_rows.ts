/**
 * The rows of a bundle's nodes, once it is known which of them its states hold.
 *
 * @module
 */

import { ROW_VALUE_BYTES_MAX } from "../limits.ts";
import { toHex } from "../object/hex.ts";
import { quote } from "../object/quote.ts";
import { decodeUtf8Part } from "../object/utf8.ts";
import { looseKey, nodeKey } from "../storage/keys.ts";
import { type FramedRow, frameRow } from "../storage/row.ts";
import { isIdAt } from "./id_list.ts";
import {
  isNameAt,
  ITEM_HEAD_BYTES,
  itemBytes,
  type ItemCursor,
  itemTag,
  valueStart,
} from "./item_bytes.ts";
import { NODE_TAGS, SHORT_BYTES } from "./node_items.ts";
import type { ObjectFile } from "./object_file.ts";
import { corruptObject } from "./object_reader.ts";
import type { Sorter } from "./sorter.ts";

/**
 * Yields the rows of all nodes, in the order of their keys; those that no commit names get another kind
 * of row. Throws `corrupt_store` where a state holds what is no node of the bundle, or under another
 * id than the node's.
 */
export function* nodeRows(
  nodes: Sorter,
  objects: ObjectFile,
): Generator<FramedRow> {
  const items = nodes.cursor();
  const named = new NamedNode();
  while (items.step()) {
    if (!named.isSame(items)) {
      if (named.isOpen) throw misnamed(named, nodes, objects);
      named.begin(items);
    }
    if (itemTag(items.bytes, items.place) !== NODE_TAGS.node) {
      if (!named.add(items)) throw misnamed(named, nodes, objects);
      continue;
    }
    if (!named.meet(items)) throw misnamed(named, nodes, objects);
    yield rowOf(items, named.isNamed);
  }
  if (named.isOpen) throw misnamed(named, nodes, objects);
}

/** What states say of one node: its id, and the object that they hold. */
class NamedNode {
  /** Whether the node has not come yet. */
  isOpen = false;
  /** Whether a commit names it. */
  isNamed = false;
  /** The object id. */
  readonly object = new Uint8Array(32);
  #name: Uint8Array = new Uint8Array(256);
  #nameBytes = -1;

  /** The node id. */
  get id(): string {
    return decodeUtf8Part(this.#name, 0, this.#nameBytes - 1 - SHORT_BYTES);
  }

  /** Whether an item is about the same node. */
  isSame({ bytes, place }: ItemCursor): boolean {
    return isNameAt(bytes, place, this.#name, this.#nameBytes);
  }

  /** Goes to the node of an item. */
  begin({ bytes, place }: ItemCursor): void {
    const start = place + ITEM_HEAD_BYTES;
    const end = valueStart(bytes, place);
    if (end - start > this.#name.length) {
      this.#name = new Uint8Array(2 * (end - start));
    }
    for (let i = start; i < end; i++) this.#name[i - start] = bytes[i]!;
    this.#nameBytes = end - start;
    this.isOpen = this.isNamed = false;
  }

  /** Takes an item that names the node; false if another one did with another object. */
  add({ bytes, place }: ItemCursor): boolean {
    const value = valueStart(bytes, place);
    if (this.isOpen && !isIdAt(bytes, value, this.object)) return false;
    for (let i = 0; i < 32; i++) this.object[i] = bytes[value + i]!;
    this.isOpen = true;
    this.isNamed ||= itemTag(bytes, place) === NODE_TAGS.named;
    return true;
  }

  /** Takes the node itself; false if it is another object than the one that is named. */
  meet({ bytes, place }: ItemCursor): boolean {
    const isMet = !this.isOpen ||
      isIdAt(bytes, valueStart(bytes, place), this.object);
    if (isMet) this.isOpen = false;
    return isMet;
  }
}

function rowOf({ bytes, place }: ItemCursor, isNamed: boolean): FramedRow {
  const value = valueStart(bytes, place);
  const end = place + itemBytes(bytes, place);
  // A short value is copied into its row; of a long one the row, which is written later, holds parts.
  const isLong = end - value > ROW_VALUE_BYTES_MAX / 2;
  const node = isLong
    ? bytes.slice(value + 32, end)
    : bytes.subarray(value + 32, end);
  const object = bytes.subarray(value, value + SHORT_BYTES);
  if (!isNamed) return frameRow(looseKey(object), node, false);
  const name = place + ITEM_HEAD_BYTES;
  const id = decodeUtf8Part(bytes, name, value - 1 - SHORT_BYTES);
  return frameRow(nodeKey(id, object), node, false);
}

/** Says what is wrong with an object that a state holds as a node: slowly, for it is said once. */
function misnamed(
  { id, object }: NamedNode,
  nodes: Sorter,
  objects: ObjectFile,
): Error {
  const says = `a state holds it as the node ${quote(id)}`;
  const items = nodes.cursor();
  while (items.step()) {
    const { bytes, place } = items;
    const value = valueStart(bytes, place);
    const isIt = itemTag(bytes, place) === NODE_TAGS.node &&
      isIdAt(bytes, value, object);
    if (!isIt) continue;
    const name = place + ITEM_HEAD_BYTES;
    const own = decodeUtf8Part(bytes, name, value - 1 - SHORT_BYTES);
    return corruptObject(
      toHex(object),
      `${says}, and its own id is ${quote(own)}`,
    );
  }
  const found = objects.find(object);
  return corruptObject(
    toHex(object),
    found === null
      ? `${says}, which the bundle does not have`
      : `${says}, and it is a ${found.kind}`,
  );
}
