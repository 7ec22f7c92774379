/**
 * States of a bundle that no commit names: kept, so that they are exported again.
 *
 * @module
 */

import { toHex } from "../object/hex.ts";
import { looseKey } from "../storage/keys.ts";
import { type FramedRow, frameRow } from "../storage/row.ts";
import { readChunk } from "./chunk_object.ts";
import { mapFlat } from "./flat_difference.ts";
import { addName } from "./node_items.ts";
import type { FoundObject, ObjectFile } from "./object_file.ts";
import { corruptObject } from "./object_reader.ts";
import type { Sorter } from "./sorter.ts";
import type { StateObjects } from "./state_objects.ts";

/**
 * Yields their rows, once every commit was built. Says of each node that they hold what it must be;
 * throws `corrupt_store` for an index over what is no chunk.
 */
export function* looseStateRows(
  objects: ObjectFile,
  states: StateObjects,
  nodes: Sorter,
): Generator<FramedRow> {
  for (const { id, ...found } of objects.all()) {
    if (found.kind === "commit" || states.isNamed(found.number)) continue;
    if (found.kind === "state") {
      mapFlat(found.bytes, "state", (node, object) => {
        addName(nodes, { id: node, object }, false);
      });
    } else checkChildren(objects, id, found);
    yield frameRow(looseKey(id), found.bytes.slice(), false);
  }
}

function checkChildren(
  objects: ObjectFile,
  id: Uint8Array,
  { bytes, kind }: FoundObject,
): void {
  const name = toHex(id);
  const index = readChunk(bytes, name, kind);
  if (!("children" in index)) return;
  for (const child of index.children) {
    const wanted = child.level === 0 ? "state" : "state_index";
    if (objects.find(child.id)?.kind === wanted) continue;
    throw corruptObject(
      name,
      `${toHex(child.id)}, which it names, is no ${wanted} of the bundle`,
    );
  }
}
