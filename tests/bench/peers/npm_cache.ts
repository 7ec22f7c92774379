/**
 * Packages of npm that are no dependency: fetched by name, past the lock file.
 *
 * @module
 */

import { type Program, runProgram } from "../../support/program.ts";

const DENO: Program = [Deno.execPath()];

/** Brings a package of npm into Deno's cache; says why it cannot. */
export async function cacheFailure(
  specifier: string,
): Promise<string | undefined> {
  const args = ["cache", "--no-config", "--no-lock", specifier];
  const { code, stderr } = await runProgram(DENO, args);
  return code === 0 ? undefined : stderr.trim().split("\n").at(-1);
}
