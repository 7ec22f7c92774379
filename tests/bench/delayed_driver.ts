/**
 * A storage that is far away: every answer comes later by the same time.
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
import { listBatches } from "../support/list_batches.ts";

/** Waits before every call that passes through it to another driver. */
export class DelayedDriver implements Driver {
  /** That of the driver below. */
  readonly name: Driver["name"];
  readonly #inner: Driver;
  readonly #delayMs: number;

  /** Wraps a driver. */
  constructor(inner: Driver, delayMs: number) {
    this.name = inner.name;
    this.#inner = inner;
    this.#delayMs = delayMs;
  }

  /** One call. */
  async getMany(keys: readonly Key[]): Promise<(Row | null)[]> {
    await this.#wait();
    return await this.#inner.getMany(keys);
  }

  /** One wait for each batch of rows that a client fetches. */
  list(
    range: RowRange,
    options?: { readonly limit?: number; readonly reverse?: boolean },
  ): AsyncIterable<Row> {
    const rows = this.#inner.list(range, options);
    return listBatches(rows, options?.limit, async (call) => {
      await this.#wait();
      return await call();
    });
  }

  /** One call. */
  async commit(write: AtomicWrite): ReturnType<Driver["commit"]> {
    await this.#wait();
    return await this.#inner.commit(write);
  }

  /** Closes the driver below. */
  close(): void {
    this.#inner.close();
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.#delayMs));
  }
}
