/**
 * Comparing a commit with its parent, and with commits farther back, on handles with empty caches.
 *
 * @module
 */

import type { BenchStore } from "./bench_store.ts";
import {
  type BenchContext,
  type Figure,
  median,
  timed,
  type Values,
} from "./figure.ts";

/** How far back: as many commits, and as many nodes that differ. */
const DISTANCES = [1, 10, 100];

/** Measures differences of 1, 10 and 100 nodes at every size. */
export async function diffBench(
  { scale, stores }: BenchContext,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of scale.nodes) {
    const bench = await stores.of(size);
    const step = Math.max(1, Math.floor(size / 100));
    for (let i = 0; i < Math.max(...DISTANCES); i++) {
      const edit = { id: bench.ids[i * step % size]!, content: `diff ${i}` };
      await bench.store.write([edit], { message: `diff ${i}` });
    }
    for (const distance of DISTANCES) {
      const name = distance === 1 ? "diff-1" : "diff-n";
      const values = await compare(bench, distance, scale.runs);
      figures.push({
        bench: name,
        ...(distance === 1 ? {} : { of: String(distance) }),
        size,
        values,
      });
    }
  }
  return figures;
}

async function compare(
  bench: BenchStore,
  distance: number,
  runs: number,
): Promise<Values> {
  const times: number[] = [];
  const gets: number[] = [];
  let rounds = 0;
  for (let run = 0; run < runs; run++) {
    await using cold = await bench.reopen();
    cold.driver.reset();
    times.push(
      await timed(async () => {
        const diff = cold.store.diff(`HEAD~${distance}`);
        const { length } = await Array.fromAsync(diff);
        if (length !== distance) throw new Error(`${length} nodes differ`);
      }),
    );
    rounds = Math.max(rounds, cold.driver.counts.rounds);
    gets.push(await timed(() => cold.driver.getMany([["r", "main"]])));
  }
  return {
    cold_ms: median(times),
    bare_get_ms: median(gets),
    per_change_ms: median(times) / distance,
    rounds,
  };
}
