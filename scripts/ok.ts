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

const failed: string[] = [];
const logs: string[] = [];
for (const task of TASKS) {
  console.log(`\n== deno task ${task.join(" ")}`);
  const { code, log } = await runLogged(["task", ...task]);
  if (code !== 0) failed.push(task.join(" "));
  logs.push(log);
}
const counts = countTests(logs.join("\n"));
console.log(
  failed.length > 0 ? `\nFailed: ${failed.join(", ")}` : "\nAll is well",
);
console.log(formatCounts(counts));
if (failed.length > 0 || counts.passed === 0) Deno.exit(1);
