/**
 * Compares two databases commit by commit: all that is stored beside the bytes of a commit must be the
 * same, whichever way the commit came.
 *
 * @module
 */

import assert from "node:assert/strict";
import { toHex } from "../../core/object/hex.ts";
import { type Entry, isLeaf } from "../../core/state/chunk.ts";
import { readRange } from "../../core/state/read_range.ts";
import type { CommitRow } from "../../core/storage/commit_row.ts";
import type { Driver } from "../../core/storage/driver.ts";
import {
  COMMITS_RANGE,
  lastPartHex,
  LOOSE_RANGE,
} from "../../core/storage/keys.ts";
import { StoreReader } from "../../core/storage/store_reader.ts";

/** Throws unless both hold the same commits, each with the same place in history, tree and origins. */
export async function checkSameHistory(a: Driver, b: Driver): Promise<void> {
  const commits = await commitsIn(a);
  assert.deepEqual(await commitsIn(b), commits);
  const [left, right] = [new StoreReader(a), new StoreReader(b)];
  for (const short of commits) {
    const [one, other] = [await left.commit(short), await right.commit(short)];
    assert.deepEqual(placeOf(other), placeOf(one));
    assert.deepEqual(await entriesOf(right, other), await entriesOf(left, one));
    assert.deepEqual(await shapeOf(right, other), await shapeOf(left, one));
  }
}

/** The commits in a database, by the first half of their ids. */
export async function commitsIn(driver: Driver): Promise<string[]> {
  const rows = await Array.fromAsync(driver.list(COMMITS_RANGE));
  return rows.map(({ key }) => lastPartHex(key));
}

/** How many objects it keeps that no commit names. */
export async function looseIn(driver: Driver): Promise<number> {
  return (await Array.fromAsync(driver.list(LOOSE_RANGE))).length;
}

function placeOf({ bytes, root, changes, ...row }: CommitRow) {
  const { level, count, key, id } = root;
  return {
    ...row,
    bytes: toHex(bytes),
    root: { level, count, key, id: toHex(id) },
    changes: changes?.map(({ id, object, old, oldOrigin }) => ({
      id,
      object: object && toHex(object),
      old: old && toHex(old),
      oldOrigin,
    })) ?? null,
  };
}

async function entriesOf(reader: StoreReader, { root }: CommitRow) {
  const entries: Entry[] = await Array.fromAsync(readRange(reader, root));
  return entries.map(({ id, object, changed, born }) => [
    id,
    toHex(object),
    changed,
    born,
  ]);
}

/** The logical ids of all chunks, top down. */
async function shapeOf(
  reader: StoreReader,
  { root }: CommitRow,
): Promise<string[]> {
  const ids: string[] = [];
  let refs = [root];
  while (refs.length > 0) {
    const chunks = await reader.read(refs);
    ids.push(...chunks.map(({ id }) => toHex(id)));
    refs = chunks.flatMap((chunk) => isLeaf(chunk) ? [] : chunk.children);
  }
  return ids;
}
