/**
 * A storage whose calls all take equally long, by a clock that counts and does not wait: how often a
 * program that is far away from its storage would have to wait for it.
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
import { listBatches } from "./list_batches.ts";

/**
 * Passes calls on to another driver at once, and holds their answers until all that were asked
 * together are there: what is asked then is the next wait.
 */
export class LockstepDriver implements Driver {
  /** That of the driver below. */
  readonly name: Driver["name"];
  readonly #inner: Driver;
  #waits = 0;
  #inFlight = 0;
  #held: (() => void)[] = [];

  /** Wraps a driver. */
  constructor(inner: Driver) {
    this.name = inner.name;
    this.#inner = inner;
  }

  /** The waits so far, one after the other. */
  get waits(): number {
    return this.#waits;
  }

  /** One wait. */
  getMany(keys: readonly Key[]): Promise<(Row | null)[]> {
    return this.#wait(() => this.#inner.getMany(keys));
  }

  /** One wait for each batch of rows that a client fetches. */
  list(
    range: RowRange,
    options?: { readonly limit?: number; readonly reverse?: boolean },
  ): AsyncIterable<Row> {
    const rows = this.#inner.list(range, options);
    return listBatches(rows, options?.limit, (call) => this.#wait(call));
  }

  /** One wait. */
  commit(write: AtomicWrite): ReturnType<Driver["commit"]> {
    return this.#wait(() => this.#inner.commit(write));
  }

  /** Closes the driver below. */
  close(): void {
    this.#inner.close();
  }

  async #wait<T>(call: () => Promise<T>): Promise<T> {
    this.#inFlight++;
    const answer = call();
    try {
      return await answer;
    } finally {
      await new Promise<void>((release) => {
        this.#held.push(release);
        this.#answered();
      });
    }
  }

  /** Ends the wait once nothing more can be asked before it ends. */
  #answered(): void {
    this.#inFlight--;
    setTimeout(() => {
      if (this.#inFlight > 0 || this.#held.length === 0) return;
      this.#waits++;
      for (const release of this.#held.splice(0)) release();
    });
  }
}
