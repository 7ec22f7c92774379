/**
 * Tells a database of Deno KV from one of another program before KV opens it: KV would make its tables
 * beside those that are there.
 *
 * @module
 */

import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** The table that KV makes first, as its name stands in the schema. */
const KV_TABLE = "CREATE TABLE migration_state";
/** The schema lies at the beginning of the file, in its first pages. */
const SCHEMA_BYTES = 16_384;
/** While the file holds no schema yet, the log holds it among the first things written. */
const LOG_BYTES = 4 * 1024 * 1024;

/**
 * Whether a SQLite database has tables, and not those of Deno KV. `log` is its write-ahead log, which
 * may be missing. Throws what the file system throws for the database itself.
 */
export function isForeignDatabase(file: string, log: string): boolean {
  const first = readStart(file, SCHEMA_BYTES);
  if (textOf(first).includes(KV_TABLE)) return false;
  if (hasTables(first)) return true;
  const logged = textOf(readLog(log));
  return logged.includes("CREATE ") && !logged.includes(KV_TABLE);
}

/** Whether the schema's root page has entries (https://sqlite.org/fileformat2.html, 1.6). */
function hasTables(first: Uint8Array): boolean {
  const [type, , , high = 0, low = 0] = first.subarray(100, 105);
  const isLeaf = type === 0x0d;
  return type !== undefined && (!isLeaf || high + low > 0);
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

function readLog(log: string): Uint8Array {
  try {
    return readStart(log, LOG_BYTES);
  } catch {
    return new Uint8Array();
  }
}

/** Reads at most so many bytes from the beginning of a file: at once, which another thread does not. */
export function readStart(path: string, most: number): Uint8Array {
  const file = openSync(path, "r");
  try {
    const bytes = new Uint8Array(Math.min(fstatSync(file).size, most));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}
