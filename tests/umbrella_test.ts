/**
 * `@mnem/mnemosyne` is core and agents under one name: every name of theirs, and nothing else.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import * as agents from "@mnem/agents";
import * as core from "@mnem/core";
import * as umbrella from "@mnem/mnemosyne";
import { parseSource } from "./arch/source_file.ts";

/** All names that an entry exports, those of types too. */
async function namesOf(path: string): Promise<string[]> {
  const text = await readFile(new URL(`../${path}`, import.meta.url), "utf8");
  return parseSource(path, text).exports.map(({ name }) => name);
}

Deno.test("the umbrella exports every name of core and agents", async () => {
  const parts = [
    ...await namesOf("core/mod.ts"),
    ...await namesOf("agents/mod.ts"),
  ];
  assert.ok(parts.includes("openStore") && parts.includes("Question"));
  assert.deepEqual((await namesOf("mod.ts")).sort(), parts.sort());
});

Deno.test("the umbrella exports the same values", () => {
  const parts = { ...core, ...agents };
  assert.ok("remember" in parts && "openStore" in parts);
  assert.deepEqual({ ...umbrella }, parts);
});
