/**
 * Deno KV in memory: as strict as the real one, without its file. Many stores can be made in the
 * time of one, every row can be looked at, and any of them changed behind a store's back.
 *
 * @module
 */

import { LIST_BATCH_ROWS_MAX } from "../../core/limits.ts";
import { assertKey, assertWithinBudget } from "../../core/storage/budget.ts";
import type {
  AtomicWrite,
  Driver,
  Key,
  KeyPart,
  Row,
  RowRange,
} from "../../core/storage/driver.ts";

/** A database that lives as long as the object; each driver of it is a handle of its own. */
export class MemoryKv {
  readonly #rows = new Map<string, Row>();
  // The encoded keys in order: as latin1 text, whose order is that of the bytes.
  readonly #order: string[] = [];
  #version = 0;

  /** Another database with the same rows. */
  copy(): MemoryKv {
    const copy = new MemoryKv();
    for (const [code, row] of this.#rows) copy.#rows.set(code, row);
    copy.#order.push(...this.#order);
    copy.#version = this.#version;
    return copy;
  }

  /** Opens a handle; closing it leaves the rows. */
  open(): Driver {
    return new MemoryDriver(this);
  }

  /** All rows in the order of the keys, as copies. */
  rows(): Row[] {
    return this.#order.map((code) => copyOf(this.#rows.get(code)!));
  }

  /** One row, as a copy. */
  row(key: Key): Row | null {
    const row = this.#rows.get(encodeKey(key));
    return row === undefined ? null : copyOf(row);
  }

  /** Puts a row there without a check, as a broken disk or another program would. */
  put(key: Key, value: Uint8Array): void {
    const code = encodeKey(key);
    if (!this.#rows.has(code)) this.#order.splice(this.#placeOf(code), 0, code);
    const versionstamp = String(++this.#version).padStart(20, "0");
    this.#rows.set(code, { key, value: value.slice(), versionstamp });
  }

  /** Takes a row away likewise. */
  remove(key: Key): void {
    const code = encodeKey(key);
    if (this.#rows.delete(code)) this.#order.splice(this.#placeOf(code), 1);
  }

  /** The next rows of a range, at most so many. */
  next(from: string, to: string, most: number): { code: string; row: Row }[] {
    const place = this.#placeOf(from);
    return this.#order.slice(place, place + most).filter((code) => code < to)
      .map((code) => ({ code, row: copyOf(this.#rows.get(code)!) }));
  }

  /** The rows of a range from its end. */
  last(from: string, to: string): { code: string; row: Row }[] {
    return this.next(from, to, Infinity).reverse();
  }

  /** Carries out an atomic write. */
  commit(write: AtomicWrite): Awaited<ReturnType<Driver["commit"]>> {
    assertWithinBudget(write);
    const { checks = [], sets = [], deletes = [] } = write;
    for (const { key, versionstamp } of checks) {
      const row = this.#rows.get(encodeKey(key));
      if ((row?.versionstamp ?? null) !== versionstamp) return { ok: false };
    }
    const version = ++this.#version;
    for (const key of deletes) this.remove(key);
    for (const { key, value } of sets) {
      this.#version = version - 1;
      this.put(key, value);
    }
    this.#version = version;
    return { ok: true, versionstamp: String(version).padStart(20, "0") };
  }

  #placeOf(code: string): number {
    let from = 0;
    let to = this.#order.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#order[middle]! < code) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

class MemoryDriver implements Driver {
  readonly name = "native";
  readonly #kv: MemoryKv;
  #closed = false;

  constructor(kv: MemoryKv) {
    this.#kv = kv;
  }

  async getMany(keys: readonly Key[]): Promise<(Row | null)[]> {
    keys.forEach(assertKey);
    await this.#turn();
    return keys.map((key) => this.#kv.row(key));
  }

  async *list(
    range: RowRange,
    options: { readonly limit?: number; readonly reverse?: boolean } = {},
  ): AsyncGenerator<Row> {
    const { limit = Infinity, reverse = false } = options;
    const { from, to } = boundsOf(range);
    if (reverse) {
      await this.#turn();
      for (const { row } of this.#kv.last(from, to).slice(0, limit)) yield row;
      return;
    }
    let left = limit;
    for (let at = from; left > 0;) {
      await this.#turn();
      const most = Math.min(left, LIST_BATCH_ROWS_MAX);
      const batch = this.#kv.next(at, to, most);
      for (const { row } of batch) yield row;
      if (batch.length < most) return;
      left -= batch.length;
      at = `${batch.at(-1)!.code}\0`;
    }
  }

  async commit(write: AtomicWrite): ReturnType<Driver["commit"]> {
    await this.#turn();
    return this.#kv.commit(write);
  }

  close(): void {
    this.#closed = true;
  }

  async #turn(): Promise<void> {
    if (this.#closed) {
      throw new Error("Broken rule of the store: no call on a closed handle");
    }
    await Promise.resolve();
  }
}

function boundsOf(range: RowRange): { from: string; to: string } {
  if ("start" in range) {
    const [from, to] = [encodeKey(range.start), encodeKey(range.end)];
    if (from > to) throw new TypeError("Start key is greater than end key");
    return { from, to };
  }
  const prefix = encodeKey(range.prefix);
  // A row at the prefix itself is not below it.
  return { from: `${prefix}\0`, to: `${prefix}\xff` };
}

/** Encodes a key as KV orders it: type, bytes with each zero escaped, a zero at the end. */
function encodeKey(key: Key): string {
  return key.map(encodePart).join("");
}

function encodePart(part: KeyPart): string {
  const isText = typeof part === "string";
  const bytes = isText ? new TextEncoder().encode(part) : part;
  let code = isText ? "\x02" : "\x01";
  for (const byte of bytes) {
    code += byte === 0 ? "\0\xff" : String.fromCharCode(byte);
  }
  return `${code}\0`;
}

function copyOf(row: Row): Row {
  return { ...row, value: row.value.slice() };
}
