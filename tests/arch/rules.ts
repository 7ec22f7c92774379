/**
 * All rules of the architecture.
 *
 * @module
 */

import {
  effectsAtTheEdge,
  oneOpener,
  repeatableTests,
} from "./effect_rules.ts";
import {
  explicitExports,
  fileNames,
  moduleDocs,
  namedFiles,
  noMachinePaths,
  nothingUnfinished,
  oneCommitMaker,
  sizes,
} from "./house_rules.ts";
import {
  dependencies,
  layersBelow,
  lazyDependencies,
  packagesBelow,
  packagesByName,
} from "./layer_rules.ts";
import type { Finding, Project, Rule } from "./project.ts";
import { everyFileReached } from "./reach_rules.ts";
import { oldestRuntime } from "./runtime_rules.ts";
import {
  glossaryNames,
  listedExports,
  umbrellaComplete,
} from "./surface_rules.ts";
import {
  namedTasks,
  noJsrImports,
  onePinnedDeno,
  oneWorkspace,
} from "./workspace_rules.ts";

/** A sentence for the reader of a failure, and the rule that checks it. */
export const RULES: ReadonlyMap<string, Rule> = new Map([
  ["L1 packages import only packages below them", packagesBelow],
  ["L2 packages import each other by name", packagesByName],
  ["L3 layers of core import only layers below them", layersBelow],
  ["L4 a KV database is opened in one file", oneOpener],
  ["L5 dependencies are those of the design", dependencies],
  ["L5 the npm client of KV is loaded lazily", lazyDependencies],
  ["L5 what ships runs on Node 20", oldestRuntime],
  ["L6 effects stay at the edge", effectsAtTheEdge],
  ["L6 tests can be repeated", repeatableTests],
  ["L7 every file is reached", everyFileReached],
  ["L8 entries export what is listed", listedExports],
  ["L8 the root package leaves no name out", umbrellaComplete],
  ["L9 files and functions keep their size", sizes],
  ["glossary: exported names", glossaryNames],
  ["commit: one function makes every commit", oneCommitMaker],
  ["names: files are named after a noun", fileNames],
  ["exports: named one by one", explicitExports],
  ["docs: each file says what it is for", moduleDocs],
  ["docs: files that documents name are there", namedFiles],
  ["unfinished: nothing is", nothingUnfinished],
  ["paths: none of a machine", noMachinePaths],
  ["workspace: one version, no stray manifest", oneWorkspace],
  ["workspace: no jsr: import", noJsrImports],
  ["workspace: one pinned Deno", onePinnedDeno],
  ["workspace: tasks that are named are there", namedTasks],
]);

/** Everything that breaks any rule. */
export function checkProject(project: Project): Finding[] {
  return [...RULES.values()].flatMap((rule) => rule(project));
}

/** One line for a person. */
export function formatFinding({ rule, path, line, what }: Finding): string {
  return `${rule}: ${path}${line === 0 ? "" : `:${line}`} ${what}`;
}
