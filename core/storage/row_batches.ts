/**
 * Rows as they come from storage: many at a time, and passed on one by one.
 *
 * @module
 */

import { LIST_BATCH_ROWS_MAX } from "../limits.ts";
import type { Row } from "./driver.ts";

/** Bytes of values up to which the next batch is fetched while this one is worked on. */
const AHEAD_BYTES_MAX = 1024 * 1024;

/** A list of rows. */
export class RowBatches implements AsyncIterableIterator<Row> {
  /** Fetches the next rows, none at the end. */
  readonly pull: () => Promise<readonly Row[]>;
  /** Tells the source that no more are wanted. */
  readonly end: () => Promise<unknown>;
  #rows: readonly Row[] = [];
  #next = 0;
  #ahead: Promise<readonly Row[]> | undefined;

  /** Takes what pulls rows. */
  constructor(
    pull: () => Promise<readonly Row[]>,
    end: () => Promise<unknown> = () => Promise.resolve(),
  ) {
    this.pull = pull;
    this.end = end;
  }

  /** A list as batches: its own, or one row each. */
  static of(list: AsyncIterable<Row>): RowBatches {
    if (list instanceof RowBatches) return list;
    const rows = list[Symbol.asyncIterator]();
    return new RowBatches(async () => {
      const { done, value } = await rows.next();
      return done ? [] : [value];
    }, async () => await rows.return?.());
  }

  /** The next rows, none at the end; some may be fetched already. */
  async batch(): Promise<readonly Row[]> {
    const rows = await (this.#ahead ?? this.pull());
    this.#ahead = isWorthMore(rows) ? this.pull() : undefined;
    // Thrown when its rows are asked for, if they are.
    this.#ahead?.catch(() => {});
    return rows;
  }

  /** The next row: without a wait, but at the end of a batch. */
  next(): Promise<IteratorResult<Row, undefined>> {
    const value = this.#rows[this.#next++];
    return value === undefined
      ? this.#nextBatch()
      : Promise.resolve({ done: false, value });
  }

  /** Ends it. */
  async return(): Promise<IteratorResult<Row, undefined>> {
    await this.end();
    return { done: true, value: undefined };
  }

  /** Itself. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  async #nextBatch(): Promise<IteratorResult<Row, undefined>> {
    this.#rows = await this.batch();
    this.#next = 1;
    const [value] = this.#rows;
    return value === undefined ? { done: true, value } : { done: false, value };
  }
}

/** Whether more are to come, and little enough is at hand. */
function isWorthMore(rows: readonly Row[]): boolean {
  if (rows.length < LIST_BATCH_ROWS_MAX) return false;
  let bytes = 0;
  for (const { value } of rows) bytes += value.length;
  return bytes <= AHEAD_BYTES_MAX;
}
