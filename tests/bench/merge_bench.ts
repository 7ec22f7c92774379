/**
 * Merges of two sides that both went on: the price follows what changed, not the size of the memory.
 *
 * @module
 */

import type { Branch } from "@mnem/core";
import type { BenchStore } from "./bench_store.ts";
import { type BenchContext, type Figure, median, timed } from "./figure.ts";

const ONE = 1;
const FEW = 10;
const MANY = 100;
const NODES_MIN = 2 * MANY;

/** How a side came to its changes: as one commit, or one commit after the other. */
type Commits = "one" | "each";

interface Cost {
  readonly ms: number;
  readonly rounds: number;
}

/** Measures a merge of 1, 10 and 100 changes a side, each on a handle with empty caches. */
export async function mergeBench(
  { scale, stores }: BenchContext,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of scale.nodes.filter((nodes) => nodes >= NODES_MIN)) {
    const bench = await stores.of(size);
    // First, so that what the engine has yet to compile is not in the ratio.
    const each = await cost(bench, FEW, "each", scale.runs);
    const one = await cost(bench, ONE, "one", scale.runs);
    const few = await cost(bench, FEW, "one", scale.runs);
    const many = await cost(bench, MANY, "one", scale.runs);
    figures.push({
      bench: "merge",
      size,
      values: {
        of_1_ms: one.ms,
        of_1_rounds: one.rounds,
        of_10_ms: few.ms,
        of_10_rounds: few.rounds,
        of_100_ms: many.ms,
        of_100_rounds: many.rounds,
        many_few_ratio: many.ms / few.ms,
        of_10_commits_ms: each.ms,
        of_10_commits_rounds: each.rounds,
      },
    });
  }
  return figures;
}

/** The median time and the most rounds of some merges, each of sides of its own. */
async function cost(
  bench: BenchStore,
  changes: number,
  commits: Commits,
  runs: number,
): Promise<Cost> {
  const costs: Cost[] = [];
  for (let run = 0; run < runs; run++) {
    const name = `${commits}-${changes}-${run}`;
    await diverge(bench, name, { changes, commits });
    costs.push(await mergeCold(bench, name, changes));
  }
  return {
    ms: median(costs.map(({ ms }) => ms)),
    rounds: Math.max(...costs.map(({ rounds }) => rounds)),
  };
}

/** Changes as many nodes on either side of a fork, none of them on both, all over the memory. */
async function diverge(
  { store, ids }: BenchStore,
  name: string,
  { changes, commits }: { changes: number; commits: Commits },
): Promise<void> {
  await store.createBranch(name);
  const step = Math.floor(ids.length / (2 * changes));
  const goOn = async (branch: Branch, first: number) => {
    const edits = Array.from({ length: changes }, (_, i) => ({
      id: ids[(first + 2 * i) * step]!,
      content: `${name} ${first} ${i}`,
    }));
    const parts = commits === "one" ? [edits] : edits.map((edit) => [edit]);
    for (const part of parts) await branch.write(part, { message: name });
  };
  await goOn(store, 0);
  await goOn(store.on(name), 1);
}

async function mergeCold(
  bench: BenchStore,
  name: string,
  changes: number,
): Promise<Cost> {
  await using cold = await bench.reopen();
  cold.driver.reset();
  const ms = await timed(async () => {
    const { status, changes: brought } = await cold.store.merge(name);
    if (status !== "merged" || brought.size !== changes) {
      throw new Error(`The merge came to ${status} of ${brought.size} nodes`);
    }
  });
  return { ms, rounds: cold.driver.counts.rounds };
}
