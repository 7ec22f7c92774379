/**
 * Every key of the store, in one place (FORMAT.md, "Rows"). Parts are text or bytes, never numbers:
 * the two KV clients disagree on the order of some numbers.
 *
 * @module
 */

import { NODE_ID_BYTES_MAX, REQUEST_ROWS } from "../limits.ts";
import { briefBytes } from "../object/brief_bytes.ts";
import { shortOf } from "../object/graph_commit.ts";
import { blake3 } from "../object/hash.ts";
import { fromHex, toHex } from "../object/hex.ts";
import { encodeUtf8, utf8Length } from "../object/utf8.ts";
import type { Key, RowRange } from "./driver.ts";

/** The row that says what store this is. */
export const META_KEY: Key = ["meta"];
/** The row that names the current branch, or the commit of a detached HEAD. */
export const HEAD_KEY: Key = ["HEAD"];
/** The row that every change of the stage sets. */
export const STAGE_MARK_KEY: Key = ["S"];
/** All branches. */
export const REFS_RANGE: RowRange = { prefix: ["r"] };
/** All commits. */
export const COMMITS_RANGE: RowRange = { prefix: ["c"] };
/** All nodes whose ids can be a part of a key. */
export const NODES_RANGE: RowRange = { prefix: ["n"] };
/** All other nodes, which only an import brings. */
export const LONG_NODES_RANGE: RowRange = { prefix: ["N"] };
/** All staged nodes and removals. */
export const STAGED_RANGE: RowRange = { prefix: ["s"] };

/** The key of a branch. */
export function refKey(branch: string): Key {
  return ["r", branch];
}

/** The key of a commit, named by its id or the first 32 digits of it. */
export function commitKey(commit: string): Key {
  return ["c", fromHex(shortOf(commit))];
}

/** The commits whose id begins with some hex digits, at most 32 of them. */
export function commitsRange(digits: string): RowRange {
  const low = fromHex(digits.padEnd(32, "0"));
  const high = fromHex(digits.padEnd(32, "f"));
  // The end of a range is exclusive, and a longer part sorts after its prefix.
  const end = new Uint8Array(17);
  end.set(high);
  return { start: ["c", low], end: ["c", end] };
}

/** The key of a part of a bulk commit's chunks. Part 0 names the commit. */
export function partKey(pack: string, part: number): Key {
  return ["p", fromHex(pack), uint32(part)];
}

/** The key of a node's bytes. */
export function nodeKey(id: string, object: Uint8Array): Key {
  return isKeyable(id)
    ? ["n", id, shortBytes(object)]
    : ["N", blake3(encodeUtf8(id)), shortBytes(object)];
}

/** The stored versions of one id. */
export function versionsRange(id: string): RowRange {
  return { prefix: isKeyable(id) ? ["n", id] : ["N", blake3(encodeUtf8(id))] };
}

/** The stored versions of an id and of all after it up to another, in id order. */
export function nodesRange(from: string, to?: string): RowRange {
  // The end of a range is exclusive, and a longer part sorts after its prefix.
  const end: Key = to === undefined
    ? ["n\u0001"]
    : ["n", to, new Uint8Array(17).fill(0xff)];
  return { start: ["n", from], end };
}

/** The key that marks the removal of a node by a commit. */
export function removalKey(id: string, commit: string): Key {
  const removed = fromHex(shortOf(commit));
  return isKeyable(id)
    ? ["d", id, removed]
    : ["D", blake3(encodeUtf8(id)), removed];
}

/** The removals of a node. */
export function removalsRange(id: string): RowRange {
  return { prefix: isKeyable(id) ? ["d", id] : ["D", blake3(encodeUtf8(id))] };
}

/** The key of a piece of a long value; `digest` is the first 16 bytes of BLAKE3 of the value. */
export function pieceKey(digest: Uint8Array, piece: number): Key {
  return ["x", digest, uint32(piece)];
}

/** All imported objects that no commit names. */
export const LOOSE_RANGE: RowRange = { prefix: ["u"] };

/** The key of an imported object that no commit names, given its id. */
export function looseKey(object: Uint8Array): Key {
  return ["u", shortBytes(object)];
}

/** By hand, into room that is there: to slice them costs more than the rest of a row. */
function shortBytes(object: Uint8Array): Uint8Array {
  const short = briefBytes(16);
  for (let i = 0; i < 16; i++) short[i] = object[i]!;
  return short;
}

/** The key of the row that every request with a key sets on its branch. */
export function requestMarkKey(branch: string): Key {
  return ["k", branch];
}

/** The key of the row that keeps a request, given the hex digits of its name. */
export function requestKey(branch: string, name: string): Key {
  const row = fromHex(name.slice(0, 2))[0]! % REQUEST_ROWS;
  return [...requestMarkKey(branch), Uint8Array.of(row)];
}

/** The keys of everything that a branch keeps of requests. */
export function requestKeys(branch: string): Key[] {
  const mark = requestMarkKey(branch);
  return [
    mark,
    ...Array.from(
      { length: REQUEST_ROWS },
      (_, row): Key => [...mark, Uint8Array.of(row)],
    ),
  ];
}

/** The key of a staged node or removal. */
export function stagedKey(id: string): Key {
  return ["s", id];
}

/** The last part of a key, as hex digits. */
export function lastPartHex(key: Key): string {
  const part = key.at(-1);
  return part instanceof Uint8Array ? toHex(part) : "";
}

/** Whether an id can be a part of a key: only an import brings others. */
export function isKeyable(id: string): boolean {
  return utf8Length(id) <= NODE_ID_BYTES_MAX && !id.includes("\0");
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}
