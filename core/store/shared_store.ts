/**
 * What all handles of one store in one process share: the driver, the caches, and the queues that
 * put their writes in line.
 *
 * @module
 */

import type { FlatImage } from "../state/flat_image.ts";
import { ByteCache } from "../storage/byte_cache.ts";
import type { Driver } from "../storage/driver.ts";
import { type Head, HeadReader, type Position } from "../storage/head.ts";
import type { StoreMeta } from "../storage/meta_row.ts";
import { StoreReader } from "../storage/store_reader.ts";
import { CommitQueue } from "./commit_queue.ts";

/** Bytes of recent flat states kept, so that the next one is spliced and not made anew. */
const FLAT_CACHE_BYTES_MAX = 8 * 1024 * 1024;
/** Heads remembered after a write of this process. */
const KNOWN_HEADS_MAX = 64;

/** A head that this process wrote. */
export interface WrittenHead {
  /** As it was written. */
  readonly head: Head;
  /** Nobody else wrote since the write before, so that it is likely to be there still. */
  readonly alone: boolean;
}

/** One store in one process. */
export class SharedStore {
  /** Carries out what is read and written. */
  readonly driver: Driver;
  /** What the store says of itself. */
  readonly meta: StoreMeta;
  /** Reads what never changes. */
  readonly reader: StoreReader;
  /** Reads where branches stand. */
  readonly heads: HeadReader;
  /** The bytes of recent flat states, by state id. */
  readonly flats: ByteCache<FlatImage> = new ByteCache(FLAT_CACHE_BYTES_MAX);
  readonly #written = new ByteCache<WrittenHead>(KNOWN_HEADS_MAX);
  readonly #queues = new Map<string, CommitQueue>();

  /** Shares a driver on the store that `meta` describes, as read at version `metaStamp`. */
  constructor(driver: Driver, meta: StoreMeta, metaStamp: string) {
    this.driver = driver;
    this.meta = meta;
    this.reader = new StoreReader(driver);
    this.heads = new HeadReader(driver, this.reader, meta, metaStamp);
  }

  /** The queue of a position. Writes of one queue are made one after the other, several at once. */
  queue(position: Position): CommitQueue {
    const name = nameOf(position);
    const queue = this.#queues.get(name) ??
      new CommitQueue(this, position, () => this.#queues.delete(name));
    this.#queues.set(name, queue);
    return queue;
  }

  /** The head of a position that this process wrote last, if it wrote any. */
  written(position: Position): WrittenHead | undefined {
    return this.#written.get(nameOf(position));
  }

  /** Remembers the head that this process just wrote; undefined forgets. */
  setWritten(position: Position, written: WrittenHead | undefined): void {
    if (written === undefined) this.#written.delete(nameOf(position));
    else this.#written.set(nameOf(position), written, 1);
  }
}

function nameOf(position: Position): string {
  switch (position.on) {
    case "head":
      return "HEAD";
    case "branch":
      return `branch ${position.name}`;
    case "commit":
      return `commit ${position.id}`;
  }
}
