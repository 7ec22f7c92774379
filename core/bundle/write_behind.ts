/**
 * A driver that writes in the background: rows that nothing names yet need no answer before the next
 * ones are made.
 *
 * @module
 */

import { isMnemError } from "../errors.ts";
import {
  ATOMIC_MUTATIONS_MAX,
  GROUP_BYTES_MAX,
  KV_VALUE_BYTES_MAX,
  SINGLE_WRITE_KEY_BYTES_MAX,
} from "../limits.ts";
import { keyBytes } from "../storage/budget.ts";
import type {
  AtomicWrite,
  Driver,
  Key,
  Row,
  RowRange,
} from "../storage/driver.ts";
import type { FramedRow, NewRow } from "../storage/row.ts";
import { withOutcome } from "../store/until_landed.ts";

/** Atomic writes that may be on their way: one is written while the next waits for it. */
const IN_FLIGHT_MAX = 2;

/** Gathers rows into large writes, which it does not wait for. Reading waits for all of them. */
export class WriteBehind implements Driver {
  /** That of the driver below. */
  readonly name: Driver["name"];
  readonly #inner: Driver;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #idle: RowBatch[] = [];
  #batch = new RowBatch();
  #failure: { readonly error: unknown } | undefined;

  /** Wraps a driver. */
  constructor(inner: Driver) {
    this.name = inner.name;
    this.#inner = inner;
  }

  /** Sets rows at some time, with their pieces; throws what an earlier write threw. */
  async set(rows: readonly (NewRow | FramedRow)[]): Promise<void> {
    for (const row of rows) {
      if (this.add(row)) await this.room();
    }
  }

  /** Sets one row at some time; true if {@linkcode room} must be waited for before the next. */
  add(row: NewRow | FramedRow): boolean {
    if ("pieces" in row) {
      for (const piece of row.pieces) this.#put(piece);
    }
    this.#put(row);
    return this.#inFlight.size > IN_FLIGHT_MAX;
  }

  /** Waits until there is room. Throws what an earlier write threw. */
  async room(): Promise<void> {
    while (this.#inFlight.size >= IN_FLIGHT_MAX) {
      await Promise.race(this.#inFlight);
    }
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Waits until everything is written. Throws what a write threw. */
  async flush(): Promise<void> {
    this.#send();
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Reads rows, those included that were set before. */
  async getMany(keys: readonly Key[]): Promise<(Row | null)[]> {
    await this.flush();
    return await this.#inner.getMany(keys);
  }

  /** Lists rows, those included that were set before. */
  async *list(
    range: RowRange,
    options?: { readonly limit?: number; readonly reverse?: boolean },
  ): AsyncGenerator<Row> {
    await this.flush();
    yield* this.#inner.list(range, options);
  }

  /** Writes atomically, after everything that was set before. */
  async commit(write: AtomicWrite): ReturnType<Driver["commit"]> {
    await this.flush();
    return await this.#inner.commit(write);
  }

  /** Closes the driver below. */
  close(): void {
    this.#inner.close();
  }

  #put(row: NewRow): void {
    if (this.#batch.add(row)) return;
    this.#send();
    this.#batch.add(row);
  }

  #send(): void {
    const batch = this.#batch;
    if (batch.rows.length === 0 || this.#failure !== undefined) return;
    this.#batch = this.#idle.pop() ?? new RowBatch();
    const sent = this.#inner.commit({ sets: batch.rows }).then(
      () => {
        batch.clear();
        this.#idle.push(batch);
      },
      (error) => {
        // Nobody sees yet what is built, so it is as good as not written.
        const is = isMnemError(error) ? withOutcome(error, false) : error;
        this.#failure ??= { error: is };
      },
    ).finally(() => this.#inFlight.delete(sent));
    this.#inFlight.add(sent);
  }
}

/** A row that another one takes the place of later. */
interface Slot {
  key: Key;
  value: Uint8Array;
}

const EMPTY: Slot = { key: [], value: new Uint8Array() };

/**
 * Rows of one atomic write. Their values are copied, and all is used again: what rows come in is held
 * no longer than it takes, and millions of them leave nothing behind that would have to be collected.
 */
class RowBatch {
  readonly #slots: Slot[] = [];
  readonly #room = new Uint8Array(GROUP_BYTES_MAX + KV_VALUE_BYTES_MAX);
  #filled = 0;
  #bytes = 0;
  #keyBytes = 0;
  #rows: Slot[] = [];

  /** The rows. */
  get rows(): readonly NewRow[] {
    return this.#rows;
  }

  /** Adds a row; false if it would be one too many. */
  add({ key, value }: NewRow): boolean {
    const size = keyBytes(key);
    const bytes = this.#bytes + value.length + 2 * size;
    const isFull = this.#rows.length > 0 &&
      (this.#rows.length === ATOMIC_MUTATIONS_MAX ||
        bytes > GROUP_BYTES_MAX ||
        this.#keyBytes + size > SINGLE_WRITE_KEY_BYTES_MAX);
    if (isFull) return false;
    const end = this.#filled + value.length;
    const copy = this.#room.subarray(this.#filled, end);
    copy.set(value);
    const slot = this.#slots[this.#rows.length] ?? { ...EMPTY };
    slot.key = key;
    slot.value = copy;
    this.#slots[this.#rows.length] = slot;
    this.#rows.push(slot);
    this.#filled = end;
    this.#bytes = bytes;
    this.#keyBytes += size;
    return true;
  }

  /** Forgets the rows. */
  clear(): void {
    for (const slot of this.#rows) Object.assign(slot, EMPTY);
    this.#rows = [];
    this.#filled = this.#bytes = this.#keyBytes = 0;
  }
}
