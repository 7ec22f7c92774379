/**
 * The runtimes that the npm packages are for.
 *
 * @module
 */

import { type Program, runProgram } from "../support/program.ts";

/** A runtime, or why there is none. */
export interface Runtime {
  /** As tests call it. */
  readonly name: string;
  /** What runs a program; undefined where it cannot be had. */
  readonly program: Program | undefined;
}

// Asked for where it lies: ending an `npx` would leave behind what it started.
const WHERE = "console.log(process.version, process.execPath)";
const BUN = "bun@1.4.5";

/** Finds the Node of this machine where it is new enough, and lets npm bring the others. */
export async function findRuntimes(): Promise<Runtime[]> {
  return await Promise.all([
    find("Node 20", ["node"], /^v20\./),
    find("Node 22", ["npx", "--yes", "node@22"], /^v22\./),
    find("Node 24", ["npx", "--yes", "node@24"], /^v24\./),
    find("Bun", ["npx", "--yes", BUN], /./),
  ]);
}

async function find(
  name: string,
  from: Program,
  version: RegExp,
): Promise<Runtime> {
  try {
    const { code, stdout } = await runProgram(from, ["-e", WHERE], {
      env: { npm_config_fetch_retries: "0" },
    });
    const [said = "", path = ""] = stdout.trim().split(/ (.*)/s);
    const found = code === 0 && version.test(said) && path !== "";
    return { name, program: found ? [path] : undefined };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return { name, program: undefined };
  }
}
