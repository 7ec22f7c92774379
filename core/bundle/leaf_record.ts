/**
 * The object of a leaf, made of the record that is stored of it. Most of what an export reads are
 * entries of leaves, and so none of them becomes an object on the way.
 *
 * @module
 */

import { CborReader } from "../object/cbor_reader.ts";
import { CborWriter } from "../object/cbor_writer.ts";
import { headBytes, headCount } from "./cbor_span.ts";

/** The key of one entry after the other: each begins as the one before. */
let key = new Uint8Array(1024);

/**
 * Makes the object of a record (FORMAT.md, "Chunk records"), which is not checked: of a broken one
 * comes another object, or undefined, as of a record of an index. `takeOwn` is told of the object ids
 * of the entries that the commit wrote whose row this is.
 */
export function leafObject(
  record: Uint8Array,
  takeOwn: (object: Uint8Array) => void,
): { readonly bytes: Uint8Array; readonly count: number } | undefined {
  const reader = new CborReader(record);
  reader.readArrayHead();
  if (reader.readUint() !== 0) return undefined;
  let own = -1;
  const origins = reader.readArrayHead();
  for (let i = 0; i < origins; i++) {
    if (reader.atNull) own = i;
    reader.skip();
  }
  const count = reader.readArrayHead() / 4;
  const ids = record.length - 32 * count;
  const out = new CborWriter();
  out.map(2);
  out.text("kind");
  out.text("state");
  out.text("nodes");
  const start = out.length;
  const places: number[] = [];
  let at = reader.offset;
  for (let i = 0; i < count; i++) {
    const shared = bytesOf(headCount(record, at));
    at += headBytes(record[at]!);
    const size = headCount(record, at);
    at += headBytes(record[at]!);
    if (!(at + size < ids)) return undefined;
    makeRoom(shared + size);
    for (let j = 0; j < size; j++) key[shared + j] = record[at + j]!;
    at += size;
    const object = record.subarray(ids + i * 32, ids + i * 32 + 32);
    if (headCount(record, at) === own) takeOwn(object);
    at += headBytes(record[at]!);
    at += headBytes(record[at]!);
    places.push(out.length);
    out.utf8(key, 0, shared + size);
    places.push(out.length);
    out.bytes(object);
  }
  out.closeMap(start, places);
  return { bytes: out.finish(), count };
}

/** The bytes of so many code points of the key. */
function bytesOf(points: number): number {
  let end = 0;
  for (let i = 0; i < points && end < key.length; i++) {
    const lead = key[end]!;
    end += lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  }
  return end;
}

function makeRoom(size: number): void {
  if (size <= key.length) return;
  const larger = new Uint8Array(2 * size);
  larger.set(key);
  key = larger;
}
