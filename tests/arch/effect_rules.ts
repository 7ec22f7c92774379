/**
 * L4 and L6: the few places that reach out of the program.
 *
 * @module
 */

import { type Finding, isTest, type Project, shippedFiles } from "./project.ts";
import type { SourceFile } from "./source_file.ts";

/** Where a KV database is opened. */
const KV_OPENER = "core/storage/open_driver.ts";

/** What reads time, chance, the environment or the terminal; a member chain counts by how it begins. */
const EFFECTS = [
  "Date.now",
  "Date()",
  "new Date()",
  "performance.now",
  "performance.timeOrigin",
  "Temporal.Now",
  "Math.random",
  "crypto.getRandomValues",
  "crypto.randomUUID",
  "Deno.env",
  "process.env",
  "console",
];

/** L4: a KV database is opened in one file. */
export function oneOpener(project: Project): Finding[] {
  const others = shippedFiles(project).filter(({ path }) => path !== KV_OPENER);
  return others.flatMap((file) => {
    const uses = file.uses.filter(({ name }) => /(^|\.)openKv$/.test(name));
    return [...new Set(uses.map(({ line }) => line))].map((line) => ({
      rule: "L4",
      path: file.path,
      line,
      what: `uses openKv outside ${KV_OPENER}`,
    }));
  });
}

/** L6: time, chance, environment and console are arguments, but for the listed edges. */
export function effectsAtTheEdge(project: Project): Finding[] {
  return shippedFiles(project).flatMap((file) => [
    ...effectsOf(file),
    ...project.edgesOf(file).filter(({ to }) =>
      to.kind === "node" && to.name === "node:crypto"
    ).map(({ line }) => ({
      rule: "L6",
      path: file.path,
      line,
      what: "imports node:crypto",
    })),
  ]);
}

/** L6: a test that asks the system for a seed cannot be repeated. */
export function repeatableTests(project: Project): Finding[] {
  return [...project.files.values()].filter(({ path }) => isTest(path))
    .flatMap((file) =>
      effectsOf(file).filter(({ what }) => what === "uses Math.random")
    );
}

function effectsOf(file: SourceFile): Finding[] {
  const seen = new Set<string>();
  return file.uses.flatMap(({ name, line }) => {
    const effect = EFFECTS.find((one) =>
      name === one || name.startsWith(`${one}.`)
    );
    const once = `${effect} ${line}`;
    if (effect === undefined || seen.has(once)) return [];
    seen.add(once);
    return [{ rule: "L6", path: file.path, line, what: `uses ${effect}` }];
  });
}
