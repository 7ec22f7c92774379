/**
 * Puts every fault at every storage call of an operation, and holds what comes of it to the same
 * operation without faults.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import {
  type Head,
  isMnemError,
  type OpenOptions,
  openStore,
  type Store,
} from "@mnem/core";
import { META_KEY } from "../../core/storage/keys.ts";
import { parseLocation } from "../../core/storage/location.ts";
import { chooseClient } from "../../core/storage/open_driver.ts";
import { acquireHandle } from "../../core/storage/shared_handle.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { checkVerified } from "./check_verified.ts";
import { ClientErrors } from "./client_errors.ts";
import { fastClock } from "./fast_clock.ts";
import type { FaultPlan, StorageCall } from "./fault_driver.ts";
import {
  applies,
  FAULT_KINDS,
  type FaultKind,
  isOutage,
  planOf,
} from "./fault_kinds.ts";
import type { FaultKv } from "./fault_kv.ts";
import { MemoryKv } from "./memory_kv.ts";
import { PLAIN_SURFACE, type Surface } from "./recorded_surface.ts";
import { tempFolder } from "./temp_folder.ts";

/** What an operation works with. */
export interface Use {
  /** The store; of an operation that opens it by itself, one that fails at every call. */
  readonly store: Store;
  /** Where it lies. */
  readonly location: string;
  /** The functions of `@mnem/core`. */
  readonly core: Surface["core"];
  /** The functions of `@mnem/agents`. */
  readonly agents: Surface["agents"];
}

/** One operation to which everything is to happen. */
export interface FaultOperation {
  /** Says it to whoever reads a failure. */
  readonly name: string;
  /** What is there before: a store that is open, one that is not, or none. */
  readonly before: "open" | "closed" | "nothing";
  /** Makes what is there. */
  readonly seed?: (store: Store, location: string) => Promise<void>;
  /** On a server, and not in a folder. */
  readonly remote?: boolean;
  /** How the store is opened. */
  readonly options?: OpenOptions;
  /** Does it; the answer holds nothing that differs from run to run. */
  readonly run: (use: Use) => Promise<unknown>;
  /** A part at least of the answer, by hand. */
  readonly is?: unknown;
  /** Looks at what it leaves, by hand. */
  readonly leaves?: (store: Store) => Promise<void>;
  /** It takes long: in the quick tests only some kinds of faults happen to it. */
  readonly isLong?: boolean;
  /** Asked for again it does more: after an error of the outcome "unknown" one must look. */
  readonly repeats?: boolean;
  /** It builds a database that nobody sees yet, which one failed write ends, and then makes it seen. */
  readonly parts?: boolean;
}

/** What was done. */
export interface FaultCounts {
  /** Faults that happened. */
  readonly faults: number;
  /** After which the operation succeeded. */
  readonly survived: number;
  /** After which it failed, was known to have done nothing, and succeeded when it was repeated. */
  readonly none: number;
  /** After which nobody could say. */
  readonly unknown: number;
}

const REMOTE = "http://127.0.0.1:9/store";
const OPENED: OpenOptions = {
  clock: () => 1_700_000_000_000,
  author: "tester",
};

/** What can be seen of a store without its nodes: commits are known by their ids, and ids hold all. */
type Picture = "nothing" | "half" | {
  readonly head: Head;
  readonly branches: ReadonlyMap<string, string>;
  readonly staged: unknown;
};

/** How the operation goes without faults. */
interface Expected {
  readonly before: Picture;
  readonly after: Picture;
  readonly answer: unknown;
  readonly calls: readonly StorageCall[];
}

/** Runs an operation with each kind of fault at each of its storage calls; says what came of each kind. */
export async function runFaults(
  kv: FaultKv,
  operation: FaultOperation,
  options: {
    readonly kinds?: readonly FaultKind[];
    readonly surface?: Surface;
  } = {},
): Promise<ReadonlyMap<FaultKind, FaultCounts>> {
  await using folder = await tempFolder();
  const bench = new Bench(kv, operation, folder.path);
  await bench.prepare();
  const expected = await bench.expect(options.surface ?? PLAIN_SURFACE);
  const all = new Map<FaultKind, FaultCounts>();
  for (const kind of options.kinds ?? FAULT_KINDS) {
    const counts = { faults: 0, survived: 0, none: 0, unknown: 0 };
    for (const call of expected.calls) {
      if (!applies(kind, call)) continue;
      try {
        counts[await bench.round(kind, call, expected)]++;
        counts.faults++;
      } catch (cause) {
        const what = `${operation.name}: ${kind} at call ${call.index}`;
        throw new Error(`${what} (${call.operation})`, { cause });
      }
    }
    all.set(kind, counts);
  }
  return all;
}

/** A folder or server, and an operation on it. */
class Bench {
  readonly #kv: FaultKv;
  readonly #operation: FaultOperation;
  readonly #folder: string;
  readonly #file: string;
  #seeded = new MemoryKv();
  #database = new MemoryKv();

  constructor(kv: FaultKv, operation: FaultOperation, folder: string) {
    this.#kv = kv;
    this.#operation = operation;
    this.#folder = folder;
    this.#file = `${folder}/.mnem/kv.db`;
  }

  /** Makes what is there before. */
  async prepare(): Promise<void> {
    const { before, seed, remote = false } = this.#operation;
    if (before === "nothing") return;
    const store = await openStore(this.#folder, { ...OPENED, create: true });
    await seed?.(store, this.#folder);
    await store.close();
    this.#seeded = await this.#kv.at(this.#file);
    if (remote) await this.#empty();
  }

  /** Does it without faults. */
  async expect(surface: Surface): Promise<Expected> {
    const calls: StorageCall[] = [];
    const { is, leaves } = this.#operation;
    return await this.#fresh(async (run) => {
      const before = await this.#picture();
      const { answer, error } = await run(surface, (call) => {
        calls.push(call);
        return undefined;
      });
      if (error !== undefined) throw error;
      const after = await this.#picture();
      if (is !== undefined) assert.partialDeepStrictEqual(answer, is);
      if (leaves !== undefined) {
        await leaves(await openStoreOn(this.#database.open(), OPENED));
      }
      await this.#verify(after);
      return { before, after, answer, calls };
    });
  }

  /** Does it with one fault, and again if it failed. */
  async round(
    kind: FaultKind,
    call: StorageCall,
    expected: Expected,
  ): Promise<"survived" | "none" | "unknown"> {
    return await this.#fresh(async (run) => {
      using _clock = isOutage(kind) ? fastClock(500) : undefined;
      const plan = planOf(kind, call.index);
      const { answer, error } = await run(PLAIN_SURFACE, plan);
      if (error === undefined) {
        assert.deepEqual(answer, expected.answer);
        await this.#check(expected.after);
        return "survived";
      }
      this.#checkError(error, kind, call);
      const { parts = false, repeats = false } = this.#operation;
      // A call on a closed handle is a defect of ours, whose error says nothing.
      const said = isMnemError(error) ? error.outcome : undefined;
      const outcome = said ?? (parts ? "unknown" : "none");
      const now = await this.#picture();
      const landed = outcome === "unknown" && !same(now, expected.before);
      // With one fault there is doubt only where a part is there and another one failed.
      const isSure = isOutage(kind) || said !== "unknown" || parts && landed;
      assert.ok(isSure, "it is known what is there");
      if (now === "half") {
        // Rows without the mark of a store: nobody can open it, and the error says that it is there.
        assert.ok(isOutage(kind) && said === "unknown" && parts);
        return "unknown";
      }
      if (landed && parts) await this.#verify(now);
      else await this.#check(landed ? expected.after : expected.before);
      if (landed && repeats) return outcome;
      const again = await run(PLAIN_SURFACE, () => undefined);
      if (!landed) {
        if (again.error !== undefined) throw again.error;
        assert.deepEqual(again.answer, expected.answer, "the second answer");
      }
      await this.#check(expected.after);
      return outcome;
    });
  }

  /** Gives a fresh place, and what runs the operation there, maybe again and again on one handle. */
  async #fresh<T>(
    use: (
      run: (
        surface: Surface,
        plan: FaultPlan,
      ) => Promise<{ answer?: unknown; error?: unknown }>,
    ) => Promise<T>,
  ): Promise<T> {
    const { remote = false, before, options } = this.#operation;
    this.#database = this.#seeded.copy();
    if (before === "nothing") await this.#empty();
    else if (!remote) await this.#kv.put(this.#file, this.#database);
    const location = remote ? REMOTE : this.#folder;
    const place = parseLocation(location);
    const lease = remote
      ? await acquireHandle(place, {
        client: chooseClient(place),
        open: () =>
          Promise.resolve(new ClientErrors(this.#kv.open(this.#database))),
      })
      : undefined;
    const store = before === "open"
      ? await openStore(location, { ...OPENED, ...options })
      : undefined;
    try {
      return await use(async (surface, plan) => {
        this.#kv.arm(plan);
        const use = {
          ...surface,
          location,
          store: store === undefined ? NO_STORE : surface.of(store),
        };
        try {
          return { answer: await this.#operation.run(use) };
        } catch (error) {
          return { error };
        } finally {
          await this.#kv.rest();
        }
      });
    } finally {
      await store?.close();
      lease?.release();
    }
  }

  async #check(expected: Picture): Promise<void> {
    assert.deepEqual(await this.#picture(), expected);
    await this.#verify(expected);
    const names = await readdir(this.#folder);
    const others = names.filter((name) => name !== ".mnem");
    assert.deepEqual(others, [], "what lies beside it");
    // A file that another process may have found too is never removed.
    const { remote = false } = this.#operation;
    if (!remote && expected !== "nothing") assert.equal(names.length, 1);
  }

  async #verify(picture: Picture): Promise<void> {
    if (typeof picture === "string") return;
    await checkVerified(await openStoreOn(this.#database.open(), OPENED));
  }

  async #picture(): Promise<Picture> {
    const { remote = false, before } = this.#operation;
    if (!remote && before === "nothing") {
      const kv = await this.#kv.at(this.#file).catch(() => undefined);
      if (kv === undefined) return "nothing";
      this.#database = kv;
    }
    if (this.#database.rows().length === 0) return "nothing";
    if (this.#database.row(META_KEY) === null) return "half";
    const store = await openStoreOn(this.#database.open(), OPENED);
    return {
      head: await store.head(),
      branches: await store.branches(),
      staged: await store.stage.list(),
    };
  }

  async #empty(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      await Deno.remove(`${this.#folder}/${name}`, { recursive: true });
    }
  }

  /** Whether this error may come of a fault, and says what it must say. */
  #checkError(error: unknown, kind: FaultKind, { operation }: StorageCall) {
    assert.notEqual(kind, "slow");
    const { parts = false } = this.#operation;
    if (kind === "closed") {
      assert.ok(error instanceof Error && /closed handle/.test(error.message));
      return;
    }
    assert.ok(isMnemError(error), String(error));
    const isBusy = kind === "locked" || kind === "overdue";
    assert.equal(error.code, isBusy ? "busy" : "store_io", error.message);
    if (isOutage(kind)) return;
    // A fault of one write is got over; only a read is not tried again.
    assert.ok(parts || operation !== "commit", "a failed write ends it");
  }
}

/** For operations that open a store by themselves. */
const NO_STORE: Store = new Proxy({} as Store, {
  get(_, name) {
    throw new Error(`${String(name)} of a store that is not open`);
  },
});

function same(one: Picture, other: Picture): boolean {
  try {
    assert.deepEqual(one, other);
    return true;
  } catch {
    return false;
  }
}
