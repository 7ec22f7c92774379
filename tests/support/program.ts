/**
 * Running the programs of others.
 *
 * @module
 */

/** How a program ended. */
export interface ProgramRun {
  /** Its exit status. */
  readonly code: number;
  /** What it printed, without colours. */
  readonly stdout: string;
  /** What it complained of. */
  readonly stderr: string;
}

/** A program and the arguments that come before all others. */
export type Program = readonly [command: string, ...args: string[]];

/** Where to run it. */
export interface RunOptions {
  /** Its working directory. */
  readonly cwd?: string;
  /** Variables beside those of this process. */
  readonly env?: { readonly [name: string]: string };
}

/** Runs a program to its end. */
export async function runProgram(
  [command, ...first]: Program,
  args: readonly string[],
  { cwd, env }: RunOptions = {},
): Promise<ProgramRun> {
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...first, ...args],
    ...(cwd === undefined ? {} : { cwd }),
    env: { NO_COLOR: "1", ...env },
  }).output();
  return { code, stdout: plain(stdout), stderr: plain(stderr) };
}

/** Tells whether a program can be had here, in the version that it is pinned to if it is. */
export async function isThere(
  program: Program,
  version?: string,
): Promise<boolean> {
  try {
    const { code, stdout } = await runProgram(program, ["--version"]);
    return code === 0 && (version === undefined || stdout.trim() === version);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function plain(bytes: Uint8Array): string {
  // deno-lint-ignore no-control-regex -- colours begin with a control character
  return new TextDecoder().decode(bytes).replaceAll(/\x1b\[[0-9;]*m/g, "");
}
