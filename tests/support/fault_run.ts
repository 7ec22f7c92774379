/**
 * Several writers on one store whose storage keeps failing: whatever happens, a write that was
 * acknowledged is in history once, and one that failed with outcome "none" is not.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Edit, isMnemError, type Store } from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { checkHistory } from "./check_history.ts";
import { checkVerified } from "./check_verified.ts";
import { ClientErrors } from "./client_errors.ts";
import { type Fault, FaultDriver } from "./fault_driver.ts";
import { MemoryKv } from "./memory_kv.ts";
import { Chance } from "./tree_cases.ts";

/** What to run. */
export interface FaultRunOptions {
  /** Where all chance comes from. */
  readonly seed: number;
  /** How many handles write at the same time. */
  readonly writers: number;
  /** How many calls each of them makes. */
  readonly calls: number;
  /** Of a hundred storage calls so many go wrong. */
  readonly percent: number;
}

/** A store whose calls go wrong, and a way around that. */
export interface FaultPlace {
  /** A handle to look with at the end. */
  readonly quiet: Store;
  /** Opens a handle for a writer, some of whose calls go wrong as the chance has it. */
  open(chance: Chance): Promise<Store>;
  /** Called once all are open: where they share what goes wrong, it goes wrong from now on. */
  begin?(): void;
  /** Does all that is late; nothing goes wrong any more. */
  settle(): Promise<void>;
}

/** What came of the calls. */
export interface FaultRunCounts {
  /** Acknowledged with a commit. */
  readonly committed: number;
  /** Acknowledged without one, for nothing changed. */
  readonly unchanged: number;
  /** Failed, and known not to be there. */
  readonly none: number;
  /** Failed, and maybe there. */
  readonly unknown: number;
}

type End = keyof FaultRunCounts;

const FAULTS: readonly Fault[] = ["refuse", "lose", "late", "locked", "not_ok"];

/** Runs it, and checks what is left; in memory, unless another place is given. */
export async function runWithFaults(
  { seed, writers, calls, percent }: FaultRunOptions,
  place?: FaultPlace,
): Promise<FaultRunCounts> {
  const { quiet, open, begin = () => {}, settle } = place ??
    await placeInMemory(percent);
  const ends = new Map<string, End>();
  const write = async (
    writer: number,
    { store, chance }: { readonly store: Store; readonly chance: Chance },
  ): Promise<void> => {
    for (let call = 0; call < calls;) {
      // Some alone, some together.
      const together = Array.from({ length: 1 + chance.below(4) }, () => {
        const message = `${writer}.${call++}`;
        return endOf(store, editsOf(chance, message), message);
      });
      for (const [message, end] of await Promise.all(together)) {
        ends.set(message, end);
      }
    }
  };
  const opened = await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const chance = new Chance(seed * 100 + writer);
      return { chance, store: await open(chance) };
    }),
  );
  begin();
  await Promise.all(opened.map((one, writer) => write(writer, one)));
  await settle();
  return await checkEnds(quiet, ends);
}

async function placeInMemory(percent: number): Promise<FaultPlace> {
  const kv = new MemoryKv();
  const drivers: FaultDriver[] = [];
  return {
    quiet: await openStoreOn(kv.open(), { create: true }),
    async open(chance) {
      const driver = new FaultDriver(kv.open());
      drivers.push(driver);
      const store = await openStoreOn(new ClientErrors(driver));
      driver.arm(() =>
        chance.below(100) < percent ? chance.pick(FAULTS) : undefined
      );
      return store;
    },
    async settle() {
      for (const driver of drivers) {
        driver.arm(() => undefined);
        await driver.flush();
      }
    },
  };
}

function editsOf(chance: Chance, content: string): Edit[] {
  const id = `n${chance.below(12)}`;
  const kind = chance.below(20);
  if (kind < 3) return [{ id, remove: true }];
  if (kind < 4) return [{ id, content: content + "x".repeat(70_000) }];
  if (kind < 5) {
    return Array.from({ length: 720 }, (_, i) => ({ id: `b${i}`, content }));
  }
  return [{ id, content }];
}

async function endOf(
  store: Store,
  edits: readonly Edit[],
  message: string,
): Promise<[string, End]> {
  try {
    const { changes } = await store.write(edits, { message });
    return [message, changes.size > 0 ? "committed" : "unchanged"];
  } catch (error) {
    if (!isMnemError(error)) throw error;
    return [message, error.outcome];
  }
}

async function checkEnds(
  store: Store,
  ends: ReadonlyMap<string, End>,
): Promise<FaultRunCounts> {
  const { messages } = await checkHistory(store);
  await checkVerified(store);
  const found = Map.groupBy(messages, (message) => message);
  const counts = { committed: 0, unchanged: 0, none: 0, unknown: 0 };
  for (const [message, end] of ends) {
    const times = found.get(message)?.length ?? 0;
    const most = end === "committed" || end === "unknown" ? 1 : 0;
    const least = end === "committed" ? 1 : 0;
    assert.ok(
      times >= least && times <= most,
      `${message} (${end}) is there ${times} times`,
    );
    counts[end]++;
  }
  return counts;
}
