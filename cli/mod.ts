/**
 * The command line `mnem`: an agent's memory with history, as users of git expect it. Run it:
 *
 * ```sh
 * deno run -A cli/mod.ts help
 * ```
 *
 * @module
 */

import { VERSION } from "./version.ts";

/**
 * Runs the command line with the arguments after the program's name, and returns its exit status.
 * `program` is the address of the module that calls it and was started, its `import.meta.url`: `verify`
 * starts that once more, so that a damaged file ends only the other process. Without it, it is checked
 * in this one.
 */
export async function main(
  args: readonly string[],
  program?: string,
): Promise<number> {
  if (asksForVersion(args)) {
    // deno-lint-ignore no-console -- the terminal's own door takes longer to load than this to run
    console.log(`mnem ${VERSION}`);
    return 0;
  }
  const { main } = await import("./main.ts");
  return await main(args, program);
}

/** Whether nothing else is asked: then nothing else is loaded, neither the store nor Node's built-ins. */
function asksForVersion(args: readonly string[]): boolean {
  const [only, ...others] = args;
  return others.length === 0 && (only === "--version" || only === "-V");
}

/** What is used of Deno, where it is the host. */
interface DenoHost {
  readonly args: readonly string[];
}

async function start(): Promise<void> {
  const { Deno: deno }: { readonly Deno?: DenoHost } = globalThis;
  const args = deno?.args ?? (await import("node:process")).argv.slice(2);
  const status = await main(args, import.meta.url);
  if (status !== 0 || !asksForVersion(args)) {
    (await import("node:process")).exit(status);
  }
}

if (import.meta.main) start();
