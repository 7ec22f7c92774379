/**
 * The doc check finds what has no doc comment, and nothing else.
 *
 * @module
 */

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type LoggedRun, runLogged } from "./run_logged.ts";

const SCRIPT = fileURLToPath(new URL("./check_docs.ts", import.meta.url));

async function checkDocs(text: string | undefined): Promise<LoggedRun> {
  const folder = await mkdtemp(join(tmpdir(), "mnem-docs-"));
  try {
    const entry = join(folder, "mod.ts");
    if (text !== undefined) await writeFile(entry, text);
    return await runLogged(["run", "-A", SCRIPT, entry], { quiet: true });
  } finally {
    await rm(folder, { recursive: true });
  }
}

Deno.test("check_docs fails for an export without a doc comment", async () => {
  const { code, log } = await checkDocs("export const limit: number = 1;\n");
  assert.equal(code, 1);
  assert.match(log, /error\[missing-jsdoc\]/);
});

Deno.test("check_docs passes over a type that the entry does not export", async () => {
  const { code, log } = await checkDocs(`
interface Hidden { readonly a: number }
/** Shows what is hidden. */
export function show(): Hidden { return { a: 1 }; }
`);
  assert.equal(code, 0, log);
  assert.match(log, /^Documented: /m);
});

Deno.test("check_docs fails for an entry that cannot be read", async () => {
  assert.equal((await checkDocs(undefined)).code, 1);
  assert.equal((await checkDocs("export const = 1;\n")).code, 1);
});
