/**
 * What a handle and all its views have in common.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import type { SharedStore } from "./shared_store.ts";
import type { Guard } from "./open_store.ts";

/** What a handle was opened with. */
export interface SessionOptions {
  /** The author of commits that name none. */
  readonly author: string | undefined;
  /** The time of commits that name none. */
  readonly clock: Clock;
  /** Judges every commit before it is made. */
  readonly guard: Guard | undefined;
}

/** One opened handle on a store. */
export class Session {
  /** The author of commits that name none. */
  readonly author: string | undefined;
  /** The time of commits that name none. */
  readonly clock: Clock;
  /** Judges every commit before it is made. */
  readonly guard: Guard | undefined;
  readonly #shared: SharedStore;
  readonly #release: () => void;
  readonly #pending = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  /** Opens a handle; `release` gives the shared store back. */
  constructor(
    shared: SharedStore,
    release: () => void,
    options: SessionOptions,
  ) {
    this.#shared = shared;
    this.#release = release;
    this.author = options.author;
    this.clock = options.clock;
    this.guard = options.guard;
  }

  /** The store. Throws a TypeError once the handle is closed. */
  get shared(): SharedStore {
    if (this.#closing !== undefined) {
      throw new TypeError("Cannot use a closed store: open it again");
    }
    return this.#shared;
  }

  /** Keeps the handle open until a call has its answer. */
  async pending<T>(call: Promise<T>): Promise<T> {
    this.#pending.add(call);
    try {
      return await call;
    } finally {
      this.#pending.delete(call);
    }
  }

  /** Makes a call; the handle stays open until that has ended. */
  async run<T>(call: (store: SharedStore) => Promise<T>): Promise<T> {
    return await this.pending(call(this.shared));
  }

  /**
   * Makes a call of several steps: what begins as one ends as one, so that the session it is given
   * lasts until then, closed or not.
   */
  async hold<T>(call: (held: Session) => Promise<T>): Promise<T> {
    return await this.run((shared) =>
      call(new Session(shared, () => {}, this))
    );
  }

  /** Reads item by item: between two of them the handle may be closed, and the next one is refused. */
  async *each<T>(
    list: (store: SharedStore) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    const items = list(this.shared)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const step = await this.run(() => items.next());
        if (step.done) return;
        yield step.value;
      }
    } finally {
      await items.return?.();
    }
  }

  /** Reads runs and yields their items, likewise. */
  async *eachOf<T>(
    list: (store: SharedStore) => AsyncIterable<readonly T[]>,
  ): AsyncGenerator<T> {
    for await (const run of this.each(list)) {
      for (const [i, item] of run.entries()) {
        // Throws once the handle is closed; the first was waited for.
        if (i > 0) void this.shared;
        yield item;
      }
    }
  }

  /** Closes the handle and its views once the calls that wait have ended; twice is once. */
  close(): Promise<void> {
    return this.#closing ??= this.#end();
  }

  async #end(): Promise<void> {
    await Promise.allSettled([...this.#pending]);
    this.#release();
  }
}
