/**
 * A driver that writes in the background: rows that nothing names yet need no answer before the next
 * ones are made.
 *
 * @module
 */

import {
  ATOMIC_MUTATIONS_MAX,
  GROUP_BYTES_MAX,
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

/** Atomic writes that are on their way at once: one is written while the next waits for it. */
const IN_FLIGHT_MAX = 2;

/** Gathers rows into large writes, which it does not wait for. Reading waits for all of them. */
export class WriteBehind implements Driver {
  readonly name: Driver["name"];
  readonly #inner: Driver;
  readonly #inFlight = new Set<Promise<void>>();
  #waiting: NewRow[] = [];
  #bytes = 0;
  #keyBytes = 0;
  #failure: { readonly error: unknown } | undefined;

  /** Wraps a driver. */
  constructor(inner: Driver) {
    this.name = inner.name;
    this.#inner = inner;
  }

  /** Sets rows at some time, with their pieces; throws what an earlier write threw. */
  async set(rows: readonly (NewRow | FramedRow)[]): Promise<void> {
    for (const row of rows) {
      if ("pieces" in row) {
        for (const piece of row.pieces) await this.#add(piece);
      }
      await this.#add(row);
    }
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

  async #add({ key, value }: NewRow): Promise<void> {
    const size = keyBytes(key);
    const isFull = this.#waiting.length === ATOMIC_MUTATIONS_MAX ||
      this.#bytes + value.length + 2 * size > GROUP_BYTES_MAX ||
      this.#keyBytes + size > SINGLE_WRITE_KEY_BYTES_MAX;
    if (isFull) {
      this.#send();
      while (this.#inFlight.size >= IN_FLIGHT_MAX) {
        await Promise.race(this.#inFlight);
      }
      if (this.#failure !== undefined) throw this.#failure.error;
    }
    this.#waiting.push({ key, value });
    this.#bytes += value.length + 2 * size;
    this.#keyBytes += size;
  }

  #send(): void {
    if (this.#waiting.length === 0 || this.#failure !== undefined) return;
    const sets = this.#waiting;
    this.#waiting = [];
    this.#bytes = this.#keyBytes = 0;
    const sent = this.#inner.commit({ sets }).then(
      () => {},
      (error) => {
        this.#failure ??= { error };
      },
    ).finally(() => this.#inFlight.delete(sent));
    this.#inFlight.add(sent);
  }
}
