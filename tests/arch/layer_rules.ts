/**
 * L1 to L3 and L5: who may import whom.
 *
 * ```text
 * mcp   langgraph   cli        skins: never import each other
 *        agents                verbs
 *     core/mod.ts              the only door into core
 *        bundle
 *         store
 *    history  storage          siblings: neither sees the other
 *         state
 *        object
 *   errors limits clock chance ground
 * ```
 *
 * @module
 */

import {
  type Edge,
  type Finding,
  packageOf,
  type Project,
  shippedFiles,
} from "./project.ts";
import type { SourceFile } from "./source_file.ts";

/** A package by its folder, and the packages below it. */
const PACKAGES_BELOW: { readonly [folder: string]: readonly string[] } = {
  core: [],
  agents: ["core"],
  mcp: ["agents", "core"],
  langgraph: ["agents", "core"],
  cli: ["agents", "core"],
  ".": ["agents", "core"],
};

/** The one skin that may start another, and only when it is asked to: `mnem serve`. */
const PACKAGES_LAZY: { readonly [folder: string]: readonly string[] } = {
  cli: ["mcp"],
};

/** A layer of core, and the layers below it. */
const LAYERS_BELOW: { readonly [layer: string]: readonly string[] } = {
  ground: [],
  object: ["ground"],
  state: ["ground", "object"],
  history: ["ground", "object", "state"],
  storage: ["ground", "object", "state"],
  store: ["ground", "object", "state", "history", "storage"],
  bundle: ["ground", "object", "state", "history", "storage", "store"],
};

/** Layers that are pure: they know of no runtime. */
const PURE_LAYERS = new Set(["ground", "object", "state", "history"]);

/** npm packages that a package may ship with. Another one needs an ADR. */
const DEPENDENCIES: { readonly [folder: string]: readonly string[] } = {
  core: [],
  agents: [],
  mcp: ["@modelcontextprotocol/server", "zod"],
  langgraph: ["@langchain/langgraph-checkpoint"],
  cli: ["commander", "citty", "cli-table3"],
  ".": [],
};

/** L1: a package imports only packages below it, and nothing that does not ship. */
export function packagesBelow(project: Project): Finding[] {
  return findings(project, "L1", (file, edge) => {
    if (edge.to.kind !== "file") return undefined;
    const upper = packageOf(project, file.path)?.folder ?? "";
    const lower = packageOf(project, edge.to.path)?.folder;
    if (lower === upper) return undefined;
    if (lower === undefined) {
      return `imports ${edge.to.path}, which does not ship`;
    }
    if (PACKAGES_BELOW[upper]?.includes(lower)) return undefined;
    if (edge.dynamic && PACKAGES_LAZY[upper]?.includes(lower)) return undefined;
    return `imports ${lower}, which is not below ${upper}`;
  });
}

/** L2: across packages only by package name. Examples too: they show what users write. */
export function packagesByName(project: Project): Finding[] {
  const examples = [...project.files.values()].filter((file) =>
    file.path.startsWith("examples/")
  );
  const check: Check = (file, edge) => {
    if (edge.to.kind === "unknown") {
      return `imports ${edge.to.name}, which is no entry of a package`;
    }
    if (edge.to.kind !== "file") return undefined;
    const from = packageOf(project, file.path);
    const to = packageOf(project, edge.to.path);
    if (edge.to.named && from === to) return `imports its own package by name`;
    if (edge.to.named || from === to) return undefined;
    if (to === undefined) return undefined;
    return `reaches into ${to.folder} by path: ${edge.specifier}`;
  };
  return [
    ...findings(project, "L2", check),
    ...findings(project, "L2", check, examples),
  ];
}

/** L3: inside core only downwards; history and storage never meet; nobody imports the entry. */
export function layersBelow(project: Project): Finding[] {
  const core = shippedFiles(project).filter((file) =>
    file.path.startsWith("core/") && layerOf(file.path) !== "entry"
  );
  const lost = core.filter((file) => !(layerOf(file.path) in LAYERS_BELOW));
  return [
    ...lost.map(({ path }) => ({
      rule: "L3",
      path,
      line: 0,
      what: `is in no layer: "${layerOf(path)}" is not known`,
    })),
    ...findings(project, "L3", (file, edge) => {
      if (edge.to.kind !== "file" || !edge.to.path.startsWith("core/")) {
        return undefined;
      }
      const upper = layerOf(file.path);
      const lower = layerOf(edge.to.path);
      if (upper === lower) return undefined;
      if (LAYERS_BELOW[upper]?.includes(lower)) return undefined;
      const kind = edge.typeOnly ? "type" : "value";
      return `${upper} imports ${lower}: ${edge.to.path} (${kind})`;
    }, core),
  ];
}

/** L5: core imports nothing from npm, and its pure layers know of no runtime; nothing imports from a network. */
export function dependencies(project: Project): Finding[] {
  const imports = findings(project, "L5", (file, { to }) => {
    if (to.kind === "remote") return `imports ${to.name} from a network`;
    if (to.kind === "node" && isPure(file)) {
      return `imports ${to.name} in a pure layer`;
    }
    if (to.kind !== "npm") return undefined;
    const allowed = DEPENDENCIES[packageOf(project, file.path)?.folder ?? ""];
    return allowed?.includes(to.name) ? undefined : `imports npm ${to.name}`;
  });
  const uses = shippedFiles(project).filter(isPure).flatMap((file) =>
    file.uses.filter((one) => /^(Deno|process|Buffer)$/.test(one.name))
      .map(({ name, line }) => ({
        rule: "L5",
        path: file.path,
        line,
        what: `uses ${name} in a pure layer`,
      }))
  );
  const everywhere = [...project.files.values()].flatMap((file) =>
    project.edgesOf(file).filter(({ to }) =>
      to.kind === "remote" && packageOf(project, file.path) === undefined
    ).map(({ specifier, line }) => ({
      rule: "L5",
      path: file.path,
      line,
      what: `imports ${specifier} from a network`,
    }))
  );
  return [...imports, ...uses, ...everywhere];
}

/** L5: the npm client of KV is loaded only where and when there is no native one. */
export function lazyDependencies(project: Project): Finding[] {
  return findings(project, "L5", (_file, edge) => {
    if (edge.to.kind !== "npm" || edge.to.name !== "@deno/kv") return undefined;
    if (edge.dynamic || edge.typeOnly) return undefined;
    return `imports npm @deno/kv at once instead of lazily`;
  });
}

type Check = (file: SourceFile, edge: Edge) => string | undefined;

function findings(
  project: Project,
  rule: string,
  check: Check,
  files: readonly SourceFile[] = shippedFiles(project),
): Finding[] {
  return files.flatMap((file) =>
    project.edgesOf(file).flatMap((edge) => {
      const what = check(file, edge);
      return what === undefined
        ? []
        : [{ rule, path: file.path, line: edge.line, what }];
    })
  );
}

function isPure(file: SourceFile): boolean {
  return file.path.startsWith("core/") && PURE_LAYERS.has(layerOf(file.path));
}

/** `core/object/json.ts` is of "object"; a file directly in core is of the ground, but for the entry. */
function layerOf(path: string): string {
  const [, folder = "", file] = path.split("/");
  if (file !== undefined) return folder;
  return folder === "mod.ts" ? "entry" : "ground";
}
