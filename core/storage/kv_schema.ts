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
/**
 * While the file holds no schema yet, the log holds it among the first things written: in the shorter
 * part, if KV made it.
 */
const LOG_BYTES = [64 * 1024, 4 * 1024 * 1024];

/**
 * Reads the start of a database: its header, and as much of its schema as tells whose it is. Throws
 * what the file system throws.
 */
export function readSchema(file: string): Uint8Array {
  return readStart(file, SCHEMA_BYTES);
}

/**
 * Whether a SQLite database that starts so has tables, and not those of Deno KV. `log` is its
 * write-ahead log, which may be missing.
 */
export function isForeignDatabase(first: Uint8Array, log: string): boolean {
  if (textOf(first).includes(KV_TABLE)) return false;
  if (hasTables(first)) return true;
  let logged = "";
  for (const most of LOG_BYTES) {
    logged = textOf(readLog(log, most));
    if (logged.includes(KV_TABLE)) return false;
    // There is no more of it.
    if (logged.length < most) break;
  }
  return logged.includes("CREATE ");
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

function readLog(log: string, most: number): Uint8Array {
  try {
    return readStart(log, most);
  } catch {
    return new Uint8Array();
  }
}

/** Reads at most so many bytes from the beginning of a file: at once, which another thread does not. */
function readStart(path: string, most: number): Uint8Array {
  const file = openSync(path, "r");
  try {
    const bytes = new Uint8Array(Math.min(fstatSync(file).size, most));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}
