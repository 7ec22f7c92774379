/**
 * The rows in which a branch keeps what became of requests with keys (FORMAT.md, "Kept requests").
 *
 * @module
 */

import { REQUESTS_IN_ROW_MAX } from "../limits.ts";
import { decodeCbor } from "../object/cbor_reader.ts";
import { type CborValue, isArray } from "../object/cbor_value.ts";
import { encodeCbor } from "../object/encode_cbor.ts";
import { fromHex, toHex } from "../object/hex.ts";
import type { Key } from "./driver.ts";
import { requestKey, requestMarkKey } from "./keys.ts";
import { corruptRow, frameRow, type NewRow } from "./row.ts";

/** What is kept of a request. Digests and commits are 32 hex digits. */
export interface KeptRequest {
  /** The digest of its key. */
  readonly name: string;
  /** The digest of what it asked for. */
  readonly digest: string;
  /** Whether it committed the stage. */
  readonly isStaged: boolean;
  /** Where the branch stood, if the commit alone does not say it; null too where it had no commit. */
  readonly before: string | null;
  /** The commit that it put the branch on; null: it changed nothing. */
  readonly commit: string | null;
  /** What it merged or reverted; null for a write. */
  readonly target: string | null;
}

/** The row that every request with a key sets: its version tells whether one came since. */
export function requestMarkRow(branch: string): NewRow {
  return frameRow(requestMarkKey(branch), new Uint8Array(), true);
}

// In the order in which they are stored.
const PARTS = [
  "name",
  "digest",
  "isStaged",
  "before",
  "commit",
  "target",
] as const;

/** The row of some requests, oldest first, whose names belong into the same one; at least one. */
export function requestsRow(
  branch: string,
  kept: readonly KeptRequest[],
): NewRow {
  const list = kept.map((one) =>
    PARTS.map((part) => one[part]).map((value) =>
      typeof value === "string" ? fromHex(value) : value
    )
  );
  return frameRow(requestKey(branch, kept[0]!.name), encodeCbor(list), true);
}

/** Reads what a row keeps, oldest first. Throws `corrupt_store` for anything else. */
export function readRequests(key: Key, payload: Uint8Array): KeptRequest[] {
  const list = decodeCbor(payload);
  const isList = isArray(list) && list.length <= REQUESTS_IN_ROW_MAX &&
    list.every(isRequest);
  if (!isList) throw corruptRow(key, "is no list of requests");
  return list.map(([name, digest, isStaged, before, commit, target]) => ({
    name: toHex(name),
    digest: toHex(digest),
    isStaged,
    before: before && toHex(before),
    commit: commit && toHex(commit),
    target: target && toHex(target),
  }));
}

/** A request as it is stored, in the order of PARTS. */
type StoredRequest = readonly [
  name: Uint8Array,
  digest: Uint8Array,
  isStaged: boolean,
  before: Uint8Array | null,
  commit: Uint8Array | null,
  target: Uint8Array | null,
];

function isRequest(item: CborValue): item is CborValue & StoredRequest {
  return isArray(item) && item.length === PARTS.length &&
    item.every((value, i) =>
      i === 2
        ? typeof value === "boolean"
        : value instanceof Uint8Array && value.length === 16 ||
          i > 2 && value === null
    );
}
