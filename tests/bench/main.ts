/**
 * The benches: JSON lines, a table, and gates. `deno task bench` measures up to 100,000 nodes and
 * 20,000 commits; `--short` takes small sizes. It ends with 1 when a gate fails.
 *
 * @module
 */

import { bundleBench } from "./bundle_bench.ts";
import { commitBench } from "./commit_bench.ts";
import {
  type BenchResult,
  type BenchScale,
  describeGate,
  type Figure,
  holds,
  loosened,
  round,
} from "./figure.ts";
import { groupBench } from "./group_bench.ts";
import { historyBench } from "./history_bench.ts";
import { langgraphBench } from "./langgraph_bench.ts";
import { mergeBench } from "./merge_bench.ts";
import { recallBench } from "./recall_bench.ts";
import { serverBench } from "./server_bench.ts";

const SHORT: BenchScale = {
  nodes: [100, 1_000, 10_000],
  commits: 120,
  histories: [1_000, 4_000],
  runs: 3,
  slack: 3,
};
const LONG: BenchScale = {
  nodes: [100, 1_000, 10_000, 100_000],
  commits: 300,
  histories: [1_000, 20_000],
  runs: 3,
  slack: 1,
};

const BENCHES: readonly ((scale: BenchScale) => Promise<BenchResult>)[] = [
  commitBench,
  recallBench,
  historyBench,
  mergeBench,
  groupBench,
  langgraphBench,
  bundleBench,
  serverBench,
];

async function main(args: readonly string[]): Promise<number> {
  const unknown = args.filter((arg) => arg !== "--short");
  if (unknown.length > 0) {
    console.error(`Unknown option ${unknown[0]}; the only one is --short`);
    return 2;
  }
  const scale = args.includes("--short") ? SHORT : LONG;
  const results: BenchResult[] = [];
  for (const bench of BENCHES) {
    const result = await bench(scale);
    for (const { bench: name, size, values } of result.figures) {
      console.log(JSON.stringify({ bench: name, size, ...values }));
    }
    results.push(result);
  }
  console.log(`\n${table(results.flatMap(({ figures }) => figures))}\n`);
  const gates = results.flatMap((result) => result.gates)
    .map((gate) => loosened(gate, scale.slack));
  for (const gate of gates) console.log(describeGate(gate));
  return gates.every(holds) ? 0 : 1;
}

/** A line a figure: what, how large, and every value by name. */
function table(figures: readonly Figure[]): string {
  return figures.map(({ bench, size, values }) => {
    const cells = Object.entries(values).map(([name, value]) =>
      `${name} ${round(value)}`
    );
    return `${bench.padEnd(14)} ${String(size).padStart(7)}  ${
      cells.join("  ")
    }`;
  }).join("\n");
}

if (import.meta.main) Deno.exit(await main(Deno.args));
