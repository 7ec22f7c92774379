/**
 * Questions to a short and to a long history: the answer may not cost more for its length.
 *
 * @module
 */

import type { Store } from "@mnem/core";
import { type BenchStore, benchStore } from "./bench_store.ts";
import {
  type BenchContext,
  type Figure,
  inTurns,
  median,
  timed,
  type Values,
} from "./figure.ts";

const NODES = 1_000;
const BATCH = 100;
/** How many commits lie between a merge base and the head. */
const DISTANCES = [1, 10, 100, 1_000];
const PREFIX_DIGITS = 8;
const LOG_COMMITS = 20;
/** The part of history before what is asked for began. */
const BEGAN = 0.63;

/** Measures blame, bisect, the log, merge bases and short ids at two lengths of history. */
export async function historyBench(
  { scale }: BenchContext,
): Promise<Figure[]> {
  const [few, many] = scale.histories;
  await using short = await longStore(few);
  await using long = await longStore(many);
  const figures: Figure[] = [];
  for (const [bench, size] of [[short, few], [long, many]] as const) {
    const values = {
      ...await questions(bench, scale.questions),
      ...await searches(bench, size, scale.runs),
      ...await bases(bench, scale.runs),
    };
    figures.push({ bench: "history", size, values });
  }
  return [...figures, await growth(short, long, scale)];
}

/** Blame in both in turns: what an answer costs more for a longer history. */
async function growth(
  short: BenchStore,
  long: BenchStore,
  { histories, questions }: BenchContext["scale"],
): Promise<Figure> {
  const blame = (bench: BenchStore) => async (turn: number) => {
    const id = bench.ids[(turn * 31) % NODES]!;
    return (await cold(bench, (store) => store.blame(id))).ms;
  };
  const times = await inTurns(2 * questions, blame(short), blame(long));
  const [short_ms, long_ms] = [median(times[0]), median(times[1])];
  const values = { short_ms, long_ms, blame_ratio: long_ms / short_ms };
  return { bench: "history-growth", size: histories[1], values };
}

async function longStore(commits: number): Promise<BenchStore> {
  const bench = await benchStore(NODES);
  await lengthen(bench, commits);
  await branchOff(bench);
  return bench;
}

async function lengthen(
  { store, ids }: BenchStore,
  commits: number,
): Promise<void> {
  for (let at = 0; at < commits; at += BATCH) {
    await Promise.all(
      Array.from({ length: BATCH }, (_, i) =>
        store.write([{
          id: ids[(at + i) * 7 % NODES]!,
          content: { commit: at + i },
        }], {
          message: `commit ${at + i}`,
        })),
    );
  }
}

/** Leaves a branch at each distance, with a commit of its own. */
async function branchOff({ store }: BenchStore): Promise<void> {
  for (const distance of DISTANCES) {
    const name = `back-${distance}`;
    await store.createBranch(name, { at: `HEAD~${distance}` });
    const edits = [{ id: `of-${name}`, content: distance }];
    await store.on(name).write(edits, { message: name });
  }
}

/** Each on a handle of its own, so that nothing is cached. */
async function questions(bench: BenchStore, count: number): Promise<Values> {
  const head = (await bench.store.head()).commit ?? "";
  const blame: Cost[] = [];
  const log: Cost[] = [];
  const short: Cost[] = [];
  const get: number[] = [];
  for (let i = 0; i < count; i++) {
    const id = bench.ids[(i * 31) % NODES]!;
    blame.push(await cold(bench, (store) => store.blame(id)));
    log.push(
      await cold(bench, async (store) => {
        for await (const _ of store.log({ limit: LOG_COMMITS }));
      }),
    );
    short.push(
      await cold(bench, (store) => store.resolve(head.slice(0, PREFIX_DIGITS))),
    );
    get.push(await timed(() => bench.driver.getMany([["r", "main"]])));
  }
  return {
    bare_get_ms: median(get),
    ...named("blame", blame),
    ...named("log_20", log),
    ...named("short_id", short),
  };
}

/** A bisect for what began after a part of history, and is so ever since. */
async function searches(
  bench: BenchStore,
  commits: number,
  runs: number,
): Promise<Values> {
  const began = Math.floor(commits * BEGAN);
  const id = bench.ids[began * 7 % NODES]!;
  const costs: Cost[] = [];
  for (let run = 0; run < runs; run++) {
    costs.push(
      await cold(bench, async (store) => {
        const { commit } = await store.bisect(async (memory) => {
          const node = await memory.node<{ readonly commit?: number }>(id);
          return (node?.content.commit ?? -1) >= began;
        });
        if (commit.message !== `commit ${began}`) {
          throw new Error(`Found "${commit.message}" for commit ${began}`);
        }
      }),
    );
  }
  return named("bisect", costs);
}

/** What a merge would come to: the merge base, and both sides compared with it. */
async function bases(bench: BenchStore, runs: number): Promise<Values> {
  let values: Values = {};
  for (const distance of DISTANCES) {
    const costs: Cost[] = [];
    for (let run = 0; run < runs; run++) {
      costs.push(
        await cold(bench, async (store) => {
          const dryRun = await store.merge(`back-${distance}`, {
            dryRun: true,
          });
          if (dryRun.changes.size !== 1) throw new Error("It brings one node");
        }),
      );
    }
    values = { ...values, ...named(`base_${distance}`, costs) };
  }
  return values;
}

interface Cost {
  readonly ms: number;
  readonly rounds: number;
}

async function cold(
  bench: BenchStore,
  ask: (store: Store) => Promise<unknown>,
): Promise<Cost> {
  await using handle = await bench.reopen();
  handle.driver.reset();
  const ms = await timed(() => ask(handle.store));
  return { ms, rounds: handle.driver.counts.rounds };
}

function named(name: string, costs: readonly Cost[]): Values {
  return {
    [`${name}_ms`]: median(costs.map(({ ms }) => ms)),
    [`${name}_rounds`]: median(costs.map(({ rounds }) => rounds)),
  };
}
