/**
 * Tests that try at random make a share of their trials where they run all the time; here they make all.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path/posix";
import { ALL_TRIALS } from "../support/trials.ts";

export const SECONDS = 40;

const ROOT = new URL("../..", import.meta.url).pathname;

/** Every test of the workspace that says how many trials it makes. */
async function randomTests(): Promise<string[]> {
  const found: string[] = [];
  for (const folder of ["agents", "cli", "core", "langgraph", "mcp", "tests"]) {
    const names = await readdir(join(ROOT, folder), { recursive: true });
    for (const name of names) {
      const path = join(folder, name.replaceAll("\\", "/"));
      if (!path.endsWith("_test.ts")) continue;
      const text = await readFile(join(ROOT, path), "utf8");
      if (text.includes("support/trials.ts")) found.push(path);
    }
  }
  return found;
}

Deno.test("tests that try at random hold for all their trials", async () => {
  const files = await randomTests();
  assert.ok(files.length > 10, files.join(" "));
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    // Types are checked for all files at once, by `check:types`.
    args: ["test", "-A", "--frozen", "--no-check", "--parallel", ...files],
    cwd: ROOT,
    env: { [ALL_TRIALS]: "1", NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  const said = decoder.decode(stdout);
  assert.equal(code, 0, said + decoder.decode(stderr));
  assert.match(said, /^ok \| \d+ passed .*\| 0 failed/m);
});
