/**
 * A bundle of 200 MB goes out and comes in within 200 MB: what a process takes at its peak beyond what
 * it took before.
 *
 * @module
 */

export const SECONDS = 30;

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { runProgram } from "../support/program.ts";
import { tempFolder } from "../support/temp_folder.ts";
import type { PeakMemory } from "./peak_memory.ts";

const MEGABYTE = 1_000_000;
const MEMORY_MAX = 200 * MEGABYTE;
const CHILD = [
  Deno.execPath(),
  "run",
  "-A",
  fileURLToPath(new URL("./peak_memory.ts", import.meta.url)),
] as const;

async function peakOf(...args: string[]): Promise<PeakMemory> {
  const { code, stdout, stderr } = await runProgram(CHILD, args);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

function checkPeak(what: string, { before, after }: PeakMemory): void {
  const [own, more] = [before, after - before].map((bytes) =>
    Math.round(bytes / MEGABYTE)
  );
  const said = `${what}: ${more} MB, beside ${own} MB before it`;
  console.log(said);
  assert.ok(before > MEGABYTE && after - before <= MEMORY_MAX, said);
}

Deno.test({
  name: "a bundle of 200 MB is exported and imported in 200 MB of memory",
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using place = await tempFolder();
  const [source, copy] = [`${place.path}/source`, `${place.path}/copy`];
  const [first, second] = [`${place.path}/1.json`, `${place.path}/2.json`];
  await peakOf("fill", source, "");
  checkPeak("export", await peakOf("export", source, first));
  const { size } = await Deno.stat(first);
  assert.ok(size >= 200 * MEGABYTE, `${size} bytes`);
  checkPeak("import", await peakOf("import", copy, first));
  checkPeak("export", await peakOf("export", copy, second));
  for (const path of [source, copy]) {
    await Deno.remove(path, { recursive: true });
  }
  assert.ok(await sameFiles(first, second));
});

async function sameFiles(...paths: string[]): Promise<boolean> {
  const hashes = await Promise.all(paths.map(async (path) => {
    const { readable } = await Deno.open(path);
    const hash = createHash("sha256");
    for await (const piece of readable) hash.update(piece);
    return hash.digest("hex");
  }));
  return new Set(hashes).size === 1;
}
