/**
 * What a store asked of its storage, to be asked again without the store: the floor of a read is the
 * same rows, read bare.
 *
 * @module
 */

import type {
  AtomicWrite,
  Driver,
  Key,
  Row,
  RowRange,
} from "../../core/storage/driver.ts";

type Read = (driver: Driver) => Promise<unknown>;

/** Notes the reads that pass through it to another driver. */
export class CallLog implements Driver {
  /** That of the driver below. */
  readonly name: Driver["name"];
  readonly #inner: Driver;
  #rounds: Read[][] = [];
  #inFlight = 0;

  /** Wraps a driver. */
  constructor(inner: Driver) {
    this.name = inner.name;
    this.#inner = inner;
  }

  /** Forgets what was noted. */
  reset(): void {
    this.#rounds = [];
  }

  /** Reads the same rows from another driver; what went at once goes at once. */
  async replay(driver: Driver): Promise<void> {
    for (const reads of this.#rounds) {
      await Promise.all(reads.map((read) => read(driver)));
    }
  }

  /** Notes one call. */
  async getMany(keys: readonly Key[]): Promise<(Row | null)[]> {
    this.#note((driver) => driver.getMany(keys));
    this.#inFlight++;
    try {
      return await this.#inner.getMany(keys);
    } finally {
      this.#inFlight--;
    }
  }

  /** Notes one call, which is asked again to its end. */
  list(
    range: RowRange,
    options?: { readonly limit?: number; readonly reverse?: boolean },
  ): AsyncIterable<Row> {
    this.#note((driver) => Array.fromAsync(driver.list(range, options)));
    return this.#inner.list(range, options);
  }

  /** Passes on; only reads are noted. */
  commit(write: AtomicWrite): ReturnType<Driver["commit"]> {
    return this.#inner.commit(write);
  }

  /** Closes the driver below. */
  close(): void {
    this.#inner.close();
  }

  #note(read: Read): void {
    const last = this.#rounds.at(-1);
    if (last !== undefined && this.#inFlight > 0) last.push(read);
    else this.#rounds.push([read]);
  }
}
