/**
 * Chunks of a state as the objects of a bundle have them: without origins and addresses.
 *
 * @module
 */

import { fromHex } from "../object/hex.ts";
import { type ObjectKind, readFields } from "../object/object_fields.ts";
import { compareUtf8 } from "../object/utf8.ts";
import { type Chunk, type ChunkRef, type Entry, SELF } from "../state/chunk.ts";
import { readFlat } from "./flat_difference.ts";
import { corruptObject } from "./object_reader.ts";

/**
 * Reads a chunk, given its id and kind. Where it lies is said by the ids alone: the address of a child
 * is the id of the chunk that names it. Throws `corrupt_store` where its nodes have no order.
 */
export function readChunk(
  bytes: Uint8Array,
  id: string,
  kind: ObjectKind,
): Chunk {
  const nodes = readFlat(bytes, kind).sort((a, b) => compareUtf8(a.id, b.id));
  if (kind === "state") {
    const entries: Entry[] = nodes.map(({ id, object }) => ({
      id,
      object,
      changed: SELF,
      born: SELF,
    }));
    return { level: 0, id: fromHex(id), count: entries.length, entries };
  }
  const fields = readFields(bytes, "state_index");
  const level = fields.count("level");
  const count = fields.count("count");
  if (level < 1 || nodes.length === 0) {
    throw corruptObject(id, "it is no index of chunks");
  }
  const children: ChunkRef[] = nodes.map((node) => ({
    key: node.id,
    id: node.object,
    level: level - 1,
    count: 0,
    at: { pack: id, part: 0, index: 0 },
  }));
  return { level, id: fromHex(id), count, children };
}
