/**
 * One-node commits on hot nodes, in a process that has made many, beside one bare row of the same bytes
 * on the same file in turn.
 *
 * @module
 */

import { type BenchStore, hotIds } from "./bench_store.ts";
import { shortOf } from "../../core/object/graph_commit.ts";
import { fromHex } from "../../core/object/hex.ts";
import {
  type BenchContext,
  type Figure,
  inTurns,
  median,
  medians,
  timed,
} from "./figure.ts";

const HOT_NODES = 100;

/** Runs beside the first before those that count: by then V8 has compiled what it will. */
const WARM_UP_RUNS = 2;

interface CommitFigures {
  readonly [name: string]: number;
  readonly commit_ms: number;
  readonly bare_set_ms: number;
  readonly ratio: number;
  readonly rows: number;
  readonly rounds: number;
  readonly bytes: number;
}

/** Measures commits at every size, in runs that take turns so that the machine's moods cancel out. */
export async function commitBench(
  { scale, stores }: BenchContext,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const nodes of scale.nodes) {
    const runs: CommitFigures[] = [];
    const bench = await stores.of(nodes);
    // So that what is counted is the write, not the way down.
    for (const id of hotIds(bench.ids)) await bench.store.node(id);
    const first = await measure(bench, scale.commits, -1);
    if (figures.length === 0) {
      figures.push({ bench: "commit-first", size: nodes, values: first });
    }
    await measure(bench, WARM_UP_RUNS * scale.commits, -2);
    for (let run = 0; run < scale.runs; run++) {
      runs.push(await measure(bench, scale.commits, run));
    }
    figures.push({ bench: "commit-hot", size: nodes, values: medians(runs) });
  }
  return [...figures, await growth({ scale, stores })];
}

/** The smallest memory and the largest in turns: what a commit costs more for a million nodes. */
async function growth({ scale, stores }: BenchContext): Promise<Figure> {
  const size = Math.max(...scale.nodes);
  const small = await stores.of(Math.min(...scale.nodes));
  const large = await stores.of(size);
  const revise = (bench: BenchStore) => (turn: number) => {
    const hot = hotIds(bench.ids);
    const edit = { id: hot[turn % hot.length]!, content: `grown ${turn}` };
    return timed(() => bench.store.write([edit], { message: "grow" }));
  };
  const times = await inTurns(scale.commits, revise(small), revise(large));
  const [small_ms, large_ms] = [median(times[0]), median(times[1])];
  const values = { small_ms, large_ms, ratio: large_ms / small_ms };
  return { bench: "commit-growth", size, values };
}

async function measure(
  { store, driver, ids }: BenchStore,
  commits: number,
  run: number,
): Promise<CommitFigures> {
  const step = Math.max(1, Math.floor(ids.length / HOT_NODES));
  const hot = ids.filter((_, i) => i % step === 0).slice(0, HOT_NODES);
  const commitMs: number[] = [];
  const setMs: number[] = [];
  const bytes: number[] = [];
  let rows = 0;
  let rounds = 0;
  for (let i = 0; i < commits; i++) {
    const id = hot[(i * 37) % hot.length]!;
    const provenance = { source: `ticket-${i}`, agentStep: `step-${i}` };
    const edit = { id, content: `run ${run} value ${i}`, provenance };
    const message = `revise ${i}`;
    driver.reset();
    let commit: string | null = null;
    commitMs.push(
      await timed(async () => {
        ({ commit } = await store.write([edit], { message }));
      }),
    );
    const counts = driver.counts;
    rows = Math.max(rows, counts.rowsSet);
    // The first write of a handle has no head to rest on yet.
    if (i > 0) rounds = Math.max(rounds, counts.rounds);
    bytes.push(counts.bytesSet);
    const value = new Uint8Array(counts.bytesSet).fill(i);
    // As long as the key of a commit, and as far from the one before.
    const key = ["zz-bare", fromHex(shortOf(commit ?? ""))];
    setMs.push(await timed(() => driver.commit({ sets: [{ key, value }] })));
  }
  const [commit_ms, bare_set_ms] = [median(commitMs), median(setMs)];
  const ratio = commit_ms / bare_set_ms;
  return { commit_ms, bare_set_ms, ratio, rows, rounds, bytes: median(bytes) };
}
