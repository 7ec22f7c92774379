/**
 * Reading one node and all of them, beside bare reads of as many rows on the same file.
 *
 * @module
 */

import { benchStore } from "./bench_store.ts";
import {
  type BenchResult,
  type BenchScale,
  type Figure,
  type Gate,
  median,
  timed,
} from "./figure.ts";

const QUESTIONS = 50;
/** Rounds of one cold read of a known commit: a chunk a level below the root, then the node. */
const COLD_ROUNDS: { readonly [nodes: number]: number } = {
  100: 2,
  1_000: 3,
  10_000: 3,
  100_000: 4,
};

/** Measures cold reads of one node, and of the whole memory up to 10,000 nodes. */
export async function recallBench(scale: BenchScale): Promise<BenchResult> {
  const figures: Figure[] = [];
  const gates: Gate[] = [];
  for (const nodes of scale.nodes) {
    await using bench = await benchStore(nodes);
    const cold: number[] = [];
    const bare: number[] = [];
    let rounds = 0;
    for (let i = 0; i < QUESTIONS; i++) {
      const id = bench.ids[(i * 7919) % nodes]!;
      await using other = await bench.reopen();
      other.driver.reset();
      const tookMs = await timed(async () => {
        const snapshot = await other.store.at();
        const before = other.driver.counts.rounds;
        await snapshot.node(id);
        rounds = Math.max(rounds, other.driver.counts.rounds - before);
      });
      cold.push(tookMs);
      bare.push(await timed(() => other.driver.getMany([["r", "main"]])));
    }
    const values: { [name: string]: number } = {
      one_cold_ms: median(cold),
      bare_get_ms: median(bare),
      ratio: median(cold) / median(bare),
      rounds,
    };
    if (nodes <= 10_000) Object.assign(values, await wholeMemory(bench));
    figures.push({ bench: "recall", size: nodes, values });
    const most = COLD_ROUNDS[nodes];
    if (most !== undefined) {
      gates.push({
        what: `rounds of a cold read of a known commit at ${nodes} nodes`,
        value: rounds,
        bound: { most },
      });
    }
  }
  return { figures, gates };
}

async function wholeMemory(
  bench: Awaited<ReturnType<typeof benchStore>>,
): Promise<{ all_cold_ms: number; bare_list_ms: number }> {
  await using other = await bench.reopen();
  const all = await timed(() => other.store.memory());
  const bare = await timed(async () => {
    for await (const _ of other.driver.list({ prefix: ["n"] }));
  });
  return { all_cold_ms: all, bare_list_ms: bare };
}
