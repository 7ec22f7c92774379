/**
 * The rows of a pack: the chunks of a commit too large for one row (FORMAT.md, "Packs").
 *
 * @module
 */

import { CborWriter } from "../object/cbor_writer.ts";
import type { Origin } from "../state/chunk.ts";
import { partKey } from "../storage/keys.ts";
import { type FramedRow, frameRow, type NewRow } from "../storage/row.ts";
import type { PlacedChunk } from "./place_chunks.ts";

/** The rows of a pack's parts. */
export function partRows(
  pack: string,
  placed: readonly PlacedChunk[],
): FramedRow[] {
  const parts = new Map<number, PlacedChunk[]>();
  for (const chunk of placed) {
    const part = parts.get(chunk.address.part) ?? [];
    part.push(chunk);
    parts.set(chunk.address.part, part);
  }
  return [...parts].map(([part, chunks]) => {
    const writer = new CborWriter();
    writer.array(chunks.length);
    for (const { record } of chunks) writer.bytes(record);
    return frameRow(partKey(pack, part), writer.finish(), true);
  });
}

/** Part 0 of a pack: the commit that its chunks belong to. */
export function ownerRow(pack: string, owner: Origin): NewRow {
  const writer = new CborWriter();
  writer.array(3);
  writer.hex(owner.commit);
  writer.int(owner.timeMs);
  writer.int(owner.generation);
  const { key, value } = frameRow(partKey(pack, 0), writer.finish(), true);
  return { key, value };
}
