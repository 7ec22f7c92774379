/**
 * L9 and the rules of the house that a program can check.
 *
 * @module
 */

import { type Finding, isTest, type Project, shippedFiles } from "./project.ts";
import type { SourceFile } from "./source_file.ts";

/** A file longer than this has more than one reason to change. */
const FILE_LINES_MAX = 350;
/** A function longer than this does more than one thing. */
const FUNCTION_LINES_MAX = 60;
/** What only the one function calls in which a commit comes to be. */
const COMMIT_ENCODERS = ["encodeCommit", "encodeCommitRow"];

/** L9: limits of files and functions; tests are free of them. */
export function sizes(project: Project): Finding[] {
  return filesOf(project).filter(({ path }) => !isTest(path)).flatMap(
    (file) => {
      const lines = file.text.split("\n").length - 1;
      const long = file.functions.filter((one) =>
        one.lines > FUNCTION_LINES_MAX
      ).map(({ name, line, lines }) =>
        finding("L9", file, line, `${name} has ${lines} lines`)
      );
      return lines > FILE_LINES_MAX
        ? [finding("L9", file, 0, `has ${lines} lines`), ...long]
        : long;
    },
  );
}

/** File names say what is inside: snake case, a noun, no drawer for the rest. */
export function fileNames(project: Project): Finding[] {
  return filesOf(project).flatMap((file) => {
    const name = file.path.split("/").at(-1) ?? "";
    if (!/^[a-z0-9]+(_[a-z0-9]+)*\.ts$/.test(name)) {
      return [finding("names", file, 0, "is not named in snake case")];
    }
    return /(^|_)(utils?|helpers?|common|types|misc)(_|\.)/.test(name)
      ? [finding("names", file, 0, "is named after no noun of its own")]
      : [];
  });
}

/** Entries list names: no `export *`, no default exports; and every file is TypeScript. */
export function explicitExports(project: Project): Finding[] {
  return filesOf(project).flatMap((file) => [
    ...(file.broken === undefined
      ? []
      : [finding("exports", file, 0, `cannot be read: ${file.broken}`)]),
    ...file.starExports.map((line) =>
      finding("exports", file, line, "has an export *")
    ),
    ...file.exports.filter(({ name }) => name === "default").map(({ line }) =>
      finding("exports", file, line, "has a default export")
    ),
  ]);
}

/** Each file that ships says in a few words what it is for. */
export function moduleDocs(project: Project): Finding[] {
  return shippedFiles(project).filter((file) =>
    !/^(#!.*\n)?\/\*\*(?:(?!\*\/)[\s\S])*@module/.test(file.text)
  ).map((file) =>
    finding("docs", file, 0, "does not begin with a @module doc")
  );
}

/** A file that a document names is there. */
export function namedFiles(project: Project): Finding[] {
  const named =
    /`((?:core|agents|mcp|langgraph|cli|tests|scripts|examples)\/[\w/]+\.ts)`/g;
  return [...project.texts].filter(([path]) => path.endsWith(".md")).flatMap(
    ([path, text]) =>
      [...text.matchAll(named)].filter((match) =>
        !project.files.has(match[1] ?? "")
      ).map((match) => ({
        rule: "docs",
        path,
        line: text.slice(0, match.index).split("\n").length,
        what: `names ${match[1]}, which is not there`,
      })),
  );
}

/** Nothing unfinished, nothing switched off, no rule silenced without a reason. */
export function nothingUnfinished(project: Project): Finding[] {
  return filesOf(project).flatMap((file) => [
    ...matches("unfinished", file.path, file.text, [
      [/\b(?:TO[D]O|FIX[M]E|XX[X]|HAC[K])\b/g, "has an open end"],
      [/\.onl[y]\(|\bonl[y]: true/g, "runs one test alone"],
      [/\bignor[e]: true/g, "switches a test off without a condition"],
      [
        /deno-lint-ignor[e](?:-file)?(?:[ ,]+[a-z][a-z-]*)*[ \t]*$/gm,
        "silences the linter without a reason",
      ],
      [
        /@ts-(?:ignor[e]|nochec[k]|expect-erro[r])[ \t]*$/gm,
        "silences the types without a reason",
      ],
    ]),
  ]);
}

/** Nothing that is kept names a folder of one person's machine. */
export function noMachinePaths(project: Project): Finding[] {
  const texts = new Map(project.texts);
  for (const file of filesOf(project)) texts.set(file.path, file.text);
  texts.delete("deno.lock");
  return [...texts].flatMap(([path, text]) =>
    matches("paths", path, text, [
      [/(?<![\w.~-])\/(?:work|root)\/[\w.]/g, "names a folder of one machine"],
      // A test may make up a person, to see that their path is not shown.
      ...(isTest(path) ? [] : [
        [
          /(?<![\w.~-])\/(?:home|Users)\/[\w.]/g,
          "names a folder of one person",
        ] as const,
      ]),
    ])
  );
}

/** One function makes every commit: in the store, one file encodes commits. */
export function oneCommitMaker(project: Project): Finding[] {
  const makers = shippedFiles(project).filter((file) =>
    file.path.startsWith("core/store/") &&
    file.calls.some(({ name }) => COMMIT_ENCODERS.includes(name))
  );
  if (makers.length === 1) return [];
  if (makers.length === 0) {
    const what = "has no file that encodes commits";
    return [{ rule: "commit", path: "core/store", line: 0, what }];
  }
  return makers.map((file) =>
    finding("commit", file, 0, "encodes commits, and so do others")
  );
}

function matches(
  rule: string,
  path: string,
  text: string,
  patterns: readonly (readonly [RegExp, string])[],
): Finding[] {
  return patterns.flatMap(([pattern, what]) =>
    [...text.matchAll(pattern)].map((match) => ({
      rule,
      path,
      line: text.slice(0, match.index).split("\n").length,
      what: `${what}: ${match[0]}`,
    }))
  );
}

function filesOf(project: Project): SourceFile[] {
  return [...project.files.values()];
}

function finding(
  rule: string,
  file: SourceFile,
  line: number,
  what: string,
): Finding {
  return { rule, path: file.path, line, what };
}
