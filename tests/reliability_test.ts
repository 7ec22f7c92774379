/**
 * The page of promises holds to the tests, and the tests to the page.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { PROMISES } from "../scripts/promises.ts";
import {
  pageFaults,
  pageOf,
  readFigures,
  sectionOf,
  sectionsOf,
} from "../scripts/reliability_page.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const REPORT = /\breportFigures\(\s*"([^"]+)"/g;

async function reportsIn(
  paths: readonly string[],
): Promise<{ slug: string; path: string }[]> {
  const found = await Promise.all(paths.map(async (path) => {
    const text = await readFile(ROOT + path, "utf8");
    return [...text.matchAll(REPORT)].map(([, slug = ""]) => ({ slug, path }));
  }));
  return found.flat();
}

Deno.test("RELIABILITY.md has figures of every promise, and every promise has its test", async () => {
  const names = await readdir(`${ROOT}tests`, { recursive: true });
  const paths = names.filter((name) => /_(test|deep)\.ts$/.test(name))
    .map((name) => `tests/${name.replaceAll("\\", "/")}`)
    .filter((path) => path !== "tests/reliability_test.ts");
  const reports = await reportsIn(paths);
  assert.ok(reports.length > 0);
  const page = await readFile(`${ROOT}docs/RELIABILITY.md`, "utf8");
  const tests = new Set(paths);
  assert.deepEqual(pageFaults(PROMISES, { page, reports, tests }), []);
});

const one = { slug: "one", says: "It holds.", test: "tests/one_test.ts" };
const two = { slug: "two", says: "It keeps | on.", test: "tests/two_deep.ts" };
const NOTE = { day: "2026-01-02", machine: "a machine" };
const rows = [{ kills: 1_500, lost: 0 }, { kills: 2, lost: 0, of: "a|b" }];
const whole = {
  page: pageOf(
    [one, two],
    new Map([
      ["one", sectionOf(one, [{ runs: 3 }], NOTE)],
      ["two", sectionOf(two, rows, NOTE)],
    ]),
  ),
  reports: [one, two].map(({ slug, test }) => ({ slug, path: test })),
  tests: new Set([one.test, two.test]),
};

Deno.test("pageFaults() finds what is missing, and what is too much", () => {
  const faultsOf = (
    changed: Partial<typeof whole>,
    promises = [one, two],
  ) => pageFaults(promises, { ...whole, ...changed });
  assert.deepEqual(faultsOf({}), []);
  assert.deepEqual(faultsOf({ tests: new Set([one.test]) }), [
    "tests/two_deep.ts does not exist",
  ]);
  assert.deepEqual(faultsOf({ page: whole.page.split("## two")[0]! }), [
    'the page has no figures of "two"',
  ]);
  const empty = whole.page.replace("| 3 |", "");
  assert.deepEqual(faultsOf({ page: empty }), [
    'the page has no figures of "one"',
  ]);
  const more = [...whole.reports, { slug: "three", path: one.test }];
  assert.deepEqual(faultsOf({ reports: more }), [
    'tests/one_test.ts reports "three", which scripts/promises.ts has not',
  ]);
  assert.deepEqual(faultsOf({ reports: whole.reports.slice(1) }), [
    'no test reports "one"',
  ]);
  const moved = [{ slug: "one", path: two.test }, ...whole.reports];
  assert.deepEqual(faultsOf({ reports: moved }), [
    'tests/two_deep.ts reports "one", which tests/one_test.ts is to report',
  ]);
  assert.deepEqual(faultsOf({ reports: whole.reports.slice(0, 1) }, [one]), [
    'the page has "two", which is no promise',
  ]);
  const other = { ...two, says: "It does not.", test: one.test };
  assert.deepEqual(
    faultsOf(
      { reports: [whole.reports[0]!, { slug: "two", path: one.test }] },
      [
        one,
        other,
      ],
    ),
    ['the page says "two" otherwise', 'the page names another test for "two"'],
  );
  assert.deepEqual(faultsOf({}, [one, two, two]), ["1 slugs are given twice"]);
});

Deno.test("pageOf() writes what was reported as tables, and sectionsOf() finds them again", () => {
  const table = [
    "| kills | lost | of |",
    "| --- | --- | --- |",
    "| 1,500 | 0 |  |",
    "| 2 | 0 | a\\|b |",
  ].join("\n");
  const sections = sectionsOf(whole.page);
  assert.deepEqual([...sections.keys()], ["one", "two"]);
  assert.ok(sections.get("two")?.includes(table), sections.get("two"));
  assert.equal(pageOf([one, two], sections), whole.page);
});

Deno.test("readFigures() gathers the lines of a run", () => {
  const lines = [
    { promise: "a", figures: { runs: 1 } },
    { promise: "b", figures: [{ n: 2 }, { n: 3 }] },
    { promise: "a", figures: { runs: 4 } },
  ].map((line) => JSON.stringify(line)).join("\n");
  assert.deepEqual([...readFigures(`${lines}\n`)], [
    ["a", [{ runs: 1 }, { runs: 4 }]],
    ["b", [{ n: 2 }, { n: 3 }]],
  ]);
  assert.throws(() => readFigures("no JSON"), SyntaxError);
});
