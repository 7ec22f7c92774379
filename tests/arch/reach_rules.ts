/**
 * L7: nothing lies around. What ships is reached from an entry, what tests need from a test.
 *
 * @module
 */

import * as path from "node:path/posix";
import {
  type Finding,
  isTest,
  packageOf,
  type Project,
  shippedFiles,
} from "./project.ts";

/** L7: every file is reachable from an entry, or is a test, bench, script or example. */
export function everyFileReached(project: Project): Finding[] {
  const shipped = reachedFrom(
    project,
    project.packages.flatMap((one) => [...one.entries.values()]),
  );
  const run = reachedFrom(
    project,
    [...project.files.keys()].filter((file) => isRun(project, file)),
  );
  const lost = shippedFiles(project).filter(({ path }) => !shipped.has(path));
  const idle = [...project.files.values()].filter((file) =>
    packageOf(project, file.path) === undefined && !run.has(file.path)
  );
  return [
    ...lost.map((file) => finding(file.path, "is reached from no entry")),
    ...idle.map((file) =>
      finding(
        file.path,
        "is no test, bench, script or example, nor used by one",
      )
    ),
    ...deadLinks(project),
  ];
}

/** What a person or a task starts. */
function isRun(project: Project, file: string): boolean {
  if (isTest(file) || /^(scripts|examples)\//.test(file)) return true;
  const tasks = project.packages.map((one) => one.config["tasks"] ?? {});
  return JSON.stringify(tasks).includes(file);
}

function reachedFrom(project: Project, roots: readonly string[]): Set<string> {
  const reached = new Set<string>();
  const waiting = [...roots];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const file = project.files.get(name);
    if (file === undefined || reached.has(name)) continue;
    reached.add(name);
    for (const { to } of project.edgesOf(file)) {
      if (to.kind === "file") waiting.push(to.path);
    }
    for (const mention of file.fileNames) {
      waiting.push(path.join(path.dirname(name), mention), mention);
    }
  }
  return reached;
}

function deadLinks(project: Project): Finding[] {
  return [...project.files.values()].flatMap((file) =>
    project.edgesOf(file).flatMap(({ to, line }) =>
      to.kind === "file" && to.path.endsWith(".ts") &&
        !project.files.has(to.path)
        ? [{
          ...finding(file.path, `imports ${to.path}, which is not there`),
          line,
        }]
        : []
    )
  );
}

function finding(path: string, what: string): Finding {
  return { rule: "L7", path, line: 0, what };
}
