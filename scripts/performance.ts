/**
 * Measures everything and writes the page of figures, its picture, and the lines that both are made
 * of. With `--from=FILE` the lines of an earlier run are taken: \`deno task bench --json=FILE\`. Other
 * flags go to the benches.
 *
 * @module
 */

import { readFile, writeFile } from "node:fs/promises";
import { parseLines } from "../tests/bench/json_lines.ts";
import { growthPlot } from "./performance/growth_plot.ts";
import { performancePage } from "./performance/performance_page.ts";
import { formatted } from "./performance/formatted.ts";
import { runLogged } from "./run_logged.ts";

const LINES = "docs/performance.jsonl";

const from = Deno.args.find((arg) => arg.startsWith("--from="));
if (from === undefined) await measure(Deno.args);
else await writeFile(LINES, await readFile(from.slice("--from=".length)));

const run = parseLines(await readFile(LINES, "utf8"));
const plot = await formatted(growthPlot(run.figures), "svg");
const page = await formatted(performancePage(run), "md");
await writeFile("docs/performance.svg", plot);
await writeFile("docs/PERFORMANCE.md", page);

/** A gate that fails is shown on the page: it is no reason not to write it. */
async function measure(flags: readonly string[]): Promise<void> {
  const bench = ["run", "-A", "--frozen", "tests/bench/main.ts"];
  const { code } = await runLogged([...bench, `--json=${LINES}`, ...flags]);
  if (code > 1) Deno.exit(code);
}
