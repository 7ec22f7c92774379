/**
 * L8 and the glossary: which names the packages show.
 *
 * @module
 */

import { type Finding, type Project, shippedFiles } from "./project.ts";

const LIST = "tests/arch/exports.json";

/** Words that the glossary avoids, and what it says instead. */
const AVOIDED: { readonly [word: string]: string } = {
  memory: "node, for one remembered thing",
  memories: "nodes",
  entity: "node",
  record: "node, or row",
  key: "node id",
  checkpoint: "commit",
  hash: "object id",
  snapshot: "state, but for the type Snapshot",
  fsck: "verify",
};

/** L8: the names of each entry are those listed. */
export function listedExports(project: Project): Finding[] {
  const listed: { readonly [name: string]: readonly string[] } = JSON.parse(
    project.texts.get(LIST) ?? "{}",
  );
  const entries = new Map(
    project.packages.flatMap((one) =>
      [...one.entries].map(([subpath, file]) =>
        [one.name + subpath.slice(1), file] as const
      )
    ),
  );
  const gone = Object.keys(listed).filter((name) => !entries.has(name));
  return [
    ...gone.map((name) => finding(LIST, `lists ${name}, which is no entry`)),
    ...[...entries].flatMap(([name, file]) => {
      const shown = project.files.get(file)?.exports.map((one) => one.name);
      const wanted = new Set(listed[name] ?? []);
      const extra = (shown ?? []).filter((one) => !wanted.has(one));
      const missing = [...wanted].filter((one) => !shown?.includes(one));
      return [
        ...extra.map((one) => finding(file, `exports ${one}, not in ${LIST}`)),
        ...missing.map((one) => finding(file, `does not export ${one}`)),
      ];
    }),
  ];
}

/** L8: the root package shows every name of the packages that it gathers. */
export function umbrellaComplete(project: Project): Finding[] {
  const root = project.files.get(project.packages[0]?.entries.get(".") ?? "");
  if (root === undefined) return [];
  const shown = new Set(root.exports.map((one) => one.name));
  return project.edgesOf(root).flatMap(({ to }) => {
    const below = to.kind === "file" ? project.files.get(to.path) : undefined;
    const missing = (below?.exports ?? []).filter(({ name }) =>
      !shown.has(name)
    );
    return missing.map(({ name }) =>
      finding(root.path, `leaves out ${name} of ${below?.path}`)
    );
  });
}

/** Exported names, inside the packages too, keep to the words of the glossary. */
export function glossaryNames(project: Project): Finding[] {
  return shippedFiles(project).flatMap((file) =>
    file.exports.flatMap(({ name, line }) =>
      wordsOf(name).filter((word) => word in AVOIDED).map((word) => ({
        rule: "glossary",
        path: file.path,
        line,
        what: `exports ${name}: for "${word}" say ${AVOIDED[word]}`,
      }))
    )
  );
}

/** `readCommitRow` and `READ_COMMIT_ROW` are read, commit, row. */
function wordsOf(name: string): string[] {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase().split("_");
}

function finding(path: string, what: string): Finding {
  return { rule: "L8", path, line: 0, what };
}
