/**
 * The keys of a chunk as its record has them: front-coded (FORMAT.md, "Chunk records").
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import type { CborReader } from "../object/cbor_reader.ts";
import { CborWriter } from "../object/cbor_writer.ts";
import type { Mould } from "../state/chunk.ts";

/** The front-coded keys of a chunk, one behind the other. */
interface CodedKeys {
  readonly bytes: Uint8Array;
  /** Where each key begins, and where the last ends. */
  readonly starts: Uint32Array;
}

/** Chunks of one mould have the same keys, in the same order. Gone when the last such chunk is. */
const codedKeys = new WeakMap<Mould, CodedKeys>();

/** Returns what writes the key at a place; a caller writes all of them in order. */
export function keyWriter(
  writer: CborWriter,
  mould: Mould | undefined,
  keysOf: () => readonly string[],
): (place: number) => void {
  if (mould === undefined) {
    const keys = keysOf();
    return (i) => writeKey(writer, keys[i - 1] ?? "", keys[i]!);
  }
  let coded = codedKeys.get(mould);
  if (coded === undefined) codedKeys.set(mould, coded = codeKeys(keysOf()));
  const { bytes, starts } = coded;
  return (i) => writer.part(bytes, starts[i]!, starts[i + 1]!);
}

function codeKeys(keys: readonly string[]): CodedKeys {
  const writer = new CborWriter();
  const starts = new Uint32Array(keys.length + 1);
  keys.forEach((key, i) => {
    writeKey(writer, keys[i - 1] ?? "", key);
    starts[i + 1] = writer.length;
  });
  return { bytes: writer.finish(), starts };
}

/** Front-coding: how many code points the previous id shares, and the rest. */
function writeKey(writer: CborWriter, previous: string, id: string): void {
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

/** Reads what {@linkcode keyWriter} wrote, given the key before. Throws `corrupt_store` for anything else. */
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
