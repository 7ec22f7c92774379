/**
 * Values as canonical CBOR: whole ones, whose maps are put in order on the way.
 *
 * @module
 */

import { type CborValue, FloatNumber, isArray, isMap } from "./cbor_value.ts";
import { CborWriter } from "./cbor_writer.ts";
import { compareCbor } from "./utf8.ts";

/**
 * Encodes a value as canonical CBOR, map keys in canonical order at every depth. Throws a TypeError
 * for NaN, infinities and lone surrogates, a RangeError for a bigint outside -2^63 to 2^64 - 1.
 */
export function encodeCbor(value: CborValue): Uint8Array {
  const writer = new CborWriter();
  writeValue(writer, value);
  return writer.finish();
}

function writeValue(writer: CborWriter, value: CborValue): void {
  if (typeof value === "string") writer.text(value);
  else if (typeof value === "number") writer.number(value);
  else if (typeof value === "bigint") writer.int(value);
  else if (typeof value === "boolean") writer.bool(value);
  else if (value === null) writer.null();
  else if (value instanceof Uint8Array) writer.bytes(value);
  else if (value instanceof FloatNumber) writer.float(value.value);
  else if (isArray(value)) {
    writer.array(value.length);
    for (const item of value) writeValue(writer, item);
  } else if (isMap(value)) {
    writer.map(value.size);
    for (const key of [...value.keys()].sort(compareCbor)) {
      writer.text(key);
      writeValue(writer, value.get(key)!);
    }
  } else writeObject(writer, value);
}

function writeObject(
  writer: CborWriter,
  object: { readonly [key: string]: CborValue },
): void {
  const keys = Object.keys(object);
  if (keys.length > 1) keys.sort(compareCbor);
  writer.map(keys.length);
  for (const key of keys) {
    writer.text(key);
    writeValue(writer, object[key]!);
  }
}
