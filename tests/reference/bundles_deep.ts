/**
 * Bundles cross both ways with the command line of the reference, byte for byte.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { importBundle, type Json, rememberMany } from "@mnem/mnemosyne";
import { exported, streamOf } from "../support/bundles.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { tempStore } from "../support/temp_store.ts";
import { Chance } from "../support/tree_cases.ts";
import { firstSeed } from "./first_seed.ts";
import { playOnReference } from "./play_on_reference.ts";
import { referenceCli, referencePython } from "./programs.ts";
import { playRandomTrace } from "./random_trace.ts";

/** How long it takes on two busy cores, with the reference to be had first. */
export const SECONDS = 20;

const HISTORIES = 5;
const STEPS = 100;
const DOUBLES = 300;

const [python, cli] = [await referencePython(), await referenceCli()];
for (const { path, ...rest } of [python, cli]) {
  if (path === undefined) console.log("skipped:", rest);
}
const ignore = python.path === undefined || cli.path === undefined;

/** Runs the reference's command line in a folder. */
async function mnem(cwd: string, ...args: string[]) {
  const { code, stderr } = await new Deno.Command(cli.path ?? "", { args, cwd })
    .output();
  return { code, stderr: new TextDecoder().decode(stderr) };
}

async function exportThere(folder: string): Promise<string> {
  const file = join(folder, "bundle.json");
  const { code, stderr } = await mnem(folder, "export", "-o", file);
  assert.equal(code, 0, stderr);
  return await readFile(file, "utf8");
}

Deno.test({
  name:
    `${HISTORIES} histories go here -> there -> here, and there -> here -> there`,
  ignore,
}, async () => {
  const first = firstSeed();
  console.log(`bundles from MNEM_SEED=${first}`);
  for (let seed = first; seed < first + HISTORIES; seed++) {
    await using ours = await tempStore();
    const steps = await playRandomTrace(ours.store, {
      chance: new Chance(seed),
      steps: STEPS,
    });
    const text = await exported(ours.store);

    await using there = await tempFolder();
    await writeFile(join(there.path, "ours.json"), text);
    const { code, stderr } = await mnem(there.path, "import", "ours.json", ".");
    assert.equal(code, 0, stderr);
    assert.equal(await exportThere(there.path), text, `MNEM_SEED=${seed}`);

    await using theirs = await tempFolder();
    await playOnReference(steps, {
      python: python.path ?? "",
      folder: theirs.path,
    });
    const given = await exportThere(theirs.path);
    await using here = await tempFolder();
    await using imported = await importBundle(here.path, streamOf(given));
    assert.equal(await exported(imported), given, `MNEM_SEED=${seed}`);
    assert.deepEqual((await imported.verify()).faults, []);
    // The same calls: so the same history, whoever played them.
    assert.equal(given, text, `MNEM_SEED=${seed}`);
  }
});

Deno.test({
  name:
    `${DOUBLES} random doubles come over from a bundle that the reference refuses`,
  ignore,
}, async () => {
  const chance = new Chance(1);
  const bits = new DataView(new ArrayBuffer(8));
  const doubles: number[] = [];
  while (doubles.length < DOUBLES) {
    bits.setUint32(0, chance.below(2 ** 32));
    bits.setUint32(4, chance.below(2 ** 32));
    const double = bits.getFloat64(0);
    if (Number.isFinite(double) && !Number.isInteger(double)) {
      doubles.push(double);
    }
  }
  await using ours = await tempStore();
  const items = doubles.map((content: Json, at) => ({ id: `d${at}`, content }));
  await rememberMany(ours.store, items);
  const text = await exported(ours.store);

  await using here = await tempFolder();
  await using imported = await importBundle(here.path, streamOf(text));
  assert.equal(await exported(imported), text);
  for (const [at, double] of doubles.entries()) {
    assert.equal((await imported.node(`d${at}`))?.content, double);
  }

  await using there = await tempFolder();
  await writeFile(join(there.path, "ours.json"), text);
  const { code, stderr } = await mnem(there.path, "import", "ours.json", ".");
  assert.notEqual(code, 0);
  assert.match(stderr, /does not hash to its own id/);
});
