/**
 * Reading one node, those under a prefix and all of them, beside bare reads of the same rows.
 *
 * @module
 */

import type { Store } from "@mnem/core";
import type { Driver, RowRange } from "../../core/storage/driver.ts";
import type { BenchStore } from "./bench_store.ts";
import { CallLog } from "./call_log.ts";
import {
  type BenchContext,
  type Figure,
  inTurns,
  median,
  timed,
  type Values,
} from "./figure.ts";

/** How many nodes lie under the prefix: those whose numbers share all digits but the last two. */
const PREFIX_NODES = 100;
const PREFIX_LENGTH = "customer-000000".length;

/** Measures reads, cold and warm, at every size. */
export async function recallBench(
  { scale, stores }: BenchContext,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of scale.nodes) {
    const bench = await stores.of(size);
    const runs = size >= 1_000_000 ? 1 : scale.runs;
    figures.push(
      { bench: "recall-one", size, values: await one(bench, scale.questions) },
      { bench: "recall-all", size, values: await all(bench, runs) },
      { bench: "prefix", size, values: await prefix(bench, scale.questions) },
    );
  }
  return figures;
}

async function one(bench: BenchStore, questions: number): Promise<Values> {
  const idAt = (turn: number) => bench.ids[(turn * 7919) % bench.ids.length]!;
  const get = [["r", "main"]];
  let cold_rounds = 0;
  let log: CallLog | undefined;
  const sameRows: number[] = [];
  const [cold, bare] = await inTurns(questions, async (turn) => {
    const asked = await askCold(bench, async (store) => {
      if (await store.node(idAt(turn)) === null) throw new Error("It is lost");
    });
    cold_rounds = Math.max(cold_rounds, asked.rounds);
    log = asked.log;
    return asked.ms;
  }, async () => {
    const last = log;
    if (last !== undefined) {
      sameRows.push(await bareMs(bench, (driver) => last.replay(driver)));
    }
    return await bareMs(bench, (driver) => driver.getMany(get));
  });
  const { store, driver } = bench;
  let warm_rounds = 0;
  const [warm, warmBare] = await inTurns(questions, async (turn) => {
    await store.node(idAt(turn));
    driver.reset();
    const ms = await timed(() => store.node(idAt(turn)));
    warm_rounds = Math.max(warm_rounds, driver.counts.rounds);
    return ms;
  }, () => timed(() => driver.getMany(get)));
  return {
    cold_ms: median(cold),
    bare_get_ms: median(bare),
    cold_ratio: median(cold) / median(bare),
    same_rows_ms: median(sameRows),
    same_rows_ratio: median(cold) / median(sameRows),
    cold_rounds,
    warm_ms: median(warm),
    warm_bare_get_ms: median(warmBare),
    warm_ratio: median(warm) / median(warmBare),
    warm_rounds,
  };
}

async function all(bench: BenchStore, runs: number): Promise<Values> {
  let rounds = 0;
  const [cold, bare] = await inTurns(runs, async () => {
    const asked = await askCold(bench, async (store) => {
      const { size } = await store.memory();
      if (size < bench.ids.length) throw new Error(`Only ${size} nodes`);
    });
    rounds = Math.max(rounds, asked.rounds);
    return asked.ms;
  }, () => bareMs(bench, (driver) => listed(driver, { prefix: ["n"] })));
  return {
    cold_ms: median(cold),
    bare_list_ms: median(bare),
    ratio: median(cold) / median(bare),
    rounds,
  };
}

async function prefix(bench: BenchStore, questions: number): Promise<Values> {
  const { ids } = bench;
  const places = Math.max(1, Math.floor(ids.length / PREFIX_NODES));
  const at = (turn: number) =>
    ids[(turn * 31) % places * PREFIX_NODES]!.slice(0, PREFIX_LENGTH);
  let rounds = 0;
  const [cold, bare] = await inTurns(questions, async (turn) => {
    const asked = await askCold(bench, async (store) => {
      const nodes = await Array.fromAsync(store.nodes({ prefix: at(turn) }));
      if (nodes.length < PREFIX_NODES) throw new Error("Some are lost");
    });
    rounds = Math.max(rounds, asked.rounds);
    return asked.ms;
  }, (turn) => {
    const range = {
      start: ["n", at(turn)],
      end: ["n", `${at(turn)}\uffff`],
    };
    return bareMs(bench, (driver) => listed(driver, range));
  });
  return {
    cold_ms: median(cold),
    bare_list_ms: median(bare),
    ratio: median(cold) / median(bare),
    rounds,
  };
}

/** What a question costs a handle with empty caches, and what it asked of the storage. */
async function askCold(
  bench: BenchStore,
  ask: (store: Store) => Promise<unknown>,
): Promise<{ ms: number; rounds: number; log: CallLog }> {
  let log: CallLog | undefined;
  await using cold = await bench.reopen((driver) => log = new CallLog(driver));
  if (log === undefined) throw new Error("The storage was not wrapped");
  log.reset();
  cold.driver.reset();
  const ms = await timed(() => ask(cold.store));
  return { ms, rounds: cold.driver.counts.rounds, log };
}

/** What bare storage takes, opened anew as the store's was. */
async function bareMs(
  bench: BenchStore,
  read: (driver: Driver) => Promise<unknown>,
): Promise<number> {
  const driver = await bench.reopenBare();
  try {
    // The store read what it is when it was opened.
    await driver.getMany([["meta"], ["HEAD"]]);
    return await timed(() => read(driver));
  } finally {
    driver.close();
  }
}

async function listed(driver: Driver, range: RowRange): Promise<void> {
  for await (const _ of driver.list(range));
}
