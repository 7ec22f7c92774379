/**
 * The storage as verifying sees it: it can be read and nothing else, until a signal ends that.
 *
 * @module
 */

import { invariant } from "../../errors.ts";
import type { Driver, Key, Row, RowRange } from "../../storage/driver.ts";

/** Reads through another driver, and looks at the signal before each round. */
export class ReadingDriver implements Driver {
  /** That of the driver below. */
  readonly name: Driver["name"];
  readonly #inner: Driver;
  readonly #signal: AbortSignal | undefined;

  /** Reads through a driver until the signal is given. */
  constructor(inner: Driver, signal: AbortSignal | undefined) {
    this.name = inner.name;
    this.#inner = inner;
    this.#signal = signal;
  }

  /** Rows in the order of the keys. Throws the signal's reason once it is given. */
  async getMany(keys: readonly Key[]): Promise<(Row | null)[]> {
    this.#signal?.throwIfAborted();
    return await this.#inner.getMany(keys);
  }

  /** Rows in key order. Throws the signal's reason once it is given. */
  async *list(
    range: RowRange,
    options?: { readonly limit?: number; readonly reverse?: boolean },
  ): AsyncGenerator<Row> {
    this.#signal?.throwIfAborted();
    for await (const row of this.#inner.list(range, options)) {
      this.#signal?.throwIfAborted();
      yield row;
    }
  }

  /** Refused: verifying changes nothing. */
  commit(): never {
    invariant(false, "verifying writes nothing");
  }

  /** Nothing: the driver below is another's. */
  close(): void {}
}
