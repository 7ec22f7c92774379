/**
 * All rows of a database, and the same rows written to another one as fast as Deno KV takes them: the
 * floor of whatever moves a whole store.
 *
 * @module
 */

/** A row as Deno KV has it. */
export interface BareRow {
  /** Its key. */
  readonly key: Deno.KvKey;
  /** Its value. */
  readonly value: unknown;
}

/** One atomic write: as many rows as KV takes, and bytes well within it. */
const ROWS_MAX = 400;
const BYTES_MAX = 400_000;

/** Reads all rows of the store in a folder. */
export async function readRows(folder: string): Promise<BareRow[]> {
  const kv = await Deno.openKv(`${folder}/.mnem/kv.db`);
  const rows: BareRow[] = [];
  for await (const { key, value } of kv.list({ prefix: [] })) {
    rows.push({ key, value });
  }
  kv.close();
  return rows;
}

/** Writes rows to a new database in a folder. */
export async function writeRows(
  folder: string,
  rows: readonly BareRow[],
): Promise<void> {
  const kv = await Deno.openKv(`${folder}/kv.db`);
  let [atomic, count, bytes] = [kv.atomic(), 0, 0];
  for (const { key, value } of rows) {
    const size = value instanceof Uint8Array ? value.length : 100;
    if (count >= ROWS_MAX || bytes + size > BYTES_MAX) {
      await atomic.commit();
      [atomic, count, bytes] = [kv.atomic(), 0, 0];
    }
    atomic.set(key, value);
    count += 1;
    bytes += size;
  }
  await atomic.commit();
  kv.close();
}
