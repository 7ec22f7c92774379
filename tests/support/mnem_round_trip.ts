/**
 * What the command line must do however it was installed: keep a memory, check it, and serve it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { mcpRoundTrip } from "./mcp_round_trip.ts";
import { type Program, type RunOptions, runProgram } from "./program.ts";

/** Makes a store in a folder and uses it; `folder` is where the program runs. */
export async function mnemRoundTrip(
  program: Program,
  { cwd: folder, env }: Required<RunOptions>,
): Promise<void> {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runProgram(program, args, {
      cwd: folder,
      env: { MNEM_STORE: "", MNEM_AUTHOR: "", ...env },
    });
    assert.equal(code, 0, `mnem ${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  assert.match(await run("--version"), /^mnem \d+\.\d+\.\d+\n$/);
  await run("init");
  await run("remember", "plan", "pro", "--observation", "note-17");
  const { result } = JSON.parse(await run("recall", "plan", "--json"));
  assert.equal(result.content, "pro");
  assert.match(await run("blame", "plan"), /note-17/);
  // It checks in a second process of the same program.
  const { faults } = JSON.parse(await run("verify", "--json"));
  assert.deepEqual(faults, []);
  await mcpRoundTrip([`--store=${join(folder, "served")}`], {
    program: [...program, "serve"],
    cwd: folder,
    env,
  });
}
