/**
 * All benches by name, in the order in which they run: those that share stores read before they write.
 *
 * @module
 */

import { blocksBench } from "./blocks_bench.ts";
import { bundleBench } from "./bundle_bench.ts";
import { coldCommitBench } from "./cold_commit_bench.ts";
import { commitBench } from "./commit_bench.ts";
import { contendBench } from "./contend_bench.ts";
import { diffBench } from "./diff_bench.ts";
import type { Bench } from "./figure.ts";
import { flatRegimeBench } from "./flat_regime_bench.ts";
import { groupBench } from "./group_bench.ts";
import { growthBench } from "./growth_bench.ts";
import { historyBench } from "./history_bench.ts";
import { importBench } from "./import_bench.ts";
import { langgraphBench } from "./langgraph_bench.ts";
import { mergeBench } from "./merge_bench.ts";
import { openBench } from "./open_bench.ts";
import { peersBench } from "./peers_bench.ts";
import { recallBench } from "./recall_bench.ts";
import { remoteBench } from "./remote_bench.ts";
import { serverBench } from "./server_bench.ts";
import { serverMemoryBench } from "./server_memory_bench.ts";

/** What `--only` takes. */
export const BENCHES: { readonly [name: string]: Bench } = {
  blocks: blocksBench,
  recall: recallBench,
  commit: commitBench,
  "commit-cold": coldCommitBench,
  diff: diffBench,
  merge: mergeBench,
  group: groupBench,
  open: openBench,
  "remote-30ms": remoteBench,
  "flat-regime": flatRegimeBench,
  import: importBench,
  growth: growthBench,
  history: historyBench,
  contend: contendBench,
  langgraph: langgraphBench,
  bundle: bundleBench,
  mcp: serverBench,
  "mcp-memory": serverMemoryBench,
  peers: peersBench,
};

/** Not among the gates, and so not in a short run unless it is asked for. */
export const LONG_ONLY: readonly string[] = ["blocks", "peers"];
