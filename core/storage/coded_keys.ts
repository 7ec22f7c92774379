/**
 * The keys of a chunk as its record has them: front-coded (FORMAT.md, "Chunk records").
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import type { CborReader } from "../object/cbor_reader.ts";
import type { CborWriter } from "../object/cbor_writer.ts";

/** Writes a key after the one before it: how many code points they share, and the rest. */
export function writeKey(
  writer: CborWriter,
  previous: string,
  id: string,
): void {
  const end = Math.min(previous.length, id.length);
  let units = 0;
  let pairs = 0;
  while (units < end) {
    const unit = id.charCodeAt(units);
    if (unit !== previous.charCodeAt(units)) break;
    units++;
    if (isLowSurrogate(unit)) pairs++;
  }
  // A pair that differs in its second half only is not shared.
  if (units > 0 && isHighSurrogate(id.charCodeAt(units - 1))) units--;
  writer.int(units - pairs);
  writer.text(id.slice(units));
}

/** Reads what {@linkcode writeKey} wrote, given the key before. Throws `corrupt_store` for anything else. */
export function readKey(reader: CborReader, previous: string): string {
  const points = reader.readUint();
  let units = 0;
  // Whatever is claimed: no further than the key before goes.
  for (let i = 0; i < points && units <= previous.length; i++) {
    units += isHighSurrogate(previous.charCodeAt(units)) ? 2 : 1;
  }
  if (units > previous.length) {
    throw new MnemError(
      "corrupt_store",
      "A key in a chunk record of the state is broken",
    );
  }
  return previous.slice(0, units) + reader.readText();
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
