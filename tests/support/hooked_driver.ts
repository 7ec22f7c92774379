/**
 * A storage whose calls a test may hold up.
 *
 * @module
 */

import type { AtomicWrite, Driver, Key } from "../../core/storage/driver.ts";

/** What is waited for before a call goes to the driver below. */
export interface DriverHooks {
  /** Before rows are read. */
  readonly getMany?: (keys: readonly Key[]) => Promise<unknown> | undefined;
  /** Before a write. */
  readonly commit?: (write: AtomicWrite) => Promise<unknown> | undefined;
}

/** Wraps a driver. */
export function hookedDriver(inner: Driver, hooks: DriverHooks): Driver {
  return {
    name: inner.name,
    async getMany(keys) {
      await hooks.getMany?.(keys);
      return await inner.getMany(keys);
    },
    list: (range, options) => inner.list(range, options),
    async commit(write) {
      await hooks.commit?.(write);
      return await inner.commit(write);
    },
    close: () => inner.close(),
  };
}

/** Whether a write puts a branch on a commit. */
export function landsOn(
  branch: string,
  { sets = [] }: AtomicWrite,
): boolean {
  return sets.some(({ key }) => key[0] === "r" && key[1] === branch);
}
