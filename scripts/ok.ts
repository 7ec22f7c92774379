/**
 * The one command before a change is handed in: everything that CI runs but the deep tests.
 *
 * @module
 */

import { runLogged } from "./run_logged.ts";
import { countTests, formatCounts } from "./test_counts.ts";

const TASKS = [
  ["check:fmt"],
  ["check:lint"],
  ["check:types"],
  ["check:docs"],
  ["check:publish"],
  ["test"],
  ["bench", "--short"],
];

/** What it should take on two cores, in seconds; it is told, not enforced: a busy machine takes longer. */
const SECONDS_ASKED = 120;

const start = performance.now();
const failed: string[] = [];
const logs: string[] = [];
for (const task of TASKS) {
  console.log(`\n== deno task ${task.join(" ")}`);
  const { code, log } = await runLogged(["task", ...task]);
  if (code !== 0) failed.push(task.join(" "));
  logs.push(log);
}
const seconds = Math.round((performance.now() - start) / 1000);
console.log(`\nAll of it: ${seconds} s, ${SECONDS_ASKED} are asked for`);
const counts = countTests(logs.join("\n"));
console.log(
  failed.length > 0 ? `\nFailed: ${failed.join(", ")}` : "\nAll is well",
);
console.log(formatCounts(counts));
if (failed.length > 0 || counts.passed === 0) Deno.exit(1);
