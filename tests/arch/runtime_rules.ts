/**
 * L5: what ships runs on every runtime that it is for, the oldest of which is Node 20.
 *
 * @module
 */

import { type Finding, type Project, shippedFiles } from "./project.ts";

/** Syntax and built-ins that came after it; a deep test finds the methods, which need types to be told apart. */
const NEWER: readonly string[] = [
  "using",
  "Array.fromAsync",
  "Error.isError",
  "Iterator.from",
  "Map.groupBy",
  "Math.sumPrecise",
  "Object.groupBy",
  "Promise.try",
  "Promise.withResolvers",
  "RegExp.escape",
  "Temporal",
];

/** L5: nothing is used that the oldest runtime does not have. */
export function oldestRuntime(project: Project): Finding[] {
  return shippedFiles(project).flatMap((file) =>
    file.uses.filter(({ name }) => NEWER.includes(name)).map((
      { name, line },
    ) => ({
      rule: "L5",
      path: file.path,
      line,
      what: `uses ${name}, which Node 20 does not have`,
    }))
  );
}
