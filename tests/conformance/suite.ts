/**
 * The official conformance suite.
 *
 * @module
 */

import {
  type Program,
  type ProgramRun,
  runProgram,
} from "../support/program.ts";

/** The version that the expected results are of. */
export const SUITE_VERSION = "0.2.0-alpha.12";

/** The suite, run by Deno: its own program wants a newer Node than many machines have. */
export const SUITE: Program = [
  Deno.execPath(),
  "run",
  "-A",
  "--no-config",
  "--no-lock",
  `npm:@modelcontextprotocol/conformance@${SUITE_VERSION}`,
];

/** A run of the suite. */
export interface SuiteRun extends ProgramRun {
  /** A line for each scenario, then totals. */
  readonly summary: string;
}

/** Runs the suite against a server. */
export async function runSuite(
  url: string,
  ...args: string[]
): Promise<SuiteRun> {
  const run = await runProgram(SUITE, ["server", "--url", url, ...args]);
  const [, summary = ""] = run.stdout.split("=== SUMMARY ===\n");
  return { ...run, summary };
}
