/**
 * What the settings of the packages have in common.
 *
 * @module
 */

import {
  type Finding,
  type Package,
  packageOf,
  type Project,
} from "./project.ts";

/** Fields in which every package agrees with the root: they are released together. */
const SHARED_FIELDS = ["version", "license"];

/** The workspace is one: same version and license, every package a member, no tests published. */
export function oneWorkspace(project: Project): Finding[] {
  const [root, ...members] = project.packages;
  return [
    ...strayFiles(project),
    ...members.flatMap((member) => [
      ...SHARED_FIELDS.filter((field) =>
        member.config[field] !== root?.config[field]
      ).map((field) => finding(member, `has another ${field} than the root`)),
      ...publishesTests(member) ? [finding(member, "publishes its tests")] : [],
    ]),
  ];
}

/** No `jsr:` import: it becomes `@jsr/...` in the npm build, which `npm install` cannot find. */
export function noJsrImports(project: Project): Finding[] {
  return project.packages.filter((one) =>
    JSON.stringify(one.config["imports"] ?? {}).includes('"jsr:')
  ).map((one) => finding(one, "imports from jsr:"));
}

/** The version of Deno is the same wherever a line can be copied from. */
export function onePinnedDeno(project: Project): Finding[] {
  const pins = [...project.texts].flatMap(([path, text]) =>
    [...text.matchAll(/\bdeno@(\d+\.\d+\.\d+)/g)].map((match) => ({
      path,
      version: match[1] ?? "",
    }))
  );
  const pinned = pins.find(({ path }) => path === ".ci/run")?.version;
  return pins.filter(({ version }) => version !== pinned).map((
    { path, version },
  ) => ({
    rule: "workspace",
    path,
    line: 0,
    what: `names deno@${version}, .ci/run ${pinned}`,
  }));
}

/** A task that a document or a workflow names is there. */
export function namedTasks(project: Project): Finding[] {
  const tasks = Object.keys(project.packages[0]?.config["tasks"] ?? {});
  return [...project.texts].flatMap(([path, text]) =>
    [...text.matchAll(/\bdeno(?:@[\d.]+)? task ([a-z][\w:]*)/g)]
      .filter((match) => !tasks.includes(match[1] ?? ""))
      .map((match) => ({
        rule: "workspace",
        path,
        line: text.slice(0, match.index).split("\n").length,
        what: `names the task ${match[1]}, which is not there`,
      }))
  );
}

function strayFiles(project: Project): Finding[] {
  return [...project.texts.keys()].flatMap((path) => {
    if (/(^|\/)package\.json$/.test(path)) {
      return [stray(path, "turns Deno to a node_modules folder")];
    }
    if (path.endsWith("/deno.json") && packageOf(project, path) === undefined) {
      return [stray(path, "is of no member of the workspace")];
    }
    return [];
  });
}

function publishesTests(member: Package): boolean {
  return !JSON.stringify(member.config["publish"] ?? {}).includes(
    '"**/*_test.ts"',
  );
}

function finding(member: Package, what: string): Finding {
  const path = member.folder === "."
    ? "deno.json"
    : `${member.folder}/deno.json`;
  return stray(path, what);
}

function stray(path: string, what: string): Finding {
  return { rule: "workspace", path, line: 0, what };
}
