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
  const { questions, runs } = scale;
  const figures: Figure[] = [];
  for (const size of scale.nodes) {
    const bench = await stores.of(size);
    const times = size <= 1_000 ? questions : size < 1_000_000 ? runs : 1;
    figures.push(
      { bench: "recall-one", size, values: await one(bench, questions) },
      { bench: "recall-all", size, values: await all(bench, times) },
      { bench: "prefix", size, values: await prefix(bench, questions) },
    );
  }
  return figures;
}

async function one(bench: BenchStore, questions: number): Promise<Values> {
  const idAt = (turn: number) => bench.ids[(turn * 7919) % bench.ids.length]!;
  const get = (driver: Driver) => driver.getMany([["r", "main"]]);
  const cold = await beside(bench, questions, {
    ask: async (store, turn) => {
      if (await store.node(idAt(turn)) === null) throw new Error("It is lost");
    },
    floor: get,
  });
  const { store, driver } = bench;
  let warm_rounds = 0;
  const [warm, bare] = await inTurns(questions, async (turn) => {
    await store.node(idAt(turn));
    driver.reset();
    const ms = await timed(() => store.node(idAt(turn)));
    warm_rounds = Math.max(warm_rounds, driver.counts.rounds);
    return ms;
  }, () => timed(() => get(driver)));
  return {
    ...cold,
    warm_ms: median(warm),
    warm_bare_ms: median(bare),
    warm_ratio: median(warm) / median(bare),
    warm_rounds,
  };
}

function all(bench: BenchStore, times: number): Promise<Values> {
  return beside(bench, times, {
    ask: async (store) => {
      const { size } = await store.memory();
      if (size < bench.ids.length) throw new Error(`Only ${size} nodes`);
    },
    floor: (driver) => listed(driver, { prefix: ["n"] }),
  });
}

function prefix(bench: BenchStore, questions: number): Promise<Values> {
  const { ids } = bench;
  const places = Math.max(1, Math.floor(ids.length / PREFIX_NODES));
  const at = (turn: number) =>
    ids[(turn * 31) % places * PREFIX_NODES]!.slice(0, PREFIX_LENGTH);
  return beside(bench, questions, {
    ask: async (store, turn) => {
      const nodes = await Array.fromAsync(store.nodes({ prefix: at(turn) }));
      if (nodes.length < PREFIX_NODES) throw new Error("Some are lost");
    },
    floor: (driver, turn) => {
      const end = `${at(turn)}\uffff`;
      return listed(driver, { start: ["n", at(turn)], end: ["n", end] });
    },
  });
}

/** What is asked, and the least that bare storage would have to do for it. */
interface Asked {
  ask(store: Store, turn: number): Promise<void>;
  floor(driver: Driver, turn: number): Promise<unknown>;
}

/** Handles with empty caches in turns with bare storage, which then reads the same rows too. */
async function beside(
  bench: BenchStore,
  turns: number,
  { ask, floor }: Asked,
): Promise<Values> {
  const sameRows: number[] = [];
  let cold_rounds = 0;
  const [cold, bare] = await inTurns(turns, async (turn) => {
    let log: CallLog | undefined;
    await using handle = await bench.reopen((driver) =>
      log = new CallLog(driver)
    );
    const noted = log;
    if (noted === undefined) throw new Error("The storage was not wrapped");
    noted.reset();
    handle.driver.reset();
    const ms = await timed(() => ask(handle.store, turn));
    cold_rounds = Math.max(cold_rounds, handle.driver.counts.rounds);
    sameRows.push(await bareMs(bench, (driver) => noted.replay(driver)));
    return ms;
  }, (turn) => bareMs(bench, (driver) => floor(driver, turn)));
  const [cold_ms, bare_ms] = [median(cold), median(bare)];
  const same_rows_ms = median(sameRows);
  return {
    cold_ms,
    bare_ms,
    ratio: cold_ms / bare_ms,
    same_rows_ms,
    same_rows_ratio: cold_ms / same_rows_ms,
    cold_rounds,
  };
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
