/**
 * JSON of any shape into canonical CBOR.
 *
 * @module
 */

import { CBOR_DEPTH_MAX } from "../object/cbor_reader.ts";
import type { CborWriter } from "../object/cbor_writer.ts";
import type { JsonBytes } from "./json_bytes.ts";

/**
 * Copies one value. Of a name given twice the last counts. Throws as {@linkcode JsonBytes} does, and
 * for nesting deeper than a stored object can have.
 */
export function copyJson(json: JsonBytes, out: CborWriter, depth = 0): void {
  switch (json.peek()) {
    case 0x22:
      return json.copyText(out);
    case 0x7b:
    case 0x5b:
      if (depth >= CBOR_DEPTH_MAX) {
        json.fail(`nested at most ${CBOR_DEPTH_MAX} levels`);
      }
      return json.take(0x7b)
        ? copyObject(json, out, depth + 1)
        : copyArray(json, out, depth + 1);
    case 0x74:
    case 0x66:
    case 0x6e:
      return json.copyWord(out);
  }
  json.copyNumber(out);
}

/** Copies the members of an object whose brace was read; `copyValue` copies the value of each. */
export function copyMembers(
  json: JsonBytes,
  out: CborWriter,
  copyValue: (name: string) => void,
): void {
  const start = out.length;
  const places: number[] = [];
  if (!json.take(0x7d)) {
    do {
      places.push(out.length);
      const name = json.text();
      json.expect(0x3a);
      out.text(name);
      places.push(out.length);
      copyValue(name);
    } while (json.take(0x2c));
    if (!json.take(0x7d)) json.fail('"," or "}"');
  }
  out.closeMap(start, places);
}

/** The same for values of any shape; the names become no text on the way. */
function copyObject(json: JsonBytes, out: CborWriter, depth: number): void {
  const start = out.length;
  const places: number[] = [];
  if (!json.take(0x7d)) {
    do {
      places.push(out.length);
      copyName(json, out);
      places.push(out.length);
      copyJson(json, out, depth);
    } while (json.take(0x2c));
    if (!json.take(0x7d)) json.fail('"," or "}"');
  }
  out.closeMap(start, places);
}

function copyArray(json: JsonBytes, out: CborWriter, depth: number): void {
  const start = out.length;
  let items = 0;
  json.expect(0x5b);
  if (!json.take(0x5d)) {
    do {
      copyJson(json, out, depth);
      items++;
    } while (json.take(0x2c));
    if (!json.take(0x5d)) json.fail('"," or "]"');
  }
  out.closeArray(start, items);
}

/** Copies the name of a member, and passes over its colon. */
export function copyName(json: JsonBytes, out: CborWriter): void {
  json.copyText(out);
  json.expect(0x3a);
}
