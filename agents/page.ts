/**
 * Pages of a list: bounded in items and in bytes, with a cursor that says where the next one begins.
 *
 * @module
 */

import {
  type Commit,
  type MemoryNode,
  type ObjectId,
  PAGE_BYTES_MAX,
} from "@mnem/core";
import { toWire } from "./wire.ts";

// No item is as short as 60 bytes, so that the bound in bytes is met first.
const PAGE_ITEMS_MAX = 1_000;

// What an answer adds to its items: names, the commit, and a cursor, which is longest for a node id
// of 1,024 bytes that are all escaped.
const FRAME_BYTES = 4_000;

const CURSORS = {
  nodes: /^nodes:([0-9a-f]{64}):([!-~]*)$/,
  commits: /^commits:([0-9a-f]{64}):([1-9][0-9]{0,11})$/,
} as const;

const encoder = new TextEncoder();

/** Some items of a list. */
export interface Page<T> {
  /** In the order of the list. */
  readonly items: T[];
  /** Whether the list goes on. */
  readonly more: boolean;
}

/** Where a list goes on: a commit that fixes what is listed, and a place within it. */
export interface Place {
  /** What the cursor is for: no list takes another's. */
  readonly list: "nodes" | "commits";
  /** The commit that the list is read from. */
  readonly commit: ObjectId;
  /** The last node id listed, or the number of commits to pass over. */
  readonly after: string;
}

/**
 * Takes items until there are `limit` of them or {@linkcode PAGE_BYTES_MAX} is reached. A page holds
 * at least one item, however large, so that a list always moves on.
 */
export async function takePage<T extends Commit | MemoryNode>(
  source: AsyncIterable<T>,
  limit: number,
): Promise<Page<T>> {
  const items: T[] = [];
  let bytes = FRAME_BYTES;
  for await (const item of source) {
    bytes += wireBytes(item) + 1;
    const full = items.length === limit || bytes > PAGE_BYTES_MAX;
    if (full && items.length > 0) return { items, more: true };
    items.push(item);
  }
  return { items, more: false };
}

/**
 * Returns the limit asked for, or the usual one.
 *
 * @throws {RangeError} If it is not a positive integer.
 */
export function checkedLimit(
  limit: number | undefined,
  usual: number,
): number {
  if (limit === undefined) return usual;
  if (Number.isSafeInteger(limit) && limit > 0) {
    return Math.min(limit, PAGE_ITEMS_MAX);
  }
  throw new RangeError(
    `Cannot list: limit is ${String(limit)}, it must be an integer from 1`,
  );
}

/** Writes a place as text of printable ASCII. */
export function formatCursor(place: Place): string {
  return `${place.list}:${place.commit}:${encodeURIComponent(place.after)}`;
}

/**
 * Reads what {@linkcode formatCursor} wrote.
 *
 * @throws {RangeError} If it is not a cursor of this list.
 */
export function parseCursor(list: Place["list"], cursor: string): Place {
  const [, commit, after] = CURSORS[list].exec(cursor) ?? [];
  if (commit !== undefined && after !== undefined) {
    try {
      return { list, commit, after: decodeURIComponent(after) };
    } catch {
      // A broken escape: reported like any other text that is no cursor.
    }
  }
  throw new RangeError(
    `Cannot list ${list}: ${
      JSON.stringify(cursor)
    } is no cursor that an earlier page of ${list} gave`,
  );
}

function wireBytes(item: Commit | MemoryNode): number {
  const text = JSON.stringify(
    toWire(item),
    (_name, value: unknown) =>
      typeof value === "bigint" ? value.toString() : value,
  );
  return encoder.encode(text).length;
}
