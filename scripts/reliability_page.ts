/**
 * The page of promises: a section for each, with what its test counted last.
 *
 * @module
 */

import type { KeptPromise } from "./promises.ts";

/** One row of figures, by what they count. */
export type FigureRow = { readonly [what: string]: number | string };

/** What the page says of one run. */
export interface RunNote {
  /** When, as `2026-12-31`. */
  readonly day: string;
  /** On what, in a few words. */
  readonly machine: string;
}

/** The figures of a run, by promise. Throws for a line that is none. */
export function readFigures(
  lines: string,
): ReadonlyMap<string, readonly FigureRow[]> {
  const found = new Map<string, FigureRow[]>();
  for (const line of lines.split("\n").filter((one) => one !== "")) {
    const { promise, figures } = parseLine(line);
    const rows = found.get(promise) ?? [];
    rows.push(...Array.isArray(figures) ? figures : [figures]);
    found.set(promise, rows);
  }
  return found;
}

function parseLine(
  line: string,
): {
  readonly promise: string;
  readonly figures: FigureRow | readonly FigureRow[];
} {
  return JSON.parse(line);
}

/** The sections of a page, by slug, as they stand there. */
export function sectionsOf(page: string): ReadonlyMap<string, string> {
  const parts = page.split(/^## /m).slice(1);
  return new Map(parts.map((part) => {
    const [slug = ""] = part.split("\n", 1);
    return [slug, `## ${part.trimEnd()}\n`];
  }));
}

/** A section that a run gives a promise. */
export function sectionOf(
  { slug, says, test }: KeptPromise,
  rows: readonly FigureRow[],
  { day, machine }: RunNote,
): string {
  return `## ${slug}

${says}

Kept by \`${test}\`; ${day}, ${machine}.

${table(rows)}
`;
}

/** The page: what stands before all sections, and those of the promises in their order. */
export function pageOf(
  promises: readonly KeptPromise[],
  sections: ReadonlyMap<string, string>,
): string {
  const parts = promises.flatMap(({ slug }) => sections.get(slug) ?? []);
  return [PREFACE, ...parts].join("\n");
}

/** What is wrong with a page and its promises; empty: all is well. */
export function pageFaults(
  promises: readonly KeptPromise[],
  { page, reports, tests }: {
    readonly page: string;
    /** Which file reports which promise. */
    readonly reports: readonly {
      readonly slug: string;
      readonly path: string;
    }[];
    /** The paths of all tests. */
    readonly tests: ReadonlySet<string>;
  },
): string[] {
  const sections = sectionsOf(page);
  const known = new Map(promises.map((one) => [one.slug, one]));
  const doubled = promises.length - known.size;
  return [
    ...doubled > 0 ? [`${doubled} slugs are given twice`] : [],
    ...reports.flatMap(({ slug, path }) => {
      const is = known.get(slug)?.test;
      if (is === path) return [];
      return [
        is === undefined
          ? `${path} reports "${slug}", which scripts/promises.ts has not`
          : `${path} reports "${slug}", which ${is} is to report`,
      ];
    }),
    ...[...sections.keys()].filter((slug) => !known.has(slug))
      .map((slug) => `the page has "${slug}", which is no promise`),
    ...promises.flatMap((one) => [
      ...tests.has(one.test) ? [] : [`${one.test} does not exist`],
      ...reports.some(({ slug }) => slug === one.slug)
        ? []
        : [`no test reports "${one.slug}"`],
      ...sectionFaults(one, sections.get(one.slug)),
    ]),
  ];
}

function sectionFaults(
  { slug, says, test }: KeptPromise,
  section: string | undefined,
): string[] {
  if (section === undefined) return [`the page has no figures of "${slug}"`];
  const text = plain(section);
  return [
    ...text.includes(plain(says)) ? [] : [`the page says "${slug}" otherwise`],
    ...text.includes(`\`${test}\``)
      ? []
      : [`the page names another test for "${slug}"`],
    // Beside the names of the columns and the line below them.
    ...section.split("\n").filter((line) => line.startsWith("|")).length > 2
      ? []
      : [`the page has no figures of "${slug}"`],
  ];
}

/** Without what the formatter of the page adds. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

function table(rows: readonly FigureRow[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => names.map((name) => cell(row[name])));
  return [names, names.map(() => "---"), ...cells]
    .map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function cell(value: number | string | undefined): string {
  if (typeof value !== "number") return (value ?? "").replaceAll("|", "\\|");
  return Number.isInteger(value)
    ? value.toLocaleString("en-US")
    : String(Math.round(value * 100) / 100);
}

const PREFACE = `# Reliability

What the store promises when things go wrong, the test that keeps each promise,
and what that test counted when it was run last. This page is written by
\`deno task reliability\`, which runs those tests; nothing in it is written by
hand. \`tests/reliability_test.ts\` fails for a promise without a test or figures.

What these tests do not prove:

- **A loss of power.** \`kill -9\` ends a process, not the machine: what the
  process wrote is in the system's cache and survives it. That an acknowledged
  commit is on the disk rests on SQLite, which syncs its log at each commit, and
  on a disk that does what it is told. No test here cuts the power.
- **Other machines.** They run on Linux, on a local disk, with the client of
  Deno KV that Deno has built in, and some with that of npm. A network file
  system is not for stores.
- **What was not tried.** Faults are put at every call, and kills at seeded
  moments; a moment that no seed meets is not tried. \`MNEM_TEST_SEED\` chooses
  others.

Waits are those of a machine that did other work too; that of a command counts
its start. \`retries\` are counted by the library on Deno alone.
`;
