/**
 * Puts a bound on every storage call. KV itself has none: behind a lock, or a server that went away,
 * a call can wait for ever.
 *
 * @module
 */

import { clearTimeout, setTimeout } from "node:timers";
import { monotonicMs } from "../clock.ts";
import { MnemError } from "../errors.ts";
import { STORAGE_CALL_MS_MAX } from "../limits.ts";
import type { AtomicWrite, Driver, Key, Row, RowRange } from "./driver.ts";
import { RowBatches } from "./row_batches.ts";

/** A timer that was started. */
export interface StartedTimer {
  /** Keeps the process alive until it fires. */
  ref(): void;
  /** Lets the process end before it fires. */
  unref(): void;
  /** Ends it without firing. */
  stop(): void;
}

/** A source of time; a test brings its own. */
export interface DeadlineTimer {
  /** A reading that only moves forward, in milliseconds. */
  now(): number;
  /** Calls back once after `ms` milliseconds. */
  start(callback: () => void, ms: number): StartedTimer;
}

/** How long calls may take, and what is said when one takes longer. */
export interface DeadlineOptions {
  /** The store as its user named it. */
  readonly location: string;
  /** A late answer is `busy` from a file, where only a lock delays one, and `store_io` from a server. */
  readonly kind: "local" | "remote";
  /** The bound, in milliseconds; {@linkcode STORAGE_CALL_MS_MAX} unless said otherwise. */
  readonly ms?: number;
  /** The system's timer unless said otherwise. */
  readonly timer?: DeadlineTimer;
}

const systemTimer: DeadlineTimer = {
  now: monotonicMs,
  start(callback, ms) {
    const timeout = setTimeout(callback, ms);
    return {
      ref: () => timeout.ref(),
      unref: () => timeout.unref(),
      stop: () => clearTimeout(timeout),
    };
  },
};

/**
 * Wraps a driver so that each call (of `list`, each batch) ends within the bound: else with `busy` (a
 * file) or `store_io` (a server), whose outcome is "unknown" for a commit. The call below may still
 * end later; its answer is dropped. Once a call was late, `close` leaves the handle open: closing a
 * stuck one would block the process.
 */
export function withDeadline(driver: Driver, options: DeadlineOptions): Driver {
  return new DeadlineDriver(driver, options);
}

/** Awaits a call for {@linkcode STORAGE_CALL_MS_MAX}, then throws what `late` makes. */
export async function inTime<T>(
  call: Promise<T>,
  late: () => Error,
  options: { readonly timer?: DeadlineTimer } = {},
): Promise<T> {
  const { timer = systemTimer } = options;
  let running: StartedTimer | undefined;
  const expiry = new Promise<never>((_, reject) => {
    running = timer.start(() => reject(late()), STORAGE_CALL_MS_MAX);
  });
  try {
    return await Promise.race([call, expiry]);
  } finally {
    running?.stop();
  }
}

interface PendingCall {
  readonly due: number;
  expire(): void;
}

class DeadlineDriver implements Driver {
  readonly name: Driver["name"];
  readonly #inner: Driver;
  readonly #options: DeadlineOptions;
  readonly #ms: number;
  readonly #timer: DeadlineTimer;
  // In order of their beginning, which is the order of their ends.
  readonly #pending = new Set<PendingCall>();
  // One for all calls. It outlives them, unreferenced: to start one costs more than the rest of this.
  #running: StartedTimer | undefined;
  #closed = false;
  #stuck = false;

  constructor(driver: Driver, options: DeadlineOptions) {
    this.name = driver.name;
    this.#inner = driver;
    this.#options = options;
    this.#ms = options.ms ?? STORAGE_CALL_MS_MAX;
    this.#timer = options.timer ?? systemTimer;
  }

  getMany(keys: readonly Key[]): Promise<(Row | null)[]> {
    return this.#bound(this.#inner.getMany(keys), "read");
  }

  list(
    range: RowRange,
    options?: { readonly limit?: number; readonly reverse?: boolean },
  ): RowBatches {
    const { pull, end } = RowBatches.of(this.#inner.list(range, options));
    return new RowBatches(() => this.#bound(pull(), "read"), end);
  }

  commit(write: AtomicWrite): ReturnType<Driver["commit"]> {
    return this.#bound(this.#inner.commit(write), "write");
  }

  close(): void {
    this.#closed = true;
    if (this.#pending.size === 0) this.#rest();
    if (!this.#stuck) this.#inner.close();
  }

  #bound<T>(call: Promise<T>, during: "read" | "write"): Promise<T> {
    return new Promise((resolve, reject) => {
      const pending: PendingCall = {
        due: this.#timer.now() + this.#ms,
        expire: () => reject(this.#lateError(during)),
      };
      if (this.#running === undefined) this.#start(this.#ms);
      else if (this.#pending.size === 0) this.#running.ref();
      this.#pending.add(pending);
      call.then(
        (value) => {
          this.#settle(pending);
          resolve(value);
        },
        (error) => {
          this.#settle(pending);
          reject(error);
        },
      );
    });
  }

  #settle(pending: PendingCall): void {
    if (this.#pending.delete(pending) && this.#pending.size === 0) this.#rest();
  }

  /** Without calls nothing may keep the process alive. */
  #rest(): void {
    if (!this.#closed) return this.#running?.unref();
    this.#running?.stop();
    this.#running = undefined;
  }

  #start(ms: number): void {
    this.#running = this.#timer.start(() => this.#expire(), ms);
  }

  #expire(): void {
    this.#running = undefined;
    const now = this.#timer.now();
    for (const pending of this.#pending) {
      if (pending.due > now) return this.#start(pending.due - now);
      this.#pending.delete(pending);
      this.#stuck = true;
      pending.expire();
    }
  }

  #lateError(during: "read" | "write"): MnemError {
    const { location, kind } = this.#options;
    const action = during === "read"
      ? "Cannot read store"
      : "Cannot write to store";
    const [code, who] = kind === "local"
      ? ["busy", "its file"] as const
      : ["store_io", "its server"] as const;
    return new MnemError(
      code,
      `${action} "${location}": ${who} gave no answer in ${this.#ms} ms`,
      {
        outcome: during === "write" ? "unknown" : "none",
      },
    );
  }
}
