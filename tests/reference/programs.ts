/**
 * The programs of others that deep tests run: had from where they are published, and kept in a cache for
 * the next run. Run alone, it gets all of them.
 *
 * @module
 */

import { mkdir, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

const PYTHON_PACKAGE = "mnem-agents==0.0.7";
const MEMORY_SERVER = "@modelcontextprotocol/server-memory@2026.8.31";
const CLI_PACKAGE = ["mnem-git", "--version", "0.0.8", "--locked"];
const DENOKV_PACKAGE = ["denokv", "--version", "0.14.0", "--locked"];
/** A build that takes longer is given up. */
const BUILD_MS_MAX = 8 * 60_000;
/** Set to 1 once all was tried: what is not there by then is not built within the time of a suite. */
const NO_BUILDS = "MNEM_TEST_NO_BUILDS";

/** A program, or why there is none. */
export type Program =
  | { readonly path: string }
  | { readonly path: undefined; readonly missing: string };

/** Returns a Python that can import the reference's SDK. */
export async function referencePython(): Promise<Program> {
  const home = join(cacheFolder(), PYTHON_PACKAGE.replace("==", "-"));
  return await program(join(home, "bin", "python"), home, [
    ["python3", ["-m", "venv", home]],
    [join(home, "bin", "pip"), ["install", "--quiet", PYTHON_PACKAGE]],
  ]);
}

/** Returns the reference's command line. */
export async function referenceCli(): Promise<Program> {
  const home = join(cacheFolder(), "mnem-git-0.0.8");
  return await program(join(home, "bin", "mnem"), home, [
    ["cargo", ["install", ...CLI_PACKAGE, "--root", home]],
  ]);
}

/** Returns the self-hosted server of Deno KV. */
export async function denokv(): Promise<Program> {
  const home = join(cacheFolder(), "denokv-0.14.0");
  return await program(join(home, "bin", "denokv"), home, [
    ["cargo", ["install", ...DENOKV_PACKAGE, "--root", home]],
  ]);
}

/** Returns the script of the memory server of the protocol's own repository, for Node. */
export async function memoryServer(): Promise<Program> {
  const home = join(cacheFolder(), MEMORY_SERVER.replace(/.*\//, ""));
  const args = ["install", "--no-audit", "--no-fund", "--prefix", home];
  const name = MEMORY_SERVER.replace(/@[^@]*$/, "");
  return await program(
    join(home, "node_modules", name, "dist", "index.js"),
    home,
    [["npm", [...args, MEMORY_SERVER]]],
  );
}

type Command = readonly [program: string, args: readonly string[]];

/** Makes a home by commands that each must succeed; a home is done when its mark is there. */
async function program(
  path: string,
  home: string,
  commands: readonly Command[],
): Promise<Program> {
  const mark = join(home, "complete");
  if (await exists(mark)) return { path };
  if (Deno.env.get(NO_BUILDS) === "1") {
    return { path: undefined, missing: `${path} could not be had before` };
  }
  await rm(home, { recursive: true, force: true });
  await mkdir(home, { recursive: true });
  for (const [name, args] of commands) {
    const missing = await failureOf(name, args);
    if (missing !== undefined) return { path: undefined, missing };
  }
  await mkdir(mark);
  return { path };
}

async function failureOf(
  name: string,
  args: readonly string[],
): Promise<string | undefined> {
  try {
    const { code, stderr } = await new Deno.Command(name, {
      args: [...args],
      signal: AbortSignal.timeout(BUILD_MS_MAX),
    }).output();
    if (code === 0) return undefined;
    const said = new TextDecoder().decode(stderr).trim().split("\n").at(-1);
    return `${name} ${args.join(" ")} ended with ${code}: ${said}`;
  } catch (error) {
    return `${name}: ${error}`;
  }
}

function cacheFolder(): string {
  const cache = Deno.env.get("XDG_CACHE_HOME") || join(homedir(), ".cache");
  return join(cache, "mnemosyne-tests");
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(() => true, () => false);
}

if (import.meta.main) {
  for (const get of [referencePython, referenceCli, memoryServer, denokv]) {
    const { path, ...rest } = await get();
    console.log(path ?? rest);
  }
}
