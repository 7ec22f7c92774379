/**
 * Tells a client that a resource it watches has changed, whichever process changed it. The head is
 * read again and again while somebody watches, and never otherwise: no KV tells one process of what
 * another wrote.
 *
 * @module
 */

import type { Head, ObjectId, Store } from "@mnem/core";
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

/** Resources by the URIs under which a client knows them. */
type Resources = ReadonlyMap<string, ResourceName>;

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
  readonly #watched = new Map<Watcher, Map<string, ResourceName>>();
  #looking: Looking | undefined;
  #failing = false;
  #closed = false;

  /** Watches nothing yet. */
  constructor(options: ResourceWatchOptions) {
    this.#options = options;
  }

  /**
   * Adds URIs to those of a watcher, but for those of which nothing could ever be told. Whatever is
   * written after this has settled is told.
   */
  async watch(watcher: Watcher, uris: Iterable<string>): Promise<void> {
    if (this.#closed) return;
    const watched = this.#watched.get(watcher) ??
      new Map<string, ResourceName>();
    for (const uri of uris) {
      const named = parseResourceUri(uri);
      if (named !== null && named.kind !== "commit") watched.set(uri, named);
    }
    if (watched.size === 0) return;
    this.#watched.set(watcher, watched);
    this.#looking ??= this.#begin();
    await this.#looking.ready;
  }

  /** Forgets a URI of a watcher; without one, the watcher. */
  unwatch(watcher: Watcher, uri?: string): void {
    const watched = this.#watched.get(watcher);
    if (uri !== undefined) watched?.delete(uri);
    if (uri !== undefined && watched?.size !== 0) return;
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
    const moved = seen?.commit !== now.commit;
    looking.seen = now;
    if (!moved && seen?.branch === now.branch) return;
    const isOther = moved ? await this.#comparison(seen, now) : () => false;
    for (const [uri, named] of this.#allWatched()) {
      if (isTouched(named, { moved, isOther })) this.#options.notify(uri);
    }
  }

  /** Returns what tells whether a node is another one; where that cannot be known, each is: rather one word too many. */
  async #comparison(
    seen: Head | undefined,
    now: Head,
  ): Promise<(id: string) => boolean> {
    const ids = [...this.#allWatched().values()].flatMap((named) =>
      named.kind === "node" ? [named.id] : []
    );
    if (seen === undefined || ids.length === 0) return () => true;
    try {
      const { store } = this.#options;
      const before = await originsOf(store, { commit: seen.commit, ids });
      const after = await originsOf(store, { commit: now.commit, ids });
      return (id) => before.get(id) !== after.get(id);
    } catch (error) {
      this.#options.report(error);
      return () => true;
    }
  }

  #allWatched(): Resources {
    return new Map(
      [...this.#watched.values()].flatMap((watched) => [...watched]),
    );
  }
}

/** Reads by which commits the values of nodes were written. */
async function originsOf(
  store: Pick<Store, "at">,
  { commit, ids }: {
    readonly commit: ObjectId | null;
    readonly ids: readonly string[];
  },
): Promise<ReadonlyMap<string, string>> {
  const origins = new Map<string, string>();
  if (commit === null) return origins;
  const memory = await store.at(commit);
  for await (const { id, changed } of memory.entries({ ids })) {
    origins.set(id, changed.commit);
  }
  return origins;
}

function isTouched(
  named: ResourceName,
  { moved, isOther }: {
    /** Whether memory is of another commit. */
    readonly moved: boolean;
    readonly isOther: (id: string) => boolean;
  },
): boolean {
  switch (named.kind) {
    case "commit":
      return false;
    case "status":
      return true;
    case "memory":
    case "log":
      return moved;
    case "node":
      return isOther(named.id);
  }
}
