/**
 * The frame around every stored value (FORMAT.md, "Rows"): a form byte, the value or a pointer to
 * its pieces, and for rows that nothing else checks, a seal of eight bytes.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { ROW_VALUE_BYTES_MAX, SPLIT_VALUE_BYTES_MAX } from "../limits.ts";
import { briefBytes } from "../object/brief_bytes.ts";
import { CborReader } from "../object/cbor_reader.ts";
import { CborWriter } from "../object/cbor_writer.ts";
import { blake3 } from "../object/hash.ts";
import type { Key } from "./driver.ts";
import { pieceKey } from "./keys.ts";

const INLINE = 1;
const SPLIT = 2;
const SEAL_BYTES = 8;
const DIGEST_BYTES = 16;

/** A row to be set. */
export interface NewRow {
  /** Its key. */
  readonly key: Key;
  /** Its value, framed. */
  readonly value: Uint8Array;
}

/** A framed row, and the pieces that must be written before it. */
export interface FramedRow extends NewRow {
  /** Empty unless the value was too long for one row. */
  readonly pieces: readonly NewRow[];
}

/** What a framed value holds: the value, or where its pieces lie. */
export type Unframed =
  | { readonly payload: Uint8Array }
  | {
    readonly pieces: readonly Key[];
    readonly digest: Uint8Array;
    readonly bytes: number;
  };

/** Frames a value for a row; `sealed` rows are those of refs, commits and packs. */
export function frameRow(
  key: Key,
  payload: Uint8Array,
  sealed: boolean,
): FramedRow {
  const room = ROW_VALUE_BYTES_MAX - 1 - (sealed ? SEAL_BYTES : 0);
  if (payload.length <= room) {
    return { key, value: frame(key, INLINE, payload, sealed), pieces: [] };
  }
  const digest = blake3(payload).slice(0, DIGEST_BYTES);
  const pieces: NewRow[] = [];
  for (let at = 0; at < payload.length; at += ROW_VALUE_BYTES_MAX) {
    pieces.push({
      key: pieceKey(digest, pieces.length),
      value: payload.subarray(at, at + ROW_VALUE_BYTES_MAX),
    });
  }
  const pointer = new CborWriter();
  pointer.array(2);
  pointer.int(payload.length);
  pointer.bytes(digest);
  return { key, value: frame(key, SPLIT, pointer.finish(), sealed), pieces };
}

/** Whether a value is long enough for a frame, and ends with the seal that its row must have. */
export function hasSeal(key: Key, value: Uint8Array): boolean {
  const end = value.length - SEAL_BYTES;
  return end >= 1 &&
    sameBytes(value.subarray(end), seal(key, value.subarray(0, end)));
}

/** Opens a frame. Throws `corrupt_store` for an unknown form or a broken seal. */
export function unframeRow(
  key: Key,
  value: Uint8Array,
  sealed: boolean,
): Unframed {
  const end = value.length - (sealed ? SEAL_BYTES : 0);
  if (end < 1) throw corruptRow(key, "is cut short");
  if (sealed && !hasSeal(key, value)) {
    throw corruptRow(key, "does not match its seal");
  }
  const inside = value.subarray(1, end);
  if (value[0] === INLINE) return { payload: inside };
  if (value[0] !== SPLIT) {
    throw corruptRow(key, `has the unknown form ${value[0]}`);
  }
  return readPointer(key, inside);
}

function readPointer(key: Key, inside: Uint8Array): Unframed {
  const reader = new CborReader(inside);
  const items = reader.readArrayHead();
  const bytes = reader.readUint();
  const digest = reader.readBytes();
  const valid = items === 2 && reader.atEnd && digest.length === DIGEST_BYTES &&
    bytes <= SPLIT_VALUE_BYTES_MAX;
  if (!valid) throw corruptRow(key, "has a broken pointer to its pieces");
  const pieces = Array.from(
    { length: Math.ceil(bytes / ROW_VALUE_BYTES_MAX) },
    (_, piece) => pieceKey(digest, piece),
  );
  return { pieces, digest, bytes };
}

/** Puts pieces together. Throws `corrupt_store` if they are not the value that was split. */
export function joinPieces(
  key: Key,
  parts: readonly Uint8Array[],
  expected: { readonly digest: Uint8Array; readonly bytes: number },
): Uint8Array {
  const payload = new Uint8Array(
    parts.reduce((sum, part) => sum + part.length, 0),
  );
  let at = 0;
  for (const part of parts) {
    payload.set(part, at);
    at += part.length;
  }
  const whole = payload.length === expected.bytes &&
    sameBytes(blake3(payload).subarray(0, DIGEST_BYTES), expected.digest);
  if (!whole) throw corruptRow(key, "does not match its pieces");
  return payload;
}

/** A fault of one row, named by its key. */
export function corruptRow(key: Key, what: string): MnemError {
  return new MnemError("corrupt_store", `Row ${describeKey(key)} ${what}`);
}

/** A key as text for a message. */
export function describeKey(key: Key): string {
  const parts = key.map((part) =>
    typeof part === "string"
      ? JSON.stringify(part)
      : Array.from(part, (byte) => byte.toString(16).padStart(2, "0")).join("")
  );
  return `[${parts.join(", ")}]`;
}

/** Whether two byte strings are equal. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function frame(
  key: Key,
  form: number,
  inside: Uint8Array,
  sealed: boolean,
): Uint8Array {
  const value = briefBytes(1 + inside.length + (sealed ? SEAL_BYTES : 0));
  value[0] = form;
  value.set(inside, 1);
  if (sealed) {
    value.set(
      seal(key, value.subarray(0, 1 + inside.length)),
      1 + inside.length,
    );
  }
  return value;
}

/** First 8 bytes of BLAKE3 over the CBOR array of the key's parts, then the framed value. */
function seal(key: Key, framed: Uint8Array): Uint8Array {
  const writer = new CborWriter();
  writer.array(key.length);
  for (const part of key) {
    typeof part === "string" ? writer.text(part) : writer.bytes(part);
  }
  writer.raw(framed);
  return writer.finishWith(blake3).subarray(0, SEAL_BYTES);
}
