/**
 * The one binary: `mnem` with the MCP server inside, on a machine without Deno.
 *
 * @module
 */

export const SECONDS = 10;

import assert from "node:assert/strict";
import { chmod, copyFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runLogged } from "../../scripts/run_logged.ts";
import { mnemRoundTrip } from "../support/mnem_round_trip.ts";
import { runProgram } from "../support/program.ts";
import { tempFolder } from "../support/temp_folder.ts";

/** Of our modules and the npm packages that they use; the runtime comes on top. */
const FILES_MEGABYTES_MAX = 30;
const TASK = ["task", "compile"];
const EXE = Deno.build.os === "windows" ? ".exe" : "";

/** Whether the runtime that a binary begins with can be had: it lies on Deno's own download site. */
async function canCompile(): Promise<boolean> {
  await using temp = await tempFolder();
  const script = join(temp.path, "main.ts");
  const binary = join(temp.path, `main${EXE}`);
  await writeFile(script, `console.log("compiled");\n`);
  const args = ["compile", "--no-config", "--output", binary, script];
  const { code, log } = await runLogged(args, { quiet: true });
  if (code === 0) {
    // Another program in the place of that runtime would not run the script.
    return (await runProgram([binary], [])).stdout === "compiled\n";
  }
  assert.match(log, /base binary/, log);
  return false;
}

/** Runs the task, and moves what it made out of the tree. */
async function compile(
  to: string,
  env: { readonly [name: string]: string } = {},
): Promise<string> {
  const { code, log } = await runLogged(TASK, { quiet: true, env });
  assert.equal(code, 0, log);
  await copyFile(`mnem${EXE}`, to);
  await rm(`mnem${EXE}`);
  return log;
}

Deno.test("deno task compile puts in what mnem needs, the server too, and nothing else", async () => {
  await using temp = await tempFolder();
  // Deno itself in the place of the runtime: no program comes of it, but the list of what is in it.
  const env = { DENORT_BIN: Deno.execPath() };
  const log = await compile(join(temp.path, "mnem"), env);
  for (const file of ["serve_stdio.ts", "open_driver.ts", "command_table.ts"]) {
    assert.match(log, new RegExp(file), `${file} is not in it`);
  }
  assert.doesNotMatch(log, /langgraph|fast-check|_test\.ts/);
  const [said = "", megabytes] = /^Files: ([\d.]+)MB$/m.exec(log) ?? [];
  console.log(`mnem, without its runtime: ${said}`);
  assert.ok(Number(megabytes) < FILES_MEGABYTES_MAX, said);
});

Deno.test({
  name:
    "deno task compile makes a binary that remembers and serves (needs denort)",
  ignore: !(await canCompile()),
}, async () => {
  await using temp = await tempFolder();
  const binary = join(temp.path, `mnem${EXE}`);
  await compile(binary);
  await chmod(binary, 0o755);
  console.log(`mnem: ${((await stat(binary)).size / 1e6).toFixed(1)} MB`);

  // Nothing of a Deno that is installed may be needed.
  const env = { PATH: "", DENO_DIR: join(temp.path, "cache") };
  await mnemRoundTrip([binary], { cwd: temp.path, env });
});
