/**
 * What a program says and how it ends is not lost.
 *
 * @module
 */

import assert from "node:assert/strict";
import { runLogged } from "./run_logged.ts";

Deno.test("runLogged() keeps both outputs and the exit code", async () => {
  const code =
    `console.log("said é"); console.error("complained"); Deno.exit(3);`;
  const run = await runLogged(["eval", code], { quiet: true });
  assert.equal(run.code, 3);
  assert.match(run.log, /^said é$/m);
  assert.match(run.log, /^complained$/m);
});

Deno.test("runLogged() ends a program that takes too long", async () => {
  const code = `setInterval(() => {}, 1000);`;
  const run = await runLogged(["eval", code], { limitMs: 50, quiet: true });
  assert.equal(run.code, 124);
});
