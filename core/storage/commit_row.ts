/**
 * The row of a commit (FORMAT.md, "Commit rows"): the commit's bytes with all that history needs of
 * it, and the chunks of the state that are new in it.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { CborReader } from "../object/cbor_reader.ts";
import { CborWriter } from "../object/cbor_writer.ts";
import { type Commit, decodeCommit, type ObjectId } from "../object/commit.ts";
import { type GraphCommit, shortOf } from "../object/graph_commit.ts";
import { blake3 } from "../object/hash.ts";
import { toHex } from "../object/hex.ts";
import type { ChunkRef, Origin } from "../state/chunk.ts";
import {
  addressOf,
  readNull,
  readOrigin,
  writeOrigin,
} from "./chunk_record.ts";

/** How a state is identified: as one flat object, or as the root of a tree. */
export type StateForm = "tree" | "flat";

/** The forms by their numbers in a meta block. */
const FORMS: readonly StateForm[] = ["flat", "tree"];

/** One node that a commit changed against its first parent. */
export interface ListedChange {
  /** The node's id. */
  readonly id: string;
  /** The object after; null when the node was removed. */
  readonly object: Uint8Array | null;
  /** The object before; null when the node was added. */
  readonly old: Uint8Array | null;
  /** The commit that wrote the object before. */
  readonly oldOrigin: Origin | null;
}

/** A stored commit, decoded. */
export interface CommitRow extends GraphCommit {
  /** The commit's canonical bytes, as stored. */
  readonly bytes: Uint8Array;
  /** The root of the state's tree. */
  readonly root: ChunkRef;
  /** How the state is identified. */
  readonly form: StateForm;
  /** What changed against the first parent, in id order; null when too long to list. */
  readonly changes: readonly ListedChange[] | null;
}

/** The origin that entries written by a commit have. */
export function originOf(row: CommitRow): Origin {
  return {
    commit: shortOf(row.commit.id),
    timeMs: row.commit.timeMs,
    generation: row.generation,
  };
}

/** The commit of a row as callers get it: a copy, theirs to change. */
export function commitOf(row: CommitRow): Commit {
  return { ...row.commit, parents: [...row.commit.parents] };
}

/** Encodes the part of a commit row that is no chunk. The root must be stored. */
export function encodeMetaBlock(row: CommitRow): Uint8Array {
  const own = shortOf(row.commit.id);
  const writer = new CborWriter();
  writer.array(8);
  writer.bytes(row.bytes);
  writer.int(row.generation);
  writer.int(row.depth);
  row.mergeDepth === null ? writer.null() : writer.int(row.mergeDepth);
  writer.array(row.skips.length * 3);
  for (const skip of row.skips) {
    writer.hex(skip.commit);
    writer.int(skip.depth);
    writer.int(skip.size);
  }
  writeRoot(writer, row.root, own);
  writer.int(FORMS.indexOf(row.form));
  if (row.changes === null) writer.null();
  else writer.raw(encodeChangeList(row.changes));
  return writer.finishBrief();
}

/** Decodes a meta block. Throws `corrupt_store` unless the commit has the id that begins so. */
export function decodeMetaBlock(bytes: Uint8Array, short: string): CommitRow {
  const reader = new CborReader(bytes);
  if (reader.readArrayHead() !== 8) throw brokenMeta(short);
  const commitBytes = reader.readBytes();
  const id: ObjectId = toHex(blake3(commitBytes));
  if (shortOf(id) !== short) throw brokenMeta(short);
  const commit: Commit = { id, ...decodeCommit(commitBytes) };
  const generation = reader.readUint();
  const depth = reader.readUint();
  const mergeDepth = readNull(reader) ? null : reader.readUint();
  const skips = Array.from({ length: reader.readArrayHead() / 3 }, () => ({
    commit: toHex(reader.readBytes()),
    depth: reader.readUint(),
    size: reader.readUint(),
  }));
  const root = readRoot(reader, short);
  const form = FORMS[reader.readUint()];
  const changes = readNull(reader) ? null : readChangeList(reader);
  if (form === undefined || !reader.atEnd) throw brokenMeta(short);
  return {
    commit,
    bytes: commitBytes,
    generation,
    depth,
    mergeDepth,
    skips,
    root,
    form,
    changes,
  };
}

/** Encodes a change list, as it stands in a meta block. */
export function encodeChangeList(changes: readonly ListedChange[]): Uint8Array {
  const writer = new CborWriter();
  writer.array(changes.length * 4);
  for (const change of changes) {
    writer.text(change.id);
    change.object === null ? writer.null() : writer.bytes(change.object);
    change.old === null ? writer.null() : writer.bytes(change.old);
    if (change.oldOrigin === null) writer.null();
    else writeOrigin(writer, change.oldOrigin, undefined);
  }
  return writer.finishBrief();
}

/** Encodes a whole commit row: version, meta block, chunk records. */
export function encodeCommitRow(
  meta: Uint8Array,
  records: readonly Uint8Array[],
): Uint8Array {
  const writer = new CborWriter();
  writer.array(2 + records.length);
  writer.int(1);
  writer.bytes(meta);
  for (const record of records) writer.bytes(record);
  return writer.finishBrief();
}

/** Takes a commit row apart. Throws `format_version` for a layout of a later version. */
export function decodeCommitRow(payload: Uint8Array): {
  readonly meta: Uint8Array;
  readonly records: readonly Uint8Array[];
} {
  const reader = new CborReader(payload);
  const count = Math.max(0, reader.readArrayHead() - 2);
  const version = reader.readUint();
  if (version !== 1) {
    throw new MnemError(
      "format_version",
      `A commit row has version ${version}, this reads 1`,
    );
  }
  const meta = reader.readBytes();
  const records = Array.from({ length: count }, () => reader.readBytes());
  reader.end();
  return { meta, records };
}

function writeRoot(writer: CborWriter, root: ChunkRef, own: string): void {
  const { pack, part, index } = addressOf(root);
  writer.array(7);
  writer.int(root.level);
  writer.int(root.count);
  writer.text(root.key);
  writer.bytes(root.id);
  pack === own ? writer.null() : writer.hex(pack);
  writer.int(part);
  writer.int(index);
}

function readRoot(reader: CborReader, own: string): ChunkRef {
  if (reader.readArrayHead() !== 7) throw brokenMeta(own);
  return {
    level: reader.readUint(),
    count: reader.readUint(),
    key: reader.readText(),
    id: reader.readBytes(),
    at: {
      pack: readNull(reader) ? own : toHex(reader.readBytes()),
      part: reader.readUint(),
      index: reader.readUint(),
    },
  };
}

function readChangeList(reader: CborReader): ListedChange[] {
  return Array.from({ length: reader.readArrayHead() / 4 }, () => {
    const id = reader.readText();
    const object = readNull(reader) ? null : reader.readBytes();
    const old = readNull(reader) ? null : reader.readBytes();
    const oldOrigin = readNull(reader) ? null : readOrigin(reader, undefined);
    return { id, object, old, oldOrigin };
  });
}

function brokenMeta(short: string): MnemError {
  return new MnemError("corrupt_store", `The row of commit ${short} is broken`);
}
