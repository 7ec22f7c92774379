/**
 * The workspace as the rules see it: every TypeScript file on disk, not only those that an entry
 * reaches, the packages with their entries, and what each import resolves to.
 *
 * @module
 */

import { readdir, readFile } from "node:fs/promises";
import * as path from "node:path/posix";
import { type Import, parseSource, type SourceFile } from "./source_file.ts";

/** A member of the workspace, or the root itself. */
export interface Package {
  /** As in `import ... from`. */
  readonly name: string;
  /** Its folder from the root; "." for the root package. */
  readonly folder: string;
  /** Subpath (".", "./server") to the file from the root. */
  readonly entries: ReadonlyMap<string, string>;
  /** Its `deno.json`. */
  readonly config: { readonly [key: string]: unknown };
}

/** Where an import leads. */
export type Target =
  | { readonly kind: "file"; readonly path: string; readonly named: boolean }
  | { readonly kind: "npm" | "node" | "remote"; readonly name: string }
  | { readonly kind: "unknown"; readonly name: string };

/** An import with where it leads. */
export interface Edge extends Import {
  /** What is imported. */
  readonly to: Target;
}

/** Everything that a rule may look at. */
export interface Project {
  /** Every TypeScript file, by path. */
  readonly files: ReadonlyMap<string, SourceFile>;
  /** Other text that is kept: documents, settings, scripts; by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** The root package first. */
  readonly packages: readonly Package[];
  /** The imports of a file. */
  edgesOf(file: SourceFile): readonly Edge[];
}

/** One break of a rule. */
export interface Finding {
  /** L1 to L9, or the name of a rule of the house. */
  readonly rule: string;
  /** From the root. */
  readonly path: string;
  /** Counted from 1; 0 for the file as a whole. */
  readonly line: number;
  /** What is wrong. */
  readonly what: string;
}

/** A rule: everything that breaks it. */
export type Rule = (project: Project) => Finding[];

/** Not ours to judge: made by programs, or what another implementation wrote. */
const FOLDERS_SKIPPED =
  /(^|\/)(\.git|node_modules)$|^(npm|coverage|tests\/data)$/;
const TEXT_FILE = /\.(md|json|jsonc|sh|yml|yaml)$|(^|\/)\.ci\/run$/;

/** Reads the workspace under a folder. */
export async function readProject(root: string): Promise<Project> {
  const files = new Map<string, SourceFile>();
  const texts = new Map<string, string>();
  for (const name of await namesUnder(root, "")) {
    const text = await readFile(path.join(root, name), "utf8");
    if (name.endsWith(".ts")) files.set(name, parseSource(name, text));
    else texts.set(name, text);
  }
  const packages = packagesOf(texts);
  return {
    files,
    texts,
    packages,
    edgesOf: (file) =>
      file.imports.map((one) => ({
        ...one,
        to: resolve(packages, file.path, one.specifier),
      })),
  };
}

/** The package that ships a file, or undefined for tests, examples and scripts. */
export function packageOf(project: Project, file: string): Package | undefined {
  const [folder, rest] = file.split("/");
  if (rest === undefined) return project.packages[0];
  return project.packages.find((one) => one.folder === folder);
}

/** Tells whether a file is only run by tests, by its name. */
export function isTest(file: string): boolean {
  return /_(test|deep)\.ts$/.test(file);
}

/** Files that users get: those of a package, without its tests. */
export function shippedFiles(project: Project): SourceFile[] {
  return [...project.files.values()].filter((file) =>
    packageOf(project, file.path) !== undefined && !isTest(file.path)
  );
}

async function namesUnder(root: string, folder: string): Promise<string[]> {
  const names: string[] = [];
  const entries = await readdir(path.join(root, folder), {
    withFileTypes: true,
  });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!FOLDERS_SKIPPED.test(name)) {
        names.push(...await namesUnder(root, name));
      }
    } else if (name.endsWith(".ts") || TEXT_FILE.test(name)) {
      names.push(name);
    }
  }
  return names;
}

function packagesOf(texts: ReadonlyMap<string, string>): Package[] {
  const root = parseConfig(texts, "deno.json");
  const members = Array.isArray(root["workspace"]) ? root["workspace"] : [];
  const folders = members.map((one) => path.normalize(String(one)));
  return [".", ...folders].map((folder) => {
    const config = parseConfig(texts, path.join(folder, "deno.json"));
    return {
      name: String(config["name"]),
      folder,
      entries: entriesOf(folder, config["exports"]),
      config,
    };
  });
}

function parseConfig(
  texts: ReadonlyMap<string, string>,
  name: string,
): { readonly [key: string]: unknown } {
  return JSON.parse(texts.get(name) ?? "{}");
}

function entriesOf(folder: string, exports: unknown): Map<string, string> {
  const listed = typeof exports === "string" ? { ".": exports } : exports ?? {};
  return new Map(
    Object.entries(listed).map((
      [subpath, file],
    ) => [subpath, path.join(folder, String(file))]),
  );
}

function resolve(
  packages: readonly Package[],
  from: string,
  specifier: string | undefined,
): Target {
  if (specifier === undefined) return { kind: "unknown", name: "(computed)" };
  if (/^\.{1,2}\//.test(specifier)) {
    const file = path.join(path.dirname(from), specifier);
    return { kind: "file", path: file, named: false };
  }
  if (specifier.startsWith("node:")) return { kind: "node", name: specifier };
  if (specifier.startsWith("npm:")) {
    return { kind: "npm", name: npmName(specifier.slice("npm:".length)) };
  }
  if (/^[a-z]+:/.test(specifier)) return { kind: "remote", name: specifier };
  for (const one of packages) {
    if (specifier !== one.name && !specifier.startsWith(`${one.name}/`)) {
      continue;
    }
    const entry = one.entries.get(`.${specifier.slice(one.name.length)}`);
    return entry === undefined
      ? { kind: "unknown", name: specifier }
      : { kind: "file", path: entry, named: true };
  }
  return { kind: "npm", name: npmName(specifier) };
}

/** `@scope/name@^1.2.0/sub/path` is `@scope/name`. */
function npmName(specifier: string): string {
  return /^(@[^/]+\/)?[^/@]+/.exec(specifier)?.[0] ?? specifier;
}
