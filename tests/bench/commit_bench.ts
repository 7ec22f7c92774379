/**
 * One-node commits on hot nodes, beside one bare row of the same bytes on the same file in turn.
 *
 * @module
 */

import { shortOf } from "../../core/object/graph_commit.ts";
import { fromHex } from "../../core/object/hex.ts";
import { benchStore } from "./bench_store.ts";
import {
  type BenchResult,
  type BenchScale,
  type Figure,
  type Gate,
  median,
  timed,
} from "./figure.ts";

const HOT_NODES = 100;

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
export async function commitBench(scale: BenchScale): Promise<BenchResult> {
  const figures: Figure[] = [];
  const gates: Gate[] = [];
  for (const nodes of scale.nodes) {
    const runs: CommitFigures[] = [];
    await using bench = await benchStore(nodes);
    for (let run = 0; run < scale.runs; run++) {
      runs.push(await measure(bench, scale.commits, run));
    }
    const values = medians(runs);
    figures.push({ bench: "commit", size: nodes, values });
    gates.push(...gatesOf(nodes, values));
  }
  gates.push(...growthGate(figures));
  return { figures, gates };
}

async function measure(
  { store, driver, ids }: Awaited<ReturnType<typeof benchStore>>,
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

function medians(runs: readonly CommitFigures[]): { [name: string]: number } {
  const names = Object.keys(runs[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, median(runs.map((run) => run[name] ?? NaN))]),
  );
}

function gatesOf(
  nodes: number,
  values: { readonly [name: string]: number },
): Gate[] {
  const at = `at ${nodes} nodes`;
  const gates: Gate[] = [
    {
      what: `rows of a one-node commit ${at}`,
      value: values.rows ?? NaN,
      bound: { exactly: 3 },
    },
    {
      what: `rounds of a warm commit ${at}`,
      value: values.rounds ?? NaN,
      bound: { exactly: 1 },
    },
    {
      what: `commit / bare set ${at}`,
      loose: true,
      value: values.ratio ?? NaN,
      bound: { most: 2.8 },
    },
  ];
  if (nodes === 10_000) {
    gates.push({
      what: `bytes of a one-node commit ${at}`,
      value: values.bytes ?? NaN,
      bound: { most: 12_288 },
    });
  }
  return gates;
}

/** From 100 nodes to 100,000 a commit may cost little more; milliseconds cancel out in the ratio. */
function growthGate(figures: readonly Figure[]): Gate[] {
  const at = (size: number) =>
    figures.find((figure) => figure.size === size)?.values.commit_ms;
  const [small, large] = [at(100), at(100_000)];
  if (small === undefined || large === undefined) return [];
  return [{
    what: "commit at 100,000 nodes / at 100",
    loose: true,
    value: large / small,
    bound: { most: 2.2 },
  }];
}
