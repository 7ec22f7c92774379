/**
 * Every bound that the benches are held to, in one table. Counts hold exactly in every run; ratios as
 * they stand here in a long run, and three times as loosely in a short one; times in a long run alone.
 *
 * @module
 */

import type { Bound, Gate } from "./gate_rules.ts";

/** All of them. */
export const GATES: readonly Gate[] = [
  // A commit of one node, whatever the size of the memory.
  count("commit-hot", "rows", { exactly: 3 }),
  count("commit-hot", "rounds", { exactly: 1 }),
  count("commit-hot", "bytes", { most: { 10_000: 12_288 } }),
  ratio("commit-hot", "ratio", { most: 2 }),
  ratio("commit-growth", "ratio", { most: 1.5 }),
  count("commit-cold", "rows", { exactly: 3 }),
  count("commit-cold", "rounds_most", {
    most: { 100: 6, 1_000: 6, 10_000: 4, 100_000: 5, 1_000_000: 6 },
  }),
  count("commit-add", "rows", { exactly: 3 }),
  count("commit-add", "rounds", { exactly: 1 }),
  count("growth", "file_bytes", {
    most: { 100: 8_192, 1_000: 12_288, 10_000: 14_336, 100_000: 18_432 },
  }),

  // Reads, beside bare reads: of the same rows in the same rounds, and for all nodes of a plain list.
  count("recall-one", "cold_rounds", {
    most: { 100: 2, 1_000: 3, 10_000: 3, 100_000: 4, 1_000_000: 5 },
  }),
  count("recall-one", "warm_rounds", { exactly: 1 }),
  ratio("recall-one", "same_rows_ratio", { most: 3 }),
  ratio("recall-all", "ratio", { most: 3 }),
  ratio("prefix", "same_rows_ratio", { most: 3 }),
  count("prefix", "cold_rounds", {
    most: { 100: 3, 1_000: 4, 10_000: 4, 100_000: 5, 1_000_000: 6 },
  }),

  // What changed between two commits.
  count("diff-1", "rounds", { most: 2 }),
  count("merge", "of_10_rounds", {
    most: { 1_000: 9, 10_000: 9, 100_000: 11, 1_000_000: 20 },
  }),
  ratio("merge", "many_few_ratio", { most: 12 }),

  // The length of history.
  ratio("history-growth", "blame_ratio", { most: 1.2 }),
  ends("history", "blame_rounds", "more", { most: 0 }),
  count("history", "base_1000_rounds", { most: 20 }),
  count("history", "log_20_rounds", { most: 6 }),

  // Memories small enough to be one object; opening; many nodes at once.
  ratio("flat-regime", "warm_ratio", { most: 1.3 }),
  ratio("open", "head_ratio", { most: 4 }),
  ratio("import", "ratio", { most: 2 }),
  time("import", "node_us", { most: 25 }),
  // A small bundle pays for opening.
  ...["export_ratio", "import_ratio"].map((value) =>
    ratio("bundle", value, { most: { 2_000: 4, 10_000: 2, 100_000: 2 } })
  ),

  // Calls at once, in one process and in several; storage far away.
  count("group", "atomics", { most: 4 }),
  ratio("group", "speedup", {
    least: { 100: 3, 1_000: 3, 10_000: 3, 100_000: 1.5 },
  }),
  count("contend", "lost", { exactly: 0 }),
  count("contend", "twice", { exactly: 0 }),
  ...["commit", "recall", "blame", "diff-1"].map((call) =>
    ratio(`remote-30ms:${call}`, "cold_ratio", { most: 1.15 })
  ),
  count("remote-30ms:commit", "warm_rounds", { exactly: 1 }),
  count("remote-30ms:recall", "warm_rounds", { exactly: 1 }),

  // The doors.
  ratio("mcp", "remember_ratio", { most: 5 }),
  ratio("mcp", "recall_ratio", { most: 2.5 }),
  ratio("mcp", "rss_mb", { most: 150 }),
  // Everywhere: no machine and no moment is an excuse for a server that grows.
  ...["hot_mb", "spread_mb", "peak_mb"].map((value) =>
    count("mcp-memory", value, { most: 200 })
  ),
  count("langgraph", "batch_commits", { exactly: 1 }),
  count("langgraph", "batch_atomics", { exactly: 1 }),
  count("langgraph", "batch_rows", { exactly: 102 }),
  ratio("langgraph", "batch_put", { most: 12 }),
  ratio("langgraph", "get_node", { most: 3 }),
  ends("langgraph", "warm_rows", "more", { exactly: 0 }),
  ends("langgraph", "warm_rounds", "more", { exactly: 0 }),
  // A chunk and a round for a level of the tree.
  ends("langgraph", "cold_rows", "more", { most: 1 }),
  ends("langgraph", "cold_rounds", "more", { most: 1 }),
  ends("langgraph", "search_ms", "divided", { most: 2 }),
];

function count(bench: string, value: string, bound: Bound): Gate {
  return { kind: "count", bench, value, bound };
}

/** A quotient, or a size in memory, which another machine or moment moves. */
function ratio(bench: string, value: string, bound: Bound): Gate {
  return { kind: "ratio", bench, value, bound };
}

function time(bench: string, value: string, bound: Bound): Gate {
  return { kind: "time", bench, value, bound };
}

/** The largest size beside the smallest one. */
function ends(
  bench: string,
  value: string,
  how: "divided" | "more",
  bound: Bound,
): Gate {
  const kind = how === "divided" ? "ratio" : "count";
  return { kind, bench, value, bound, ends: how };
}
