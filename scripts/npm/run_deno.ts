/**
 * Runs one of Deno's own commands for the build.
 *
 * @module
 */

/** Where to run it, and what fails if it does. */
export interface RunDenoOptions {
  /** Its working directory. */
  readonly cwd: string;
  /** As in "Cannot pack core". */
  readonly what: string;
}

/** Runs it to its end, in silence. Throws with what it said where it fails. */
export async function runDeno(
  args: readonly string[],
  { cwd, what }: RunDenoOptions,
): Promise<void> {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1" },
    stdout: "null",
  }).output();
  if (code === 0) return;
  throw new Error(`Cannot ${what}: ${new TextDecoder().decode(stderr).trim()}`);
}
