/**
 * Runs the tests that keep promises and writes docs/RELIABILITY.md with what they counted. Its
 * arguments are slugs: only their tests are run, and the other sections stay as they are.
 *
 * @module
 */

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { PROMISES } from "./promises.ts";
import {
  pageOf,
  readFigures,
  sectionOf,
  sectionsOf,
} from "./reliability_page.ts";
import { runLogged } from "./run_logged.ts";

const PAGE = "docs/RELIABILITY.md";

const asked = new Set(Deno.args.length > 0 ? Deno.args : slugs());
const unknown = [...asked].filter((slug) => !slugs().includes(slug));
if (unknown.length > 0) fail(`no such promise: ${unknown.join(", ")}`);

const folder = await mkdtemp(join(tmpdir(), "mnem_figures_"));
const file = join(folder, "figures.jsonl");
await writeFile(file, "");
const failed: string[] = [];
const tests = PROMISES.filter(({ slug }) => asked.has(slug))
  .map(({ test }) => test);
for (const path of new Set(tests)) {
  // Types are checked for all files at once, by `check:types`.
  const args = ["test", "-A", "--frozen", "--no-check", path];
  const { code } = await runLogged(args, { env: { MNEM_FIGURES: file } });
  if (code !== 0) failed.push(path);
}
const figures = readFigures(await readFile(file, "utf8"));
await rm(folder, { recursive: true });

const note = {
  day: new Date().toISOString().slice(0, 10),
  machine:
    `Deno ${Deno.version.deno}, ${Deno.build.os} ${Deno.build.arch}, ${availableParallelism()} cores`,
};
const sections = new Map(
  sectionsOf(await readFile(PAGE, "utf8").catch(() => "")),
);
for (const promise of PROMISES.filter(({ slug }) => asked.has(slug))) {
  const rows = figures.get(promise.slug);
  // What no longer has figures must not stand there as if it had.
  if (rows === undefined) sections.delete(promise.slug);
  else sections.set(promise.slug, sectionOf(promise, rows, note));
}
await writeFile(PAGE, pageOf(PROMISES, sections));
await runLogged(["fmt", PAGE], { quiet: true });

const silent = [...asked].filter((slug) => !figures.has(slug));
if (failed.length > 0) fail(`failed: ${failed.join(" ")}`);
if (silent.length > 0) fail(`no figures of: ${silent.join(" ")}`);

function slugs(): string[] {
  return PROMISES.map(({ slug }) => slug);
}

function fail(what: string): never {
  console.error(what);
  Deno.exit(1);
}
