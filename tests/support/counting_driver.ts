/**
 * Counts what the store asks of its storage: the figures that tests hold it to.
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

/** What was asked of a driver since it was made or reset. */
export interface StorageCounts {
  /**
   * Waits for an answer, one after the other: a call adds one if another that adds one was answered
   * before it began. Lines of calls that are out of step may be counted as longer than they are, never
   * as shorter; in step, behind a `LockstepDriver`, the count is exact.
   */
  rounds: number;
  /** Calls of `getMany`. */
  getManys: number;
  /** Calls of `list` that were begun. */
  lists: number;
  /** Calls of `commit`. */
  commits: number;
  /** Those of them that a check refused. */
  refused: number;
  /** Keys asked for by `getMany`. */
  keysAsked: number;
  /** Rows returned by `getMany` and `list`. */
  rowsRead: number;
  /** Bytes in their values. */
  bytesRead: number;
  /** Rows set by commits that went through. */
  rowsSet: number;
  /** Bytes in their values. */
  bytesSet: number;
  /** Rows deleted by commits that went through. */
  rowsDeleted: number;
}

/** Counts the calls that pass through it to another driver. */
export class CountingDriver implements Driver {
  /** That of the driver below. */
  readonly name: Driver["name"];
  readonly #inner: Driver;
  #counts = noCounts();
  // How many waits, one after the other, have ended; another object after each reset.
  #ended = { rounds: 0 };

  /** Wraps a driver. */
  constructor(inner: Driver) {
    this.name = inner.name;
    this.#inner = inner;
  }

  /** The counts so far, as a copy. */
  get counts(): Readonly<StorageCounts> {
    return { ...this.#counts };
  }

  /** Starts all counts from zero. */
  reset(): void {
    this.#counts = noCounts();
    this.#ended = { rounds: 0 };
  }

  /** One call; a round unless one has begun that is not answered yet. */
  async getMany(keys: readonly Key[]): Promise<(Row | null)[]> {
    this.#counts.getManys++;
    this.#counts.keysAsked += keys.length;
    const rows = await this.#round(() => this.#inner.getMany(keys));
    for (const row of rows) if (row !== null) this.#read(row);
    return rows;
  }

  /** One call; a round for each batch of rows that a client fetches. */
  async *list(
    range: RowRange,
    options: { readonly limit?: number; readonly reverse?: boolean } = {},
  ): AsyncGenerator<Row> {
    this.#counts.lists++;
    const rows = this.#inner.list(range, options);
    const round = <T>(call: () => Promise<T>) => this.#round(call);
    for await (const row of listBatches(rows, options.limit, round)) {
      this.#read(row);
      yield row;
    }
  }

  /** One call; a round unless one has begun that is not answered yet. */
  async commit(write: AtomicWrite): ReturnType<Driver["commit"]> {
    const { sets = [], deletes = [] } = write;
    this.#counts.commits++;
    const answer = await this.#round(() => this.#inner.commit(write));
    if (!answer.ok) this.#counts.refused++;
    else {
      this.#counts.rowsSet += sets.length;
      this.#counts.rowsDeleted += deletes.length;
      for (const { value } of sets) this.#counts.bytesSet += value.length;
    }
    return answer;
  }

  /** Closes the driver below. */
  close(): void {
    this.#inner.close();
  }

  #read(row: Row): void {
    this.#counts.rowsRead++;
    this.#counts.bytesRead += row.value.length;
  }

  async #round<T>(call: () => Promise<T>): Promise<T> {
    const ended = this.#ended;
    const rounds = ended.rounds + 1;
    this.#counts.rounds = Math.max(this.#counts.rounds, rounds);
    try {
      return await call();
    } finally {
      ended.rounds = Math.max(ended.rounds, rounds);
    }
  }
}

/** Counts of nothing. */
export function noCounts(): StorageCounts {
  return {
    rounds: 0,
    getManys: 0,
    lists: 0,
    commits: 0,
    refused: 0,
    keysAsked: 0,
    rowsRead: 0,
    bytesRead: 0,
    rowsSet: 0,
    bytesSet: 0,
    rowsDeleted: 0,
  };
}
