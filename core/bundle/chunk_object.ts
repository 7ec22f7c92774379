/**
 * Chunks of a state as the objects of a bundle have them: without origins and addresses.
 *
 * @module
 */

import { fromHex } from "../object/hex.ts";
import type { ObjectKind } from "../object/object_fields.ts";
import { compareUtf8, utf8Length } from "../object/utf8.ts";
import {
  type Chunk,
  type ChunkAddress,
  type ChunkRef,
  type Entry,
  isStored,
  SELF,
} from "../state/chunk.ts";
import { indexHead, mapFlat } from "./flat_difference.ts";
import { corruptObject } from "./object_reader.ts";

/** No part of a stored pack. */
const BUNDLE_PART = -1;

/** The address of the chunks that an object of the bundle names: they are found by their own ids. */
export function addressIn(id: string): ChunkAddress {
  return { pack: id, part: BUNDLE_PART, index: 0 };
}

/** Whether a chunk is an object of the bundle, and not stored. */
export function isOfBundle({ at }: ChunkRef): boolean {
  return isStored(at) && at.part === BUNDLE_PART;
}

/**
 * Reads a chunk, given its id and kind. Where it lies is said by the ids alone: the address of a child
 * is the id of the chunk that names it. Throws `corrupt_store` where its nodes have no order.
 */
export function readChunk(
  bytes: Uint8Array,
  id: string,
  kind: ObjectKind,
): Chunk {
  if (kind === "state") {
    const entries = inTreeOrder(
      mapFlat(bytes, kind, (id, object): Entry => ({
        id,
        object,
        changed: SELF,
        born: SELF,
      })),
      ({ id }) => id,
    );
    return { level: 0, id: fromHex(id), count: entries.length, entries };
  }
  const { level, count } = indexHead(bytes);
  const at = addressIn(id);
  const children = inTreeOrder(
    mapFlat(bytes, kind, (key, child): ChunkRef => ({
      key,
      id: child,
      level: level - 1,
      count: 0,
      at,
    })),
    ({ key }) => key,
  );
  if (level < 1 || children.length === 0) {
    throw corruptObject(id, "it is no index of chunks");
  }
  return { level, id: fromHex(id), count, children };
}

/** Sorts what a map holds, where shorter keys come first: keys of one length are in order. */
function inTreeOrder<T>(items: T[], keyOf: (item: T) => string): T[] {
  const [first] = items;
  const last = items.at(-1);
  const isOrdered = first === undefined || last === undefined ||
    utf8Length(keyOf(first)) === utf8Length(keyOf(last));
  return isOrdered
    ? items
    : items.sort((a, b) => compareUtf8(keyOf(a), keyOf(b)));
}
