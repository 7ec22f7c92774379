/**
 * A hundred calls at once against a hundred one after the other, in one process.
 *
 * @module
 */

import { benchStore } from "./bench_store.ts";
import { type BenchResult, type BenchScale, median, timed } from "./figure.ts";

const CALLS = 100;
const NODES = 10_000;

/** Measures what it brings that writes which wait travel together. */
export async function groupBench(scale: BenchScale): Promise<BenchResult> {
  await using bench = await benchStore(NODES);
  const { store, driver, ids } = bench;
  const single: number[] = [];
  const together: number[] = [];
  let atomics = 0;
  const write = (round: number, i: number) =>
    store.write([{
      id: ids[(i * 97) % NODES]!,
      content: `round ${round}-${i}`,
    }], {
      message: `call ${i}`,
    });
  for (let run = 0; run < scale.runs; run++) {
    single.push(
      await timed(async () => {
        for (let i = 0; i < CALLS; i++) await write(2 * run, i);
      }),
    );
    driver.reset();
    together.push(
      await timed(() =>
        Promise.all(
          Array.from({ length: CALLS }, (_, i) => write(2 * run + 1, i)),
        )
      ),
    );
    atomics = Math.max(atomics, driver.counts.commits);
  }
  const speedup = median(single) / median(together);
  return {
    figures: [{
      bench: "calls at once",
      size: CALLS,
      values: {
        one_by_one_ms: median(single),
        at_once_ms: median(together),
        speedup,
        atomics,
      },
    }],
    gates: [
      {
        what: "100 calls at once / one by one, throughput",
        loose: true,
        value: speedup,
        bound: { least: 3 },
      },
      {
        what: "atomic writes of 100 calls at once",
        value: atomics,
        bound: { most: 4 },
      },
    ],
  };
}
