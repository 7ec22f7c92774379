/**
 * Lets storage fail as it really does, at the call that a test chooses.
 *
 * @module
 */

import { MnemError } from "../../core/errors.ts";
import type {
  AtomicWrite,
  Driver,
  Key,
  Row,
  RowRange,
} from "../../core/storage/driver.ts";

/** What goes wrong with a call. */
export type Fault =
  /** Throws; nothing was done. */
  | "refuse"
  /** It is done, then throws: the answer is lost. */
  | "lose"
  /** A commit is done and asked for again, as some clients do when an answer was lost. A read is refused. */
  | "twice"
  /** Throws; a commit is done after the next call has ended, or at {@linkcode FaultDriver.flush}. */
  | "late"
  /** Throws what KV throws under contention; nothing was done. */
  | "locked"
  /** A commit answers that a check failed; nothing was done. A read is refused. */
  | "not_ok"
  /** Throws as after `close`. */
  | "closed"
  /** It is done once the promise is kept. */
  | { readonly slow: Promise<unknown> };

/** A call about to be made. */
export interface StorageCall {
  /** Its place among all calls, from 1. */
  readonly index: number;
  /** Its place among the calls of its operation, from 1. */
  readonly nth: number;
  /** Which call; a `list` is one, at its first row. */
  readonly operation: "getMany" | "list" | "commit";
  /** What a commit would write. */
  readonly write?: AtomicWrite;
}

/** Decides what goes wrong with a call; undefined: nothing. */
export type FaultPlan = (call: StorageCall) => Fault | undefined;

/** A plan with one fault, at the call of that index, or the nth of an operation. */
export function faultAt(
  place: number,
  fault: Fault,
  operation?: StorageCall["operation"],
): FaultPlan {
  return (call) => {
    const here = operation === undefined
      ? call.index === place
      : call.operation === operation && call.nth === place;
    return here ? fault : undefined;
  };
}

/**
 * Makes faults by a plan. To put a fault at every call of an operation: raise the place until
 * {@linkcode FaultDriver.fired} stays 0.
 */
export class FaultDriver implements Driver {
  /** That of the driver below. */
  readonly name: Driver["name"];
  readonly #inner: Driver;
  #plan: FaultPlan;
  #calls = 0;
  #fired = 0;
  #byOperation = { getMany: 0, list: 0, commit: 0 };
  #late: AtomicWrite[] = [];

  /** Wraps a driver; without a plan nothing goes wrong until {@linkcode FaultDriver.arm}. */
  constructor(inner: Driver, plan: FaultPlan = () => undefined) {
    this.name = inner.name;
    this.#inner = inner;
    this.#plan = plan;
  }

  /** Calls since the driver was made or armed. */
  get calls(): number {
    return this.#calls;
  }

  /** Faults since the driver was made or armed. */
  get fired(): number {
    return this.#fired;
  }

  /** Takes another plan and counts calls from the beginning. */
  arm(plan: FaultPlan): void {
    this.#plan = plan;
    this.#calls = 0;
    this.#fired = 0;
    this.#byOperation = { getMany: 0, list: 0, commit: 0 };
  }

  /** Carries out the commits that are late, in their order. */
  async flush(): Promise<void> {
    const late = this.#late;
    this.#late = [];
    for (const write of late) await this.#inner.commit(write);
  }

  /** Reads through the plan. */
  getMany(keys: readonly Key[]): Promise<(Row | null)[]> {
    return this.#call("getMany", () => this.#inner.getMany(keys));
  }

  /** Lists through the plan; what goes wrong goes wrong at the first row. */
  async *list(
    range: RowRange,
    options?: { readonly limit?: number; readonly reverse?: boolean },
  ): AsyncGenerator<Row> {
    const rows = this.#inner.list(range, options)[Symbol.asyncIterator]();
    let step = await this.#call("list", () => rows.next());
    for (; !step.done; step = await rows.next()) yield step.value;
  }

  /** Writes through the plan. */
  commit(write: AtomicWrite): ReturnType<Driver["commit"]> {
    const perform: (refused: boolean) => ReturnType<Driver["commit"]> = (
      refused,
    ) => refused ? Promise.resolve({ ok: false }) : this.#inner.commit(write);
    return this.#call("commit", perform, write);
  }

  /** Closes the driver below. */
  close(): void {
    this.#inner.close();
  }

  async #call<T>(
    operation: StorageCall["operation"],
    perform: (refused: boolean) => Promise<T>,
    write?: AtomicWrite,
  ): Promise<T> {
    const index = ++this.#calls;
    const nth = ++this.#byOperation[operation];
    const fault = this.#plan({
      index,
      nth,
      operation,
      ...write === undefined ? {} : { write },
    });
    if (fault !== undefined) this.#fired++;
    const overdue = this.#late.length > 0;
    try {
      if (typeof fault === "object") await fault.slow;
      else if (fault !== undefined) {
        return await this.#fail(fault, perform, write);
      }
      return await perform(false);
    } finally {
      if (overdue) await this.flush();
    }
  }

  async #fail<T>(
    fault: Exclude<Fault, object>,
    perform: (refused: boolean) => Promise<T>,
    write: AtomicWrite | undefined,
  ): Promise<T> {
    if (fault === "locked") throw new TypeError("database is locked");
    if (fault === "closed") {
      throw new Error("Broken rule of the store: no call on a closed handle");
    }
    if (fault === "late" && write !== undefined) this.#late.push(write);
    if (fault === "not_ok" && write !== undefined) return await perform(true);
    if (fault === "twice" && write !== undefined) {
      await perform(false);
      return await perform(false);
    }
    if (fault === "lose") await perform(false);
    throw new MnemError(
      "store_io",
      `The storage call was made to fail (${fault})`,
      {
        outcome: write === undefined ? "none" : "unknown",
      },
    );
  }
}
