/**
 * Gives what a KV client throws its meaning, as the drivers of real clients do.
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
import { storageError } from "../../core/storage/kv_errors.ts";

/** Wraps a driver that throws what Deno KV throws. */
export class ClientErrors implements Driver {
  /** That of the driver below. */
  readonly name: Driver["name"];
  readonly #inner: Driver;

  /** Wraps a driver. */
  constructor(inner: Driver) {
    this.name = inner.name;
    this.#inner = inner;
  }

  /** Reads; throws an error of the store. */
  async getMany(keys: readonly Key[]): Promise<(Row | null)[]> {
    try {
      return await this.#inner.getMany(keys);
    } catch (error) {
      throw meaningOf(error, "read");
    }
  }

  /** Lists; throws an error of the store. */
  async *list(
    range: RowRange,
    options?: { readonly limit?: number; readonly reverse?: boolean },
  ): AsyncGenerator<Row> {
    try {
      yield* this.#inner.list(range, options);
    } catch (error) {
      throw meaningOf(error, "read");
    }
  }

  /** Writes; throws an error of the store. */
  async commit(write: AtomicWrite): ReturnType<Driver["commit"]> {
    try {
      return await this.#inner.commit(write);
    } catch (error) {
      throw meaningOf(error, "write");
    }
  }

  /** Closes the driver below. */
  close(): void {
    this.#inner.close();
  }
}

/** A broken rule is a defect of the store itself, and has no meaning to a user. */
function meaningOf(error: unknown, during: "read" | "write"): unknown {
  const isDefect = error instanceof Error &&
    error.message.startsWith("Broken rule");
  return isDefect ? error : storageError(error, { location: "memory", during });
}
