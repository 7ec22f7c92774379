/**
 * Runs the deep tests: longer ones, and those that need other programs. A suite is a file
 * `tests/**\/*_deep.ts` that says how long it takes: `export const SECONDS = 90;`.
 *
 * @module
 */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path/posix";
import { runLogged } from "./run_logged.ts";

/** What all suites may take together, by their own word, in seconds. */
const TOTAL_SECONDS_MAX = 18 * 60;
/** Gets the programs of others that suites run. */
const PROGRAMS = "tests/reference/programs.ts";
/** A suite that takes this many times what it says hangs. */
const PATIENCE = 3;

const [root = "tests"] = Deno.args;
const suites = await findSuites(root);
const total = suites.reduce((sum, { seconds }) => sum + seconds, 0);
console.log(`${suites.length} deep suites, ${total} of ${TOTAL_SECONDS_MAX} s`);
for (const { path, seconds } of suites) console.log(`  ${path}: ${seconds} s`);
if (total > TOTAL_SECONDS_MAX) {
  console.error(
    `Deep suites say ${total} s, the limit is ${TOTAL_SECONDS_MAX}`,
  );
  Deno.exit(1);
}

// Those that must be built take minutes, once: that is no suite's time.
await runLogged(["run", "-A", "--frozen", PROGRAMS]);
Deno.env.set("MNEM_TEST_NO_BUILDS", "1");

const failed: string[] = [];
for (const { path, seconds } of suites) {
  const start = performance.now();
  // Types are checked for all files at once, by `check:types`.
  const args = ["test", "-A", "--frozen", "--no-check", path];
  const { code } = await runLogged(args, {
    limitMs: seconds * PATIENCE * 1000,
  });
  const took = Math.round((performance.now() - start) / 1000);
  if (code !== 0) failed.push(path);
  const end = code === 124 ? `was ended after ${took} s` : `took ${took} s`;
  console.log(`== ${path} ${end}, says ${seconds} s`);
}
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(" ")}`);
  Deno.exit(1);
}

async function findSuites(
  folder: string,
): Promise<{ readonly path: string; readonly seconds: number }[]> {
  const names = await readdir(folder, { recursive: true });
  const paths = names.filter((name) => name.endsWith("_deep.ts"))
    .map((name) => join(folder, name.replaceAll("\\", "/"))).sort();
  return await Promise.all(paths.map(async (path) => {
    const text = await readFile(path, "utf8");
    const said = /^export const SECONDS = (\d+);$/m.exec(text)?.[1];
    if (said === undefined) {
      throw new Error(
        `${path} does not say how long it takes: export const SECONDS = 90;`,
      );
    }
    return { path, seconds: Number(said) };
  }));
}
