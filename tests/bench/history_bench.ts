/**
 * Questions to a short and to a long history: the answer may not cost more for its length.
 *
 * @module
 */

import { type BenchStore, benchStore } from "./bench_store.ts";
import {
  type BenchResult,
  type BenchScale,
  type Figure,
  median,
  timed,
} from "./figure.ts";

const NODES = 1_000;
const QUESTIONS = 60;
const BATCH = 100;

/** Measures blame and the newest page of the log at two lengths of history. */
export async function historyBench(scale: BenchScale): Promise<BenchResult> {
  const figures: Figure[] = [];
  for (const commits of scale.histories) {
    await using bench = await benchStore(NODES);
    await lengthen(bench, commits);
    const runs: { blame_ms: number; log_ms: number; blame_rounds: number }[] =
      [];
    for (let run = 0; run < scale.runs; run++) runs.push(await ask(bench));
    figures.push({
      bench: "history",
      size: commits,
      values: {
        blame_ms: median(runs.map((run) => run.blame_ms)),
        log_20_ms: median(runs.map((run) => run.log_ms)),
        blame_rounds: median(runs.map((run) => run.blame_rounds)),
      },
    });
  }
  const [short, long] = figures.map((figure) => figure.values.blame_ms ?? NaN);
  const [few, many] = scale.histories;
  return {
    figures,
    gates: [{
      what: `blame at ${many} commits / at ${few}`,
      loose: true,
      value: long! / short!,
      bound: { most: 2 },
    }],
  };
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
          content: `value ${at + i}`,
        }], {
          message: `commit ${at + i}`,
        })),
    );
  }
}

/** Each question on a handle of its own, so that nothing is cached. */
async function ask(
  bench: BenchStore,
): Promise<{ blame_ms: number; log_ms: number; blame_rounds: number }> {
  const blame: number[] = [];
  const rounds: number[] = [];
  const log: number[] = [];
  for (let i = 0; i < QUESTIONS; i++) {
    const id = bench.ids[(i * 31) % NODES]!;
    await using cold = await bench.reopen();
    cold.driver.reset();
    blame.push(await timed(() => cold.store.blame(id)));
    rounds.push(cold.driver.counts.rounds);
    log.push(
      await timed(async () => {
        for await (const _ of cold.store.log({ limit: 20 }));
      }),
    );
  }
  return {
    blame_ms: median(blame),
    log_ms: median(log),
    blame_rounds: median(rounds),
  };
}
