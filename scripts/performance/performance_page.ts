/**
 * The page of figures, made of the lines of one run.
 *
 * @module
 */

import { judge, nameOf } from "../../tests/bench/gate_rules.ts";
import { GATES } from "../../tests/bench/gates.ts";
import type { Machine, RunLines } from "../../tests/bench/json_lines.ts";
import { benchTables } from "./bench_tables.ts";
import { gateTable } from "./gate_table.ts";
import { losses, peerTables } from "./peer_tables.ts";

const TESTS = `## What is no figure

These are tests, which hold or do not:

- a writer that is killed loses nothing that it acknowledged: \`tests/contention/crash_test.ts\`
- nor do many processes and calls that fail: \`tests/deep/contention_deep.ts\`
- nor Deno, Node and Bun on one branch: \`tests/npm/runtimes_deep.ts\`
- any edits give the tree that a fresh build gives: \`core/state/apply_edits_test.ts\`
- blame and merge bases are those that brute force finds: \`tests/store/merge_model_test.ts\`
- a row or a read too many, or a cache that is empty, fails a gate: \`tests/bench/gates_test.ts\``;

/** Writes the page; a formatter puts it into shape. */
export function performancePage({ machines, figures }: RunLines): string {
  const verdicts = judge(figures, GATES, { short: false });
  const broken = verdicts.filter(({ holds }) => !holds).length;
  return `# Performance

Made by \`deno task performance\` from [performance.jsonl](performance.jsonl); not
written by hand.

${machineText(machines)}

A time means something beside its floor only: the floor is measured in turns with it, on the same file,
in the same run. Every figure is the median of at least three runs. What is held is a count (rows,
bytes, rounds) or a ratio; of times only that of many nodes at once, and not in CI.

\`\`\`sh
deno task performance             # measures all of this, and writes this page
deno task bench                   # the same figures and gates, without the page
deno task bench --only=commit     # one bench; --runs=5, --million, --json=FILE
deno task bench --short           # small sizes, loose ratios, exact counts: what CI runs
\`\`\`

${peersText(figures)}

## What is held

${
    broken === 0
      ? "Every gate holds in this run."
      : `${broken} of ${verdicts.length} figures break their bound in this run.`
  } The table is \`tests/bench/gates.ts\`.

${gateTable(verdicts)}

## Figures

${benchTables(figures, nameOf)}

${TESTS}
`;
}

function peersText(figures: RunLines["figures"]): string {
  return `## Beside others

The same work in the same run: one of a hundred nodes is given another value, durably where the peer can;
one is read; and the commit is asked for that wrote its value. "/ bare set" is to one bare KV row of 110
bytes, in turns with the change. What a change keeps is what the folder grew by on disk. git holds a file
for each node in 256 directories, and syncs each commit. Peers that take their own times (the reference,
SQLite, isomorphic-git) are not charged for the pipe; those over MCP are, and so are we in that row.

${peerTables(figures)}

![One change and what it leaves behind, by the number of nodes](performance.svg)

## Where others are better

By the figures above, all of them; a change is compared by its floor, which was measured in turns with it:

${losses(figures)}

They do less, each in its own way: \`git fast-import\` and isomorphic-git wait for no disk, SQLite and a
file of JSON Lines keep no commits that could be branched, merged or compared, and server-memory keeps no
past at all. Whoever needs only the last value of each node is better served by a row.`;
}

function machineText(machines: readonly Machine[]): string {
  const [first] = machines;
  const last = machines.at(-1);
  if (first === undefined || last === undefined) return "";
  const { time, cpus, cpu, system, deno, load } = first;
  const text =
    `Measured on ${time.slice(0, 10)}: ${cpus} processors (${cpu}), ` +
    `${system}, Deno ${deno}. On average ${load} processes wanted to run in the minute before, ` +
    `and ${last.load} in the last one`;
  const isBusy = Math.max(load, last.load) > 1.5 * cpus;
  return isBusy
    ? `${text}: **others were at work on the machine**, so ratios are worth less than usual, and times little.`
    : `${text}.`;
}
