/**
 * Notices that the file of an open store was removed or replaced: SQLite goes on writing to what has
 * no name any more, and would acknowledge commits that nobody can ever read.
 *
 * @module
 */

import { statSync } from "node:fs";
import { MnemError } from "../errors.ts";
import type { AtomicWrite, Driver, Key, Row, RowRange } from "./driver.ts";
import type { LocalLocation } from "./location.ts";

/** Wraps the driver of a store in a folder so that a commit is acknowledged only into its file. */
export function withWatchedFile(
  driver: Driver,
  location: LocalLocation,
): Driver {
  return new WatchedFileDriver(driver, location, identityOf(location));
}

class WatchedFileDriver implements Driver {
  readonly name: Driver["name"];
  readonly #inner: Driver;
  readonly #location: LocalLocation;
  readonly #identity: string | undefined;

  constructor(
    inner: Driver,
    location: LocalLocation,
    identity: string | undefined,
  ) {
    this.name = inner.name;
    this.#inner = inner;
    this.#location = location;
    this.#identity = identity;
  }

  getMany(keys: readonly Key[]): Promise<(Row | null)[]> {
    return this.#inner.getMany(keys);
  }

  list(
    range: RowRange,
    options?: { readonly limit?: number; readonly reverse?: boolean },
  ): AsyncIterable<Row> {
    return this.#inner.list(range, options);
  }

  /** Looks at the file once KV is done, and at once: to ask another thread costs ten times as much. */
  async commit(write: AtomicWrite): ReturnType<Driver["commit"]> {
    const sent = await this.#inner.commit(write);
    // Not before: a file that went while KV was at the write holds it no more.
    if (identityOf(this.#location) === this.#identity) return sent;
    const { text, file } = this.#location;
    throw new MnemError(
      "store_io",
      `Cannot write to store "${text}": "${file}" was removed or replaced while it was open`,
    );
  }

  close(): void {
    this.#inner.close();
  }
}

/** What a look at a file tells: all that is used of it. */
type FileLook = (path: string) => {
  readonly dev: number;
  readonly ino: number | null;
};

const host: { readonly Deno?: { readonly statSync: FileLook } } = globalThis;

/** Deno's own look takes a third of the time of the one that it lends from Node. */
const lookAt: FileLook = host.Deno?.statSync ?? statSync;

/** Which file it is; undefined where there is none. */
function identityOf({ file }: LocalLocation): string | undefined {
  try {
    const { dev, ino } = lookAt(file);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
