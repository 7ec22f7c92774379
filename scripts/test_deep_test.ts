/**
 * The runner of deep tests fails when it should.
 *
 * @module
 */

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type LoggedRun, runLogged } from "./run_logged.ts";

const SCRIPT = fileURLToPath(new URL("./test_deep.ts", import.meta.url));

async function runSuites(
  suites: { readonly [name: string]: string },
): Promise<LoggedRun> {
  const folder = await mkdtemp(join(tmpdir(), "mnem-deep-"));
  try {
    await mkdir(join(folder, "wide"));
    for (const [name, text] of Object.entries(suites)) {
      await writeFile(join(folder, name), text);
    }
    return await runLogged(["run", "-A", SCRIPT, folder], { quiet: true });
  } finally {
    await rm(folder, { recursive: true });
  }
}

const sound = `export const SECONDS = 5;\nDeno.test("a", () => {});\n`;

Deno.test("test_deep runs every suite and says how long they may take", async () => {
  const { code, log } = await runSuites({
    "a_deep.ts": sound,
    "wide/b_deep.ts": sound.replace("5", "7"),
    "c_test.ts": `throw new Error("not a deep test");`,
  });
  assert.equal(code, 0, log);
  assert.match(log, /^2 deep suites, 12 of 1080 s$/m);
  assert.equal([...log.matchAll(/^ok \| 1 passed/gm)].length, 2);
});

Deno.test("test_deep fails with any suite, and runs the others", async () => {
  const { code, log } = await runSuites({
    "a_deep.ts": sound.replace("{}", `{ throw new Error("planted"); }`),
    "b_deep.ts": sound,
  });
  assert.equal(code, 1);
  assert.match(log, /^Failed: \S+a_deep\.ts$/m);
  assert.match(log, /^ok \| 1 passed/m);
});

Deno.test("test_deep refuses suites that take too long together or do not say", async () => {
  const long = await runSuites({
    "a_deep.ts": sound.replace("5", "1000"),
    "b_deep.ts": sound.replace("5", "81"),
  });
  assert.equal(long.code, 1);
  assert.match(long.log, /^Deep suites say 1081 s, the limit is 1080$/m);
  assert.doesNotMatch(long.log, /^ok \|/m);

  const silent = await runSuites({ "a_deep.ts": `Deno.test("a", () => {});` });
  assert.equal(silent.code, 1);
  assert.match(silent.log, /a_deep\.ts does not say how long it takes/);
});
