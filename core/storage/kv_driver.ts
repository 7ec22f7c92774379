/**
 * Puts a Deno KV client, the native one or that of npm, into the shape that the store needs. Both
 * differ in what they refuse, in what they return and in two corners of `list`; above this file they
 * are the same.
 *
 * @module
 */

import { invariant, MnemError } from "../errors.ts";
import { GET_MANY_KEYS_MAX, LIST_BATCH_ROWS_MAX } from "../limits.ts";
import { assertKey, assertWithinBudget } from "./budget.ts";
import type {
  AtomicWrite,
  Driver,
  Key,
  KeyPart,
  Row,
  RowRange,
} from "./driver.ts";
import { isStopped, storageError } from "./kv_errors.ts";
import { RowBatches } from "./row_batches.ts";

/** What a bound of a range may hold; `true` sorts after every part that the store uses. */
export type KvKeyPart = KeyPart | true;

/** A row as a KV client returns it. */
export interface KvEntryLike {
  /** Its key. */
  readonly key: readonly unknown[];
  /** Its value, null where there is no row. */
  readonly value: unknown;
  /** 20 hex digits, null where there is no row. */
  readonly versionstamp: string | null;
}

/** What a KV client makes a write with. */
export interface KvAtomicLike {
  /** Adds a check. */
  check(
    check: { key: readonly KvKeyPart[]; versionstamp: string | null },
  ): unknown;
  /** Adds a row to set. */
  set(key: readonly KvKeyPart[], value: Uint8Array): unknown;
  /** Adds a row to delete. */
  delete(key: readonly KvKeyPart[]): unknown;
  /** Carries it out. */
  commit(): Promise<{ ok: true; versionstamp: string } | { ok: false }>;
}

/** What the store uses of a KV client; the native client and that of `@deno/kv` both have it. */
export interface KvLike {
  /** Reads at most ten rows. */
  getMany(
    keys: readonly (readonly KvKeyPart[])[],
  ): Promise<readonly KvEntryLike[]>;
  /** Lists rows in batches. */
  list(
    range: { start: readonly KvKeyPart[]; end: readonly KvKeyPart[] },
    options: { limit?: number; reverse: boolean; batchSize: number },
  ): AsyncIterable<KvEntryLike>;
  /** Begins a write. */
  atomic(): KvAtomicLike;
  /** Ends the handle. */
  close(): void;
}

/** What a driver says of itself and of its store. */
export interface KvDriverOptions {
  /** The store as its user named it, for messages. */
  readonly location: string;
}

/**
 * Makes a driver of a KV client. Its calls throw an {@linkcode MnemError} of
 * {@linkcode storageError}, or a plain Error, a defect of ours, for a write over the bounds of
 * `budget.ts`, a bad key, or a call after `close`. `close` waits for the calls in flight: KV
 * would end them, or not, by chance.
 */
export function kvDriver(
  kv: KvLike,
  name: Driver["name"],
  options: KvDriverOptions,
): Driver {
  return new KvDriver(kv, name, options.location);
}

class KvDriver implements Driver {
  readonly name: Driver["name"];
  readonly #kv: KvLike;
  readonly #location: string;
  #inFlight = 0;
  #state: "open" | "closing" | "closed" = "open";

  constructor(kv: KvLike, name: Driver["name"], location: string) {
    this.name = name;
    this.#kv = kv;
    this.#location = location;
  }

  async getMany(keys: readonly Key[]): Promise<(Row | null)[]> {
    keys.forEach(assertKey);
    this.#begin();
    try {
      if (keys.length <= GET_MANY_KEYS_MAX) return await this.#getBatch(keys);
      const batches: Promise<(Row | null)[]>[] = [];
      for (let at = 0; at < keys.length; at += GET_MANY_KEYS_MAX) {
        batches.push(this.#getBatch(keys.slice(at, at + GET_MANY_KEYS_MAX)));
      }
      // All, not the first to fail: none may be in flight when the handle closes.
      const settled = await Promise.allSettled(batches);
      return settled.flatMap((batch) => {
        if (batch.status === "rejected") throw batch.reason;
        return batch.value;
      });
    } catch (error) {
      throw this.#failure(error, "read");
    } finally {
      this.#end();
    }
  }

  list(
    range: RowRange,
    options: { readonly limit?: number; readonly reverse?: boolean } = {},
  ): RowBatches {
    const { limit = Infinity, reverse = false } = options;
    const batchSize = Math.min(limit, LIST_BATCH_ROWS_MAX);
    let entries: AsyncIterator<KvEntryLike> | undefined;
    return new RowBatches(async () => {
      this.#begin();
      try {
        const rows: Row[] = [];
        if (limit <= 0) return rows;
        entries ??= this.#kv.list(bounds(range), {
          ...limit === Infinity ? {} : { limit },
          batchSize,
          reverse,
        })[Symbol.asyncIterator]();
        // The client has fetched them all when the first one comes.
        while (rows.length < batchSize) {
          const { done, value } = await entries.next();
          if (done) break;
          const row = this.#row(value, this.#key(value.key));
          if (row !== null) rows.push(row);
        }
        return rows;
      } catch (error) {
        throw this.#failure(error, "read");
      } finally {
        this.#end();
      }
    });
  }

  async commit(write: AtomicWrite): ReturnType<Driver["commit"]> {
    assertWithinBudget(write);
    this.#begin();
    try {
      const atomic = this.#kv.atomic();
      for (const { key, versionstamp } of write.checks ?? []) {
        atomic.check({ key, versionstamp });
      }
      for (const { key, value } of write.sets ?? []) atomic.set(key, value);
      for (const key of write.deletes ?? []) atomic.delete(key);
      return await atomic.commit();
    } catch (error) {
      throw this.#failure(error, "write");
    } finally {
      this.#end();
    }
  }

  close(): void {
    if (this.#state !== "open") return;
    this.#state = "closing";
    if (this.#inFlight === 0) this.#closeNow();
  }

  async #getBatch(keys: readonly Key[]): Promise<(Row | null)[]> {
    const entries = await this.#kv.getMany(keys);
    return keys.map((key, at) => {
      const entry = entries[at];
      return entry === undefined ? null : this.#row(entry, key);
    });
  }

  #row({ value, versionstamp }: KvEntryLike, key: Key): Row | null {
    if (versionstamp === null) return null;
    if (!(value instanceof Uint8Array)) {
      throw this.#foreign("a value is not bytes");
    }
    return { key, value: ownBytes(value), versionstamp };
  }

  #key(parts: readonly unknown[]): Key {
    if (isOwnKey(parts)) return parts;
    return parts.map((part) => {
      if (typeof part === "string") return part;
      if (part instanceof Uint8Array) return ownBytes(part);
      throw this.#foreign("a part of a key is neither text nor bytes");
    });
  }

  #foreign(what: string): MnemError {
    return new MnemError(
      "corrupt_store",
      `Cannot read store "${this.#location}": ${what}`,
    );
  }

  #begin(): void {
    invariant(this.#state === "open", "no call on a closed handle");
    this.#inFlight++;
  }

  #end(): void {
    this.#inFlight--;
    if (this.#state === "closing" && this.#inFlight === 0) this.#closeNow();
  }

  #closeNow(): void {
    this.#state = "closed";
    this.#kv.close();
  }

  #failure(error: unknown, during: "read" | "write"): MnemError {
    // Closing a handle whose engine has stopped would end the process.
    if (isStopped(error)) this.#state = "closed";
    return storageError(error, { location: this.#location, during });
  }
}

/**
 * The first and the last possible key below a prefix. The npm client's own prefixes loop for ever
 * when a row lies at the prefix itself and the limit is 1, and return that row in reverse.
 */
function bounds(
  range: RowRange,
): { start: readonly KvKeyPart[]; end: readonly KvKeyPart[] } {
  if ("start" in range) return range;
  return {
    start: [...range.prefix, new Uint8Array()],
    end: [...range.prefix, true],
  };
}

/** The npm client returns Buffers that are views of a larger buffer. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return isOwn(bytes) ? bytes : new Uint8Array(bytes);
}

/** Whether nothing of a key has to be copied. */
function isOwnKey(parts: readonly unknown[]): parts is Key {
  for (const part of parts) {
    const isOne = typeof part === "string" ||
      part instanceof Uint8Array && isOwn(part);
    if (!isOne) return false;
  }
  return true;
}

function isOwn(bytes: Uint8Array): boolean {
  return bytes.constructor === Uint8Array &&
    bytes.length === bytes.buffer.byteLength;
}
