/**
 * What a package.json has to say beside what `deno pack` writes into it.
 *
 * @module
 */

/** A package.json as `deno pack` writes it. */
export interface PackedManifest {
  /** Name of the package. */
  readonly name: string;
  /** Its version. */
  readonly version: string;
  /** Subpath to the files that it stands for, by condition. */
  readonly exports: {
    readonly [subpath: string]: { readonly [condition: string]: string };
  };
  /** Packages from npm, by name, with the range that is asked for. */
  readonly dependencies?: { readonly [name: string]: string };
}

/** What else is known of the package. */
export interface PackageFacts {
  /** Names of the packages that its modules import. */
  readonly imports: ReadonlySet<string>;
  /** The version of each package of the workspace, by name. */
  readonly siblings: ReadonlyMap<string, string>;
  /** Its folder from the root; "." for the root package. */
  readonly folder: string;
  /** A sentence on what it is. */
  readonly description?: string | undefined;
  /** Where its source is on GitHub: "owner/name". */
  readonly repository?: string | undefined;
}

/** The command that a package installs. */
const COMMANDS: { readonly [name: string]: string } = {
  "@mnem/mcp": "mnem-mcp",
  "@mnem/cli": "mnem",
};

/** What a host has already, and must not have twice: its classes are extended. */
const PEERS: ReadonlySet<string> = new Set(["@langchain/langgraph-checkpoint"]);

const KEYWORDS: readonly string[] = [
  "agent",
  "memory",
  "version-control",
  "provenance",
  "blame",
  "mcp",
  "langgraph",
  "deno-kv",
];

/** The file that runs a package as a program. */
export const BIN_FILE = "bin.js";

/** The text of {@linkcode BIN_FILE}; undefined for a package that is no program. */
export function binText(name: string): string | undefined {
  if (COMMANDS[name] === undefined) return undefined;
  return `#!/usr/bin/env node
import process from "node:process";
import { main } from "./mod.js";
const status = await main(process.argv.slice(2), import.meta.url);
process.stdout.write("", () => process.exit(status));
`;
}

/** Returns the whole package.json. Throws where a module imports what nothing asks for. */
export function finishManifest(
  packed: PackedManifest,
  facts: PackageFacts,
): { readonly [field: string]: unknown } {
  const { name, dependencies: _all, exports, ...rest } = packed;
  const { description, folder, repository } = facts;
  const ranges = [...facts.imports].sort().map((one) =>
    [one, rangeOf(one, packed, facts)] as const
  );
  const dependencies = ranges.filter(([one]) => !PEERS.has(one));
  const peers = ranges.filter(([one]) => PEERS.has(one));
  const command = COMMANDS[name];
  return {
    name,
    ...rest,
    ...present("description", description),
    keywords: KEYWORDS,
    ...present("repository", repository && repositoryOf(repository, folder)),
    engines: { node: ">=20" },
    sideEffects: false,
    exports: { ...exports, "./package.json": "./package.json" },
    ...present("bin", command && { [command]: `./${BIN_FILE}` }),
    ...present("dependencies", objectOf(dependencies)),
    ...present("peerDependencies", objectOf(peers)),
  };
}

/** The sentence with which a README begins, without its markup; undefined where it begins otherwise. */
export function firstSentence(readme: string): string | undefined {
  const [, paragraph] = /^# .+\n\n((?:[^\n#`].*\n)+)/.exec(readme) ?? [];
  return paragraph?.trim().replaceAll(/\s+/g, " ")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[*`]/g, "");
}

function rangeOf(
  name: string,
  packed: PackedManifest,
  { siblings }: PackageFacts,
): string {
  const sibling = siblings.get(name);
  const range = sibling === undefined
    ? packed.dependencies?.[name]
    : `^${sibling}`;
  if (range === undefined) {
    throw new Error(
      `${packed.name} imports ${name}, which it does not ask for`,
    );
  }
  return range;
}

function repositoryOf(repository: string, folder: string): object {
  return {
    type: "git",
    url: `git+https://github.com/${repository}.git`,
    ...(folder === "." ? {} : { directory: folder }),
  };
}

function objectOf(
  pairs: readonly (readonly [string, string])[],
): object | undefined {
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}

/** The field, unless its value says nothing. */
function present(
  field: string,
  value: unknown,
): { readonly [field: string]: unknown } {
  return value === undefined || value === "" ? {} : { [field]: value };
}
