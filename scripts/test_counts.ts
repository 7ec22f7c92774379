/**
 * Adds up what runs of `deno test` said in their last lines.
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import { stripVTControlCharacters } from "node:util";

/** Sums over all runs in a log. */
export interface TestCounts {
  /** Tests that passed. */
  readonly passed: number;
  /** Tests that failed. */
  readonly failed: number;
  /** Names of the tests that were skipped, in the order of the log. */
  readonly skipped: readonly string[];
}

const CLOSING_LINE =
  /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \([^)]*\))?(?: \| (\d+) ignored)?/gm;
const SKIPPED_LINE = /^(\S.*) \.\.\. ignored \([^)]*\)$/gm;

/** Counts the tests in the output of one or more runs. Steps are not counted. */
export function countTests(log: string): TestCounts {
  const plain = stripVTControlCharacters(log).replaceAll("\r\n", "\n");
  const runs = [...plain.matchAll(CLOSING_LINE)];
  const sum = (group: number) =>
    runs.reduce((total, run) => total + Number(run[group] ?? 0), 0);
  const skipped = [...plain.matchAll(SKIPPED_LINE)].map((line) =>
    line[1] ?? ""
  );
  const unnamed = Math.max(0, sum(3) - skipped.length);
  return {
    passed: sum(1),
    failed: sum(2),
    skipped: [...skipped, ...Array<string>(unnamed).fill("(without a name)")],
  };
}

/** A line for each skipped test, and the closing line of counts. */
export function formatCounts({ passed, failed, skipped }: TestCounts): string {
  return [
    ...skipped.map((name) => `skipped: ${name}`),
    `${passed} passed, ${failed} failed, ${skipped.length} skipped`,
  ].join("\n");
}

if (import.meta.main) {
  const logs = await Promise.all(
    Deno.args.map((name) => readFile(name, "utf8")),
  );
  const counts = countTests(logs.join("\n"));
  console.log(formatCounts(counts));
  if (counts.failed > 0 || counts.passed === 0) Deno.exit(1);
}
