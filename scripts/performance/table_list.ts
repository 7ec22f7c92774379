/**
 * What the page shows of each bench: which values, in what words.
 *
 * @module
 */

/** A table of one bench. */
export interface BenchTable {
  /** Its heading. */
  readonly title: string;
  /** What was done, in a sentence or two. */
  readonly what: string;
  /** The bench, and whose figures of it by name; one row for each figure. */
  readonly rows: readonly { readonly bench: string; readonly as?: string }[];
  /** What was varied. */
  readonly size: string;
  /** The values by the words over their column; those that end in "kept" or "written" are bytes. */
  readonly columns: { readonly [head: string]: string };
}

/** In the order of the page. */
export const TABLES: readonly BenchTable[] = [
  {
    title: "A commit of one node",
    what:
      "One of a hundred known nodes is revised in a process that has done so hundreds of times " +
      "(`commit-hot`) and in one that begins to (`commit-first`: V8 has compiled little then), by a " +
      "handle that has read nothing yet (`commit-cold`), or added (`commit-add`). The floor is one bare " +
      "`set` of the same bytes on the same file, in turns.",
    rows: ["commit-hot", "commit-first", "commit-cold", "commit-add"].map((
      bench,
    ) => ({
      bench,
      as: bench,
    })),
    size: "nodes",
    columns: {
      ms: "commit_ms",
      "bare set, ms": "bare_set_ms",
      ratio: "ratio",
      rows: "rows",
      rounds: "rounds",
      bytes: "bytes",
    },
  },
  {
    title: "The smallest memory and the largest, in turns",
    what: "The same commits, in one loop over two stores.",
    rows: [{ bench: "commit-growth" }],
    size: "nodes",
    columns: {
      "at the smallest, ms": "small_ms",
      "here, ms": "large_ms",
      ratio: "ratio",
    },
  },
  {
    title: "Reading one node",
    what:
      "Cold: a handle with empty caches, after it was opened. The floors are the same rows read bare " +
      "in the same rounds, and one bare `get`.",
    rows: [{ bench: "recall-one" }],
    size: "nodes",
    columns: {
      "cold, ms": "cold_ms",
      "rounds ": "cold_rounds",
      "same rows, ms": "same_rows_ms",
      "ratio": "same_rows_ratio",
      "bare get, ms": "bare_ms",
      "warm, ms": "warm_ms",
      rounds: "warm_rounds",
    },
  },
  {
    title: "Reading many",
    what:
      "All nodes, and the hundred under a prefix, on a handle with empty caches. The floors are a bare " +
      "`list` of the nodes' rows, and all rows that were read, bare.",
    rows: [
      { bench: "recall-all", as: "all" },
      { bench: "prefix", as: "prefix" },
    ],
    size: "nodes",
    columns: {
      ms: "cold_ms",
      "bare list, ms": "bare_ms",
      ratio: "ratio",
      "same rows, ms": "same_rows_ms",
      "ratio ": "same_rows_ratio",
      rounds: "cold_rounds",
    },
  },
  {
    title: "Differences",
    what: "Two commits that lie so many one-node commits apart, cold.",
    rows: [
      { bench: "diff-1", as: "1" },
      { bench: "diff-n:10", as: "10" },
      { bench: "diff-n:100", as: "100" },
    ],
    size: "nodes",
    columns: { ms: "cold_ms", rounds: "rounds" },
  },
  {
    title: "Merges",
    what: "So many nodes changed on each side, none on both, cold.",
    rows: [{ bench: "merge" }],
    size: "nodes",
    columns: {
      "1 + 1, ms": "of_1_ms",
      "rounds ": "of_1_rounds",
      "10 + 10, ms": "of_10_ms",
      "rounds": "of_10_rounds",
      "100 + 100, ms": "of_100_ms",
      " rounds": "of_100_rounds",
      "100 / 10": "many_few_ratio",
    },
  },
  {
    title: "The length of history",
    what:
      "1,000 nodes, cold. A merge base so many commits back includes both comparisons with it; what " +
      "is bisected for began 63 % into history.",
    rows: [{ bench: "history" }],
    size: "commits",
    columns: {
      "blame, ms": "blame_ms",
      "log 20, ms": "log_20_ms",
      "short id, ms": "short_id_ms",
      "bisect, ms": "bisect_ms",
      "base 1, ms": "base_1_ms",
      "10, ms": "base_10_ms",
      "100, ms": "base_100_ms",
      "1,000, ms": "base_1000_ms",
      rounds: "base_1000_rounds",
    },
  },
  {
    title: "Small memories",
    what:
      "Up to 1,024 nodes a state is one flat object, as the reference's. Beside a tree of 1,100, in " +
      "turns.",
    rows: [{ bench: "flat-regime" }],
    size: "nodes",
    columns: {
      "warm, ms": "warm_ms",
      "tree, ms": "tree_warm_ms",
      ratio: "warm_ratio",
      "cold, ms": "cold_ms",
      "tree cold, ms": "tree_cold_ms",
      "cold ratio": "cold_ratio",
    },
  },
  {
    title: "Opening",
    what:
      "Open and read the head; open, recall and close; open, commit and close. Each beside a bare KV " +
      "that does likewise on the same file.",
    rows: [{ bench: "open" }],
    size: "nodes",
    columns: {
      "head, ms": "head_ms",
      "ratio": "head_ratio",
      "recall, ms": "recall_close_ms",
      "ratio ": "recall_close_ratio",
      "commit, ms": "commit_close_ms",
      " ratio": "commit_close_ratio",
    },
  },
  {
    title: "Many nodes at once",
    what: "Into a new store, beside the same rows in bare atomic writes.",
    rows: [{ bench: "import" }],
    size: "nodes",
    columns: {
      ms: "import_ms",
      "bare, ms": "bare_ms",
      ratio: "ratio",
      "us a node": "node_us",
    },
  },
  {
    title: "A whole store out and in",
    what:
      "As one bundle, a hundred nodes a commit, beside a bare KV with the same rows.",
    rows: [{ bench: "bundle" }],
    size: "nodes",
    columns: {
      "export, ms": "export_ms",
      ratio: "export_ratio",
      "import, ms": "import_ms",
      "ratio ": "import_ratio",
      bytes: "bytes",
    },
  },
  {
    title: "A hundred calls at once",
    what: "In one process, beside the same calls one by one.",
    rows: [{ bench: "group" }],
    size: "nodes",
    columns: {
      "one by one, ms": "one_by_one_ms",
      "at once, ms": "at_once_ms",
      "times faster": "speedup",
      "atomic writes": "atomics",
    },
  },
  {
    title: "Several processes on one branch",
    what: "From when all of them write until each was answered often enough.",
    rows: [{ bench: "contend" }],
    size: "processes",
    columns: {
      "commits a second": "commits_per_s",
      "of one alone": "of_alone",
      "worst wait, ms": "worst_wait_ms",
      lost: "lost",
      twice: "twice",
    },
  },
  {
    title: "Storage 30 ms away",
    what:
      "Every call of the storage is answered 30 ms later, as a server far " +
      "away would. The ratio is to the rounds alone.",
    rows: ["commit", "recall", "blame", "diff-1"].map((of) => ({
      bench: `remote-30ms:${of}`,
      as: of,
    })),
    size: "nodes",
    columns: {
      "cold, ms": "cold_ms",
      rounds: "cold_rounds",
      ratio: "cold_ratio",
      "warm, ms": "warm_ms",
      "rounds ": "warm_rounds",
      "ratio ": "warm_ratio",
    },
  },
  {
    title: "What a commit leaves behind",
    what:
      "Growth of the file, and bytes written on the way there, logs included, a one-node commit; " +
      "beside the whole state as one object, which a flat design keeps each time.",
    rows: [{ bench: "growth" }],
    size: "nodes",
    columns: {
      kept: "file_bytes",
      written: "written_bytes",
      "kept, flat": "flat_bytes",
    },
  },
  {
    title: "Over MCP",
    what: "Over stdio one call at a time, beside a tool that does nothing; a " +
      "server held, and one started for each call.",
    rows: [{ bench: "mcp" }],
    size: "calls",
    columns: {
      "echo, ms": "echo_ms",
      "remember, ms": "remember_ms",
      ratio: "remember_ratio",
      "recall, ms": "recall_ms",
      "ratio ": "recall_ratio",
      "per call, ms": "per_call_remember_ms",
      "echo per call, ms": "per_call_echo_ms",
      "memory, MB": "rss_mb",
    },
  },
  {
    title: "What the server holds",
    what: "Its memory, half of the calls remember: after 1,000 on a hundred " +
      "nodes, after 6,000 more on any of all nodes, and at its most.",
    rows: [{ bench: "mcp-memory" }],
    size: "nodes",
    columns: {
      "hot, MB": "hot_mb",
      "all over, MB": "spread_mb",
      "at most, MB": "peak_mb",
    },
  },
  {
    title: "For LangGraph",
    what: "Beside LangGraph's store in PostgreSQL, where that is there: both " +
      "sync every commit. A batch is 100 puts, a search finds 100 items.",
    rows: [
      { bench: "langgraph", as: "MnemosyneStore" },
      { bench: "postgres", as: "PostgresStore" },
    ],
    size: "nodes",
    columns: {
      "put, ms": "put_ms",
      "batch, ms": "batch_ms",
      "get, ms": "get_ms",
      "search, ms": "search_ms",
    },
  },
  {
    title: "Building blocks",
    what:
      "BLAKE3 by bytes; the canonical bytes of a node, and of the largest " +
      "flat state; one row of Deno KV by bytes.",
    rows: [
      { bench: "blocks:hash", as: "hash" },
      { bench: "blocks:encode", as: "encode" },
      { bench: "blocks:kv", as: "KV row" },
      { bench: "blocks:kv-open", as: "KV open" },
    ],
    size: "size",
    columns: {
      us: "us",
      "node, us": "node_us",
      "state, us": "state_us",
      "set, ms": "set_ms",
      "get, ms": "get_ms",
      "open and close, ms": "open_close_ms",
    },
  },
];
