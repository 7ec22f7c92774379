/**
 * The rows of a pack, taken apart (FORMAT.md, "Packs"): chunk records, and part 0, which names the
 * commit that they belong to.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { CborReader } from "../object/cbor_reader.ts";
import { type Origin, SELF } from "../state/chunk.ts";
import { readOrigin } from "./chunk_record.ts";

/** Decodes a part of 1 and more: chunk records. Throws `corrupt_store` for anything else. */
export function decodePackPart(payload: Uint8Array): Uint8Array[] {
  const reader = new CborReader(payload);
  const records = Array.from(
    { length: reader.readArrayHead() },
    () => reader.readBytes(),
  );
  reader.end();
  return records;
}

/** Decodes part 0: what a null origin in the other parts means. Throws `corrupt_store` for anything else. */
export function decodePackOwner(payload: Uint8Array): Origin {
  const reader = new CborReader(payload);
  const owner = readOrigin(reader, undefined);
  reader.end();
  if (owner === SELF) {
    throw new MnemError("corrupt_store", "A pack names no commit as its own");
  }
  return owner;
}
