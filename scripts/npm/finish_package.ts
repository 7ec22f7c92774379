/**
 * Turns what `deno pack` made of a package into what npm and its users need.
 *
 * @module
 */

import { bundleModules } from "./bundle_modules.ts";
import { compactModules } from "./compact_modules.ts";
import { followImports } from "./module_graph.ts";
import {
  BIN_FILE,
  binText,
  finishManifest,
  firstSentence,
  type PackageFacts,
  type PackedManifest,
} from "./manifest.ts";
import type { TarFile } from "./tar.ts";

/** What is known of a package beside its tarball. */
export interface FinishOptions extends Omit<PackageFacts, "imports"> {
  /** The text of its license. */
  readonly license: string;
}

/** Every file of a package lies in this folder of its tarball. */
const ROOT = "package/";

/**
 * Returns the files of the finished package: its entries, each one compact module with all that it needs;
 * the types that they reach, with their comments; README, license and package.json; a program if it is
 * one.
 */
export async function finishPackage(
  packed: readonly TarFile[],
  { license, ...facts }: FinishOptions,
): Promise<TarFile[]> {
  const texts = textsOf(packed);
  const manifest = manifestOf(texts);
  const bin = binText(manifest.name);
  const modules = new Map([
    ...await compactModules(await bundlePacked(packed, facts.siblings.keys())),
    ...ending(texts, ".d.ts"),
  ]);
  const reached = followImports(entriesOf(manifest), modules);
  const readme = texts.get("README.md");
  const whole = finishManifest(manifest, {
    ...facts,
    description: facts.description ?? firstSentence(readme ?? ""),
    imports: reached.packages,
  });
  return [
    ...[...reached.modules].map((path) => file(path, modules.get(path) ?? "")),
    ...(readme === undefined ? [] : [file("README.md", readme)]),
    file("LICENSE", license),
    file("package.json", `${JSON.stringify(whole, null, 2)}\n`),
    ...(bin === undefined
      ? []
      : [{ ...file(BIN_FILE, bin), executable: true }]),
  ];
}

/** The code of a package in few modules; its siblings and what comes from npm stay imports. */
export async function bundlePacked(
  packed: readonly TarFile[],
  siblings: Iterable<string>,
): Promise<Map<string, string>> {
  const texts = textsOf(packed);
  const manifest = manifestOf(texts);
  return await bundleModules(ending(texts, ".js"), {
    entries: entriesOf(manifest).filter((path) => path.endsWith(".js")),
    external: [...Object.keys(manifest.dependencies ?? {}), ...siblings],
  });
}

function textsOf(packed: readonly TarFile[]): Map<string, string> {
  return new Map(packed.map(({ path, bytes }) => [
    path.slice(ROOT.length),
    new TextDecoder().decode(bytes),
  ]));
}

function manifestOf(texts: ReadonlyMap<string, string>): PackedManifest {
  return parseManifest(texts.get("package.json") ?? "");
}

/** The files that users import, code and types, each once. */
function entriesOf({ exports }: PackedManifest): string[] {
  const paths = Object.values(exports).flatMap(Object.values);
  return [...new Set(paths)].map((path) => path.slice("./".length));
}

function ending(
  texts: ReadonlyMap<string, string>,
  end: string,
): Map<string, string> {
  return new Map([...texts].filter(([path]) => path.endsWith(end)));
}

function file(path: string, text: string): TarFile {
  return { path: ROOT + path, bytes: new TextEncoder().encode(text) };
}

function parseManifest(text: string): PackedManifest {
  return JSON.parse(text);
}
