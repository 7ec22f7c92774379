/**
 * Copies what was built into the database where it is to stay.
 *
 * @module
 */

import { ATOMIC_CHECKS_MAX } from "../limits.ts";
import type { Driver, Key, Row } from "../storage/driver.ts";
import {
  corruptRow,
  describeKey,
  type NewRow,
  sameBytes,
} from "../storage/row.ts";
import { untilLanded } from "../store/until_landed.ts";
import { writeAhead } from "../store/write_ahead.ts";
import { inBatches as atomicBatches } from "../store/write_rows.ts";

/** Heads of rows in the order in which they are copied: whatever is named comes before what names it. */
const HEADS = ["x", "p", "n", "N", "d", "D", "u", "c"] as const;

/** Heads of rows whose keys are said by what they hold, if only by 16 bytes of it. */
const CONTENT_HEADS: ReadonlySet<string> = new Set(["n", "N", "u"]);

/** Rows that are copied at once. */
const BATCH_ROWS = 1_000;
/** And their bytes. */
const BATCH_BYTES = 4 * 1024 * 1024;

/** A commit was stored meanwhile, laid out otherwise: what was built on it must be built again. */
export class CommitCame extends Error {}

/**
 * Copies all rows of one database to another one. Rows that are there stay as they are. Throws
 * `corrupt_store` for a node of which another one has the same first 16 bytes, and
 * {@linkcode CommitCame}.
 */
export async function copyRows(
  from: Driver,
  to: Driver,
  check: () => void,
): Promise<void> {
  for (const head of HEADS) {
    for await (const rows of inBatches(from.list({ prefix: [head] }))) {
      check();
      if (head === "c") await copyCommits(to, rows);
      else if (CONTENT_HEADS.has(head)) await copyContent(to, rows);
      else await writeAhead(to, rows);
    }
  }
}

/** Deletes from one database all rows of another one; refs and HEAD are the caller's. */
export async function deleteRows(from: Driver, to: Driver): Promise<void> {
  for (const head of [...HEADS].reverse()) {
    for await (const rows of inBatches(from.list({ prefix: [head] }))) {
      await deleteKeys(to, rows.map(({ key }) => key));
    }
  }
}

/** Deletes rows, whether they are there or not. */
export async function deleteKeys(
  from: Driver,
  keys: readonly Key[],
): Promise<void> {
  for (const { deletes } of atomicBatches({ deletes: keys })) {
    await untilLanded("remove what was imported", async () => {
      const { ok } = await from.commit({ deletes });
      return ok ? true : undefined;
    });
  }
}

async function copyContent(to: Driver, rows: readonly Row[]): Promise<void> {
  const there = await to.getMany(rows.map(({ key }) => key));
  const missing = rows.filter(({ key, value }, i) => {
    const row = there[i];
    if (!row) return true;
    if (sameBytes(row.value, value)) return false;
    throw corruptRow(
      key,
      "holds another object that begins with the same 16 bytes",
    );
  });
  await writeAhead(to, missing);
}

async function copyCommits(to: Driver, rows: readonly Row[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ATOMIC_CHECKS_MAX) {
    const sets = rows.slice(at, at + ATOMIC_CHECKS_MAX);
    await untilLanded("import", async () => {
      const missing = await missingOf(to, sets);
      if (missing.length === 0) return true;
      const checks = missing.map(({ key }) => ({ key, versionstamp: null }));
      const { ok } = await to.commit({ checks, sets: missing });
      return ok ? true : undefined;
    });
  }
}

/** Those of some commits that are not there. */
async function missingOf(
  to: Driver,
  rows: readonly Row[],
): Promise<readonly NewRow[]> {
  const there = await to.getMany(rows.map(({ key }) => key));
  return rows.filter(({ key, value }, i) => {
    const row = there[i];
    if (row && !sameBytes(row.value, value)) {
      throw new CommitCame(`Row ${describeKey(key)} came meanwhile`);
    }
    return !row;
  });
}

async function* inBatches(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  let bytes = 0;
  for await (const row of rows) {
    batch.push(row);
    bytes += row.value.length;
    if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
