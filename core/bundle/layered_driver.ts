/**
 * A database over another one, which stays as it is: what is built is written above, and rests on what
 * is below.
 *
 * @module
 */

import { invariant } from "../errors.ts";
import type { AtomicWrite, Driver, Key, Row } from "../storage/driver.ts";

/** Reads from the upper database and, what is not there, from the lower one; writes to the upper one. */
export class LayeredDriver implements Driver {
  /** That of the upper one. */
  readonly name: Driver["name"];
  readonly #upper: Driver;
  readonly #lower: Driver;

  /** Lays one over the other. */
  constructor(upper: Driver, lower: Driver) {
    this.name = upper.name;
    this.#upper = upper;
    this.#lower = lower;
  }

  /** Reads rows of both. */
  async getMany(keys: readonly Key[]): Promise<(Row | null)[]> {
    const rows = await this.#upper.getMany(keys);
    const missing = keys.filter((_, i) => rows[i] === null);
    if (missing.length === 0) return rows;
    const below = await this.#lower.getMany(missing);
    let next = 0;
    return rows.map((row) => row ?? below[next++] ?? null);
  }

  /** Nothing is listed while a store is built. */
  list(): AsyncIterable<Row> {
    invariant(false, "rows of two layers are not listed");
  }

  /** Writes to the upper one. */
  commit(write: AtomicWrite): ReturnType<Driver["commit"]> {
    return this.#upper.commit(write);
  }

  /** Closes the upper one. */
  close(): void {
    this.#upper.close();
  }
}
