/**
 * Commits on handles with empty caches, and commits of ids that were never there, each beside one bare
 * row of the same bytes.
 *
 * @module
 */

import { type BenchHandle, type BenchStore, hotIds } from "./bench_store.ts";
import {
  type BenchContext,
  type Figure,
  median,
  timed,
  type Values,
} from "./figure.ts";

/** Measures both at every size. */
export async function coldCommitBench(
  { scale, stores }: BenchContext,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of scale.nodes) {
    const bench = await stores.of(size);
    figures.push(
      {
        bench: "commit-cold",
        size,
        values: await cold(bench, scale.questions),
      },
      { bench: "commit-add", size, values: await add(bench, scale.commits) },
    );
  }
  return figures;
}

async function cold(bench: BenchStore, questions: number): Promise<Values> {
  const costs: Cost[] = [];
  for (let i = 0; i < questions; i++) {
    const id = bench.ids[(i * 7919) % bench.ids.length]!;
    await using handle = await bench.reopen();
    costs.push(await cost(handle, id, `cold ${i}`));
  }
  return summary(costs);
}

async function add(bench: BenchStore, commits: number): Promise<Values> {
  const hot = hotIds(bench.ids);
  const costs: Cost[] = [];
  await using handle = await bench.reopen();
  // So that what is counted is the write, not the way down.
  for (const id of hot) await handle.store.node(id);
  for (let i = 0; i <= commits; i++) {
    const id = `${hot[i % hot.length]}-${i}`;
    const one = await cost(handle, id, `new ${i}`);
    // The first write of a handle has no head to rest on yet.
    if (i > 0) costs.push(one);
  }
  return summary(costs);
}

interface Cost {
  readonly ms: number;
  readonly bareMs: number;
  readonly rounds: number;
  readonly rows: number;
}

async function cost(
  { store, driver }: BenchHandle,
  id: string,
  content: string,
): Promise<Cost> {
  driver.reset();
  const ms = await timed(() =>
    store.write([{ id, content }], { message: content })
  );
  const { rounds, rowsSet: rows, bytesSet } = driver.counts;
  const value = new Uint8Array(bytesSet).fill(1);
  const key = ["zz-bare", content];
  const bareMs = await timed(() => driver.commit({ sets: [{ key, value }] }));
  return { ms, bareMs, rounds, rows };
}

function summary(costs: readonly Cost[]): Values {
  const commit_ms = median(costs.map(({ ms }) => ms));
  const bare_set_ms = median(costs.map(({ bareMs }) => bareMs));
  return {
    commit_ms,
    bare_set_ms,
    ratio: commit_ms / bare_set_ms,
    rounds: median(costs.map(({ rounds }) => rounds)),
    rounds_most: Math.max(...costs.map(({ rounds }) => rounds)),
    rows: median(costs.map(({ rows }) => rows)),
  };
}
