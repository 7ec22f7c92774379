/**
 * How a chunk of the state tree is stored (FORMAT.md, "Chunk records"): node ids front-coded, the
 * commits behind the values in a dictionary, children with the place where they lie.
 *
 * @module
 */

import { invariant, MnemError } from "../errors.ts";
import { CborReader } from "../object/cbor_reader.ts";
import { CborWriter, MAJOR } from "../object/cbor_writer.ts";
import { toHex } from "../object/hex.ts";
import {
  type Chunk,
  type ChunkAddress,
  type ChunkRef,
  type Entry,
  type Index,
  isLeaf,
  isStored,
  type Leaf,
  type Origin,
  sameId,
  SELF,
} from "../state/chunk.ts";
import { makeIndex, makeLeaf, packedIds } from "../state/make_chunk.ts";
import { readKey, writeKey } from "./coded_keys.ts";
import { ChunkTables } from "./chunk_table.ts";

const originTables = new ChunkTables<Origin>();
const packTables = new ChunkTables<string>();

/** The row that a chunk record lies in: what "self" means there. */
export interface RecordHome {
  /** The commit that the row belongs to; undefined while it has no id yet. */
  readonly self: Origin | undefined;
  /** The row itself: 32 hex digits of the commit, or of the pack of a bulk commit. */
  readonly pack: string;
}

/** Encodes a chunk whose children are all stored. */
export function encodeChunk(chunk: Chunk, home: RecordHome): Uint8Array {
  const writer = new CborWriter();
  if (isLeaf(chunk)) writeLeaf(writer, chunk, home);
  else writeIndex(writer, chunk, home);
  return writer.finishBrief();
}

/** Decodes a chunk. Throws `corrupt_store` unless it is the one that the reference names. */
export function decodeChunk(
  bytes: Uint8Array,
  home: RecordHome,
  expected: ChunkRef,
): Chunk {
  const chunk = decodeAnyChunk(bytes, home);
  if (!isNamed(chunk, expected)) {
    throw otherChunk(expected);
  }
  return chunk;
}

/** Decodes a chunk, whichever it is. Throws `corrupt_store` for anything but the record of one. */
export function decodeAnyChunk(bytes: Uint8Array, home: RecordHome): Chunk {
  const inside = readRecord(bytes, home);
  return "entries" in inside
    ? makeLeaf(inside.entries)
    : makeIndex(inside.level, inside.children);
}

/** What a record holds of a chunk, whose id follows from it. */
export type RecordContent = Pick<Leaf, "entries"> | Omit<Index, "id" | "count">;

/** Reads a record without working out which chunk it is. Throws `corrupt_store` for anything else. */
export function readRecord(
  bytes: Uint8Array,
  home: RecordHome,
): RecordContent {
  const reader = new CborReader(bytes);
  const items = reader.readArrayHead();
  const level = reader.readUint();
  const inside = level === 0
    ? { entries: readEntries(reader, home) }
    : { level, children: readChildren(reader, home, level) };
  if (items !== 4 || !reader.atEnd) throw brokenRecord();
  return inside;
}

/** Whether a chunk is the one that a reference names. */
export function isNamed(chunk: Chunk, ref: ChunkRef): boolean {
  return chunk.level === ref.level && chunk.count === ref.count &&
    sameId(chunk.id, ref.id);
}

/** Writes an origin: null for the commit whose row this is, else its id, time and generation. */
export function writeOrigin(
  writer: CborWriter,
  origin: Origin,
  self: Origin | undefined,
): void {
  if (isSelf(origin, self)) return writer.null();
  writer.array(3);
  writer.hex(origin.commit);
  writer.int(origin.timeMs);
  writer.int(origin.generation);
}

function isSelf(origin: Origin, self: Origin | undefined): boolean {
  return origin === SELF || origin.commit === self?.commit;
}

/** Reads what {@linkcode writeOrigin} wrote. */
export function readOrigin(
  reader: CborReader,
  self: Origin | undefined,
): Origin {
  if (readNull(reader)) return self ?? SELF;
  if (reader.readArrayHead() !== 3) throw brokenRecord();
  return {
    commit: toHex(reader.readBytes()),
    timeMs: Number(reader.readInt()),
    generation: reader.readUint(),
  };
}

/** Passes over a null, and tells whether there was one. */
export function readNull(reader: CborReader): boolean {
  if (!reader.atNull) return false;
  reader.readNull();
  return true;
}

function writeLeaf(writer: CborWriter, leaf: Leaf, home: RecordHome): void {
  const { entries, cast } = leaf;
  const table = originTables.of(cast, entries.length * 2);
  const code = table.follow(cast, entries, {
    set(i) {
      const { changed, born } = entries[i]!;
      table.set(2 * i, changed.commit, changed);
      table.set(2 * i + 1, born.commit, born);
    },
    write(writer, i) {
      writeKey(writer, entries[i - 1]?.id ?? "", entries[i]!.id);
      writer.int(table.uses[2 * i]!);
      writer.int(table.uses[2 * i + 1]!);
    },
  });
  const origins = table.table;
  writer.array(4);
  writer.int(0);
  writer.array(origins.length);
  for (let i = 0; i < origins.length; i++) {
    if (isSelf(origins[i]!, home.self)) writer.null();
    else writer.raw(table.code(i, encodeOrigin));
  }
  writer.array(entries.length * 4);
  writer.raw(code);
  writeIds(writer, leaf, (leaf) => leaf.entries.map(({ object }) => object));
}

function readEntries(reader: CborReader, home: RecordHome): Entry[] {
  const origins = Array.from(
    { length: reader.readArrayHead() },
    () => readOrigin(reader, home.self),
  );
  const count = reader.readArrayHead() / 4;
  const heads: { id: string; changed: Origin; born: Origin }[] = [];
  let id = "";
  for (let i = 0; i < count; i++) {
    id = readKey(reader, id);
    const changed = origins[reader.readUint()];
    const born = origins[reader.readUint()];
    if (changed === undefined || born === undefined) throw brokenRecord();
    heads.push({ id, changed, born });
  }
  const objects = readIds(reader, count);
  return heads.map((head, i) => ({
    id: head.id,
    object: objects[i]!,
    changed: head.changed,
    born: head.born,
  }));
}

function writeIndex(writer: CborWriter, chunk: Index, home: RecordHome): void {
  const { children, cast } = chunk;
  const table = packTables.of(cast, children.length);
  const code = table.follow(cast, children, {
    set(i) {
      const { pack } = addressOf(children[i]!);
      table.set(i, pack, pack);
    },
    write(writer, i) {
      const child = children[i]!;
      const { part, index } = addressOf(child);
      writeKey(writer, children[i - 1]?.key ?? "", child.key);
      writer.int(child.count);
      writer.int(table.uses[i]!);
      writer.int(part);
      writer.int(index);
    },
  });
  const packs = table.table;
  writer.array(4);
  writer.int(chunk.level);
  writer.array(packs.length);
  for (let i = 0; i < packs.length; i++) {
    if (packs[i] === home.pack) writer.null();
    else writer.raw(table.code(i, encodePack));
  }
  writer.array(children.length * 6);
  writer.raw(code);
  writeIds(writer, chunk, (chunk) => chunk.children.map(({ id }) => id));
}

function encodeOrigin(origin: Origin): Uint8Array {
  const writer = new CborWriter();
  writeOrigin(writer, origin, undefined);
  return writer.finish();
}

function encodePack(pack: string): Uint8Array {
  const writer = new CborWriter();
  writer.hex(pack);
  return writer.finish();
}

function readChildren(
  reader: CborReader,
  home: RecordHome,
  level: number,
): ChunkRef[] {
  const packs = Array.from(
    { length: reader.readArrayHead() },
    () => readNull(reader) ? home.pack : toHex(reader.readBytes()),
  );
  const count = reader.readArrayHead() / 6;
  const heads: {
    key: string;
    count: number;
    at: { pack: string; part: number; index: number };
  }[] = [];
  let key = "";
  for (let i = 0; i < count; i++) {
    key = readKey(reader, key);
    const below = reader.readUint();
    const pack = packs[reader.readUint()];
    if (pack === undefined) throw brokenRecord();
    heads.push({
      key,
      count: below,
      at: { pack, part: reader.readUint(), index: reader.readUint() },
    });
  }
  const ids = readIds(reader, count);
  return heads.map((head, i) => ({ ...head, id: ids[i]!, level: level - 1 }));
}

/** Where a stored chunk lies. A chunk that is not stored yet is a defect of ours. */
export function addressOf(ref: ChunkRef): ChunkAddress {
  invariant(isStored(ref.at), "a chunk is stored before what refers to it");
  return ref.at;
}

function writeIds<C extends Chunk>(
  writer: CborWriter,
  chunk: C,
  idsOf: (chunk: C) => readonly Uint8Array[],
): void {
  const packed = packedIds(chunk);
  if (packed !== undefined) return writer.bytes(packed);
  const ids = idsOf(chunk);
  writer.head(MAJOR.bytes, ids.length * 32);
  for (const id of ids) writer.raw(id);
}

function readIds(reader: CborReader, count: number): Uint8Array[] {
  // A copy: a cache that holds the chunk must not hold the row that it lay in, which is ten times as long.
  const all = reader.readBytes().slice();
  if (all.length !== count * 32) throw brokenRecord();
  return Array.from(
    { length: count },
    (_, i) => all.subarray(i * 32, i * 32 + 32),
  );
}

/** A chunk that is not the one that a reference names. */
export function otherChunk(expected: ChunkRef): MnemError {
  return new MnemError(
    "corrupt_store",
    `A chunk of the state is not the ${toHex(expected.id)} that names it`,
  );
}

function brokenRecord(): MnemError {
  return new MnemError(
    "corrupt_store",
    "A chunk record of the state is broken",
  );
}
