/**
 * The nodes of a bundle, each beside the states that name it, as rows in the order of their keys.
 *
 * @module
 */

import { ROW_VALUE_BYTES_MAX } from "../limits.ts";
import { toHex } from "../object/hex.ts";
import { decodeNode } from "../object/memory_node.ts";
import { quote } from "../object/quote.ts";
import { decodeUtf8, encodeUtf8 } from "../object/utf8.ts";
import { looseKey, nodeKey } from "../storage/keys.ts";
import { type FramedRow, frameRow, sameBytes } from "../storage/row.ts";
import { compareIds } from "./id_list.ts";
import type { SortedItem } from "./item_bytes.ts";
import { NODE_TAGS } from "./node_tags.ts";
import { corruptObject } from "./object_reader.ts";
import type { ScratchFolder } from "./scratch_folder.ts";
import { Sorter } from "./sorter.ts";

/** Rows by which an object's id is named. */
const SHORT_BYTES = 16;

/**
 * Yields the rows of all nodes: first of those that no commit names, then of the others in the order
 * of their keys. Throws `corrupt_store` for a name without a node, under another id than the node's,
 * and for two objects of one id, or of the same first 16 bytes.
 */
export function* nodeRows(
  nodes: Sorter,
  scratch: ScratchFolder,
): Generator<FramedRow> {
  const named = new Sorter(scratch);
  const pairing = new Pairing();
  for (const item of nodes.sorted()) {
    const node = pairing.take(item);
    if (node === undefined) continue;
    if (node.isNamed) named.add(sortName(node.id, item.name), 0, item.value);
    else yield frameRow(looseKey(item.name), steady(item.value), false);
  }
  pairing.end();
  for (const { name, value } of named.sorted()) {
    const object = name.slice(-SHORT_BYTES);
    const id = decodeUtf8(name.subarray(0, -SHORT_BYTES - 1));
    yield frameRow(nodeKey(id, object), steady(value), false);
  }
}

/** Walks through items of one object id after the other: what names it comes before it. */
class Pairing {
  #object: Uint8Array = new Uint8Array(32);
  #isFirst = true;
  #isThere = true;
  #isNamed = false;
  #names: Uint8Array[] = [];

  /** Takes the next item; returns what is known of a node when that comes. */
  take(
    { name, tag, value }: SortedItem,
  ): { readonly id: Uint8Array; readonly isNamed: boolean } | undefined {
    if (this.#isFirst || compareIds(name, this.#object) !== 0) {
      this.#begin(name);
    }
    if (tag === NODE_TAGS.named || tag === NODE_TAGS.loose) {
      this.#isNamed ||= tag === NODE_TAGS.named;
      const last = this.#names.at(-1);
      if (last === undefined || !sameBytes(last, value)) {
        this.#names.push(value.slice());
      }
      return undefined;
    }
    if (this.#isThere) {
      throw corruptObject(toHex(name), "it is given twice");
    }
    this.#isThere = true;
    if (tag !== NODE_TAGS.node) {
      if (this.#names.length > 0) {
        throw this.#misnamed("which is no node of the bundle");
      }
      return undefined;
    }
    const id = nodeIdOf(value);
    for (const named of this.#names) {
      if (sameBytes(named, id)) continue;
      throw corruptObject(
        toHex(name),
        `a state holds it as the node ${
          quote(decodeUtf8(named))
        }, and its id is ${quote(decodeUtf8(id))}`,
      );
    }
    return { id, isNamed: this.#isNamed };
  }

  /** After the last item. */
  end(): void {
    if (!this.#isThere) throw this.#misnamed("which the bundle does not have");
  }

  #begin(object: Uint8Array): void {
    this.end();
    const isTwin = !this.#isFirst &&
      sameBytes(
        object.subarray(0, SHORT_BYTES),
        this.#object.subarray(0, SHORT_BYTES),
      );
    if (isTwin) {
      throw corruptObject(
        toHex(object),
        `it has the same first ${SHORT_BYTES} bytes as ${toHex(this.#object)}`,
      );
    }
    this.#object = object.slice();
    this.#isFirst = false;
    this.#isThere = false;
    this.#isNamed = false;
    this.#names = [];
  }

  #misnamed(what: string): Error {
    const [name = new Uint8Array()] = this.#names;
    return corruptObject(
      toHex(this.#object),
      `a state holds it as the node ${quote(decodeUtf8(name))}, ${what}`,
    );
  }
}

/** The node id in the bytes of a node, as UTF-8. */
function nodeIdOf(bytes: Uint8Array): Uint8Array {
  // The shortest name of a field that the format knows, so it comes first.
  const isFirst = bytes[1] === 0x62 && bytes[2] === 0x69 && bytes[3] === 0x64;
  const head = bytes[4]!;
  if (isFirst && head < 0x78) return bytes.slice(5, 5 + (head & 0x1f));
  return encodeUtf8(decodeNode(bytes).id);
}

/** What sorts nodes as the keys of their rows do. */
function sortName(id: Uint8Array, object: Uint8Array): Uint8Array {
  const name = new Uint8Array(id.length + 1 + SHORT_BYTES);
  name.set(id);
  name.set(object.subarray(0, SHORT_BYTES), id.length + 1);
  return name;
}

/** Bytes that stay as they are: a short value is copied into its row, of a long one the row holds parts. */
function steady(value: Uint8Array): Uint8Array {
  return value.length > ROW_VALUE_BYTES_MAX / 2 ? value.slice() : value;
}
