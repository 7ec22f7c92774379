/**
 * What ships calls no method that Node 20 does not have: its types are checked against the library of
 * that time, in which the newer ones are unknown.
 *
 * @module
 */

export const SECONDS = 12;

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { readPackages } from "../../scripts/packages.ts";
import { runLogged } from "../../scripts/run_logged.ts";
import { tempFolder } from "../support/temp_folder.ts";

/** What Node 20 has: ES2023, well-formed strings, and the symbols of disposal. */
const LIBRARY = [
  "es2023",
  "es2024.string",
  "esnext.disposable",
  "dom",
  "dom.iterable",
  "dom.asynciterable",
];

/** "Does not exist on type" and "cannot find name", with and without the advice to take a newer library. */
const NEWER = /TS(?:2550|2583|2584|2568|2339) /;

/** Called only where it is there. */
const GUARDED: readonly (readonly [file: string, name: string])[] = [
  ["core/object/hex.ts", "toHex"],
  ["core/object/hex.ts", "fromHex"],
];

const PLANTED = `
const a = await Array.fromAsync([]);
const b = Promise.withResolvers<void>();
const c = new Set([1]).union(new Set([2]));
const d = new Map([[1, 2]]).values().map((one) => one);
const e = new Uint8Array().toBase64();
const f = Object.groupBy([1], String);
const g = new ArrayBuffer(1).transfer();
export const all = [a, b, c, d, e, f, g];
`;

async function findNewer(...files: string[]): Promise<string[]> {
  await using temp = await tempFolder();
  const config = join(temp.path, "deno.json");
  await writeFile(config, JSON.stringify(await oldConfig()));
  const { log } = await runLogged(["check", "--config", config, ...files], {
    quiet: true,
  });
  assert.match(log, /^Check /m);
  const problems = log.split(/\n(?=TS\d+ )/).filter((one) => NEWER.test(one));
  return problems.filter((problem) =>
    !GUARDED.some(([file, name]) =>
      problem.includes(file) && problem.includes(`'${name}'`)
    )
  );
}

async function oldConfig(): Promise<unknown> {
  const { compilerOptions, imports } = JSON.parse(
    await readFile("deno.json", "utf8"),
  );
  const own = (await readPackages()).flatMap(({ entries }) =>
    [...entries].map(([name, path]) => [name, pathToFileURL(resolve(path))])
  );
  return {
    compilerOptions: { ...compilerOptions, lib: LIBRARY },
    imports: { ...imports, ...Object.fromEntries(own) },
  };
}

Deno.test("what ships calls nothing that Node 20 does not have", async () => {
  const entries = (await readPackages()).flatMap((one) => [
    ...one.entries.values(),
  ]);
  const problems = await findNewer(...entries.map((path) => resolve(path)));
  assert.deepEqual(problems, []);
});

Deno.test("a newer method is found, whatever it is called on", async () => {
  await using temp = await tempFolder();
  const file = join(temp.path, "planted.ts");
  await writeFile(file, PLANTED);
  const problems = (await findNewer(file)).join("\n");
  for (
    const name of [
      "fromAsync",
      "withResolvers",
      "union",
      "map",
      "toBase64",
      "groupBy",
      "transfer",
    ]
  ) assert.match(problems, new RegExp(`Property '${name}' does not exist`));
});
