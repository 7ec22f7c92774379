/**
 * Tells a client that a resource it watches has changed, whichever process changed it. The head is
 * read again and again while somebody watches, and never otherwise: no KV tells one process of what
 * another wrote.
 *
 * @module
 */

import { toWire } from "@mnem/agents";
import type { Head, ObjectId, Snapshot, Store } from "@mnem/core";
import { jsonText } from "./json_text.ts";
import { parseResourceUri, type ResourceName } from "./resource_uri.ts";
import type { Timer } from "./timer.ts";
import type { Report } from "./tool_result.ts";

/** Who watches: a listen request by its id, or a client of the older revisions as a whole. */
export type Watcher = string | number | symbol;

/** What a {@linkcode ResourceWatch} works with. */
export interface ResourceWatchOptions {
  /** The memory. */
  readonly store: Pick<Store, "head" | "at">;
  /** Told of each change, with the URI as it was given. */
  readonly notify: (uri: string) => void;
  /** Told of the first of a row of failures to read the store. */
  readonly report: Report;
  /** Calls back after the pause between two looks at the head. */
  readonly timer: Timer;
}

/** One run of looks at the head, from the first watcher to the last. */
interface Looking {
  /** The head at the last look; undefined before one has succeeded. */
  seen: Head | undefined;
  /** Settles after the first look. */
  ready: Promise<void>;
  stopped: boolean;
  cancel: () => void;
}

/** The URIs that one connection watches. */
export class ResourceWatch {
  readonly #options: ResourceWatchOptions;
  readonly #watched = new Map<Watcher, ReadonlySet<string>>();
  #looking: Looking | undefined;
  #failing = false;
  #closed = false;

  /** Watches nothing yet. */
  constructor(options: ResourceWatchOptions) {
    this.#options = options;
  }

  /** Returns the URIs that a watcher has. */
  urisOf(watcher: Watcher): ReadonlySet<string> {
    return this.#watched.get(watcher) ?? new Set();
  }

  /** Sets the URIs of a watcher, in place of those it had. Whatever is written after this has settled is told. */
  async watch(watcher: Watcher, uris: Iterable<string>): Promise<void> {
    const given = new Set(uris);
    if (this.#closed) return;
    if (given.size === 0) return this.unwatch(watcher);
    this.#watched.set(watcher, given);
    this.#looking ??= this.#begin();
    await this.#looking.ready;
  }

  /** Forgets a watcher. */
  unwatch(watcher: Watcher): void {
    this.#watched.delete(watcher);
    if (this.#watched.size > 0 || this.#looking === undefined) return;
    this.#looking.stopped = true;
    this.#looking.cancel();
    this.#looking = undefined;
  }

  /** Ends it for good: the connection has gone. */
  close(): void {
    this.#closed = true;
    for (const watcher of [...this.#watched.keys()]) this.unwatch(watcher);
  }

  #begin(): Looking {
    const looking: Looking = {
      seen: undefined,
      ready: Promise.resolve(),
      stopped: false,
      cancel: () => {},
    };
    looking.ready = this.#look(looking, async (now) => {
      looking.seen = await now;
    });
    return looking;
  }

  /** Looks once, and sees to the next look. */
  async #look(
    looking: Looking,
    use: (head: Promise<Head>) => Promise<void>,
  ): Promise<void> {
    try {
      await use(this.#options.store.head());
      this.#failing = false;
    } catch (error) {
      if (!this.#failing && !looking.stopped) this.#options.report(error);
      this.#failing = true;
    }
    if (looking.stopped) return;
    looking.cancel = this.#options.timer(() =>
      void this.#look(looking, async (now) => this.#compare(looking, await now))
    );
  }

  async #compare(looking: Looking, now: Head): Promise<void> {
    const { seen } = looking;
    const { store, notify } = this.#options;
    if (seen?.commit !== now.commit || seen.branch !== now.branch) {
      const change = await changeOf(store, seen, now);
      for (const uri of this.#allWatched()) {
        const named = parseResourceUri(uri);
        if (named === null || !await isTouched(named, change)) continue;
        if (this.#allWatched().has(uri)) notify(uri);
      }
    }
    // Not before all are told: what fails on the way is looked at again.
    looking.seen = now;
  }

  #allWatched(): ReadonlySet<string> {
    return new Set([...this.#watched.values()].flatMap((uris) => [...uris]));
  }
}

/** What happened between two looks. */
interface HeadChange {
  /** Whether memory is of another commit. */
  readonly moved: boolean;
  /** Memory before and after; null where there was no commit, undefined where it is not known. */
  readonly before: Snapshot | null | undefined;
  readonly after: Snapshot | null;
}

async function changeOf(
  store: Pick<Store, "at">,
  seen: Head | undefined,
  now: Head,
): Promise<HeadChange> {
  const snapshotAt = (commit: ObjectId | null) =>
    commit === null ? null : store.at(commit);
  return {
    moved: seen?.commit !== now.commit,
    before: seen === undefined ? undefined : await snapshotAt(seen.commit),
    after: await snapshotAt(now.commit),
  };
}

async function isTouched(
  named: ResourceName,
  { moved, before, after }: HeadChange,
): Promise<boolean> {
  switch (named.kind) {
    case "commit":
      return false;
    case "status":
      return true;
    case "memory":
    case "log":
      return moved;
    case "node":
      return moved && (before === undefined ||
        await nodeText(before, named.id) !== await nodeText(after, named.id));
  }
}

async function nodeText(memory: Snapshot | null, id: string): Promise<string> {
  const node = await memory?.node(id);
  return jsonText(node == null ? null : toWire(node));
}
