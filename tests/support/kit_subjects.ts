/**
 * The stores that the kit is run on, as it takes them.
 *
 * @module
 */

import { InMemoryStore } from "@langchain/langgraph-checkpoint";
import type { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import { MnemosyneStore } from "@mnem/langgraph";
import type { ConformanceOptions } from "@mnem/langgraph/testing";
import { openStoreOn } from "../../core/store/open_store.ts";
import { langGraphStore } from "./langgraph_store.ts";
import { MemoryKv } from "./memory_kv.ts";
import { nextMillisecond } from "./next_millisecond.ts";
import type { PostgresServer } from "./postgres_server.ts";
import {
  deviationsOf,
  IN_MEMORY_REASONS,
  POSTGRES_REASONS,
} from "./store_deviations.ts";

/** Ours, on a file as users have it. It deviates from nothing. */
export function fileSubject(): ConformanceOptions<MnemosyneStore> {
  return subjectOf(async (clock) => {
    const temp = await langGraphStore({ clock });
    return [temp.memory, temp];
  });
}

/** Ours, on KV in memory: the same in a fraction of the time. */
export function kvSubject(): ConformanceOptions<MnemosyneStore> {
  return subjectOf(async (clock) => {
    const driver = new MemoryKv().open();
    const store = await openStoreOn(driver, { create: true, clock });
    return [new MnemosyneStore(store), store];
  });
}

function subjectOf(
  open: (clock: () => number) => Promise<[MnemosyneStore, AsyncDisposable]>,
): ConformanceOptions<MnemosyneStore> {
  const below = new Map<MnemosyneStore, AsyncDisposable>();
  let nowMs = Date.UTC(2026, 0, 1);
  return {
    name: "MnemosyneStore",
    create: async () => {
      const [memory, ground] = await open(() => nowMs);
      below.set(memory, ground);
      return memory;
    },
    dispose: async (memory) => {
      await below.get(memory)?.[Symbol.asyncDispose]();
      below.delete(memory);
    },
    tick: () => {
      nowMs++;
    },
  };
}

/** LangGraph's store in memory. */
export function inMemorySubject(): ConformanceOptions<InMemoryStore> {
  return {
    name: "InMemoryStore",
    create: () => new InMemoryStore(),
    tick: nextMillisecond,
    deviations: deviationsOf(IN_MEMORY_REASONS),
  };
}

/** LangGraph's store in PostgreSQL, set up before it is used, as its documentation says. */
export function postgresSubject(
  server: PostgresServer,
): ConformanceOptions<PostgresStore> {
  return {
    name: "PostgresStore",
    create: async () => {
      const store = server.store();
      await store.setup();
      return store;
    },
    dispose: (store) => store.stop(),
    tick: nextMillisecond,
    deviations: deviationsOf(POSTGRES_REASONS),
  };
}
