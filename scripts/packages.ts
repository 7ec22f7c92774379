/**
 * The packages of the workspace, read from the `deno.json` files.
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** One package that is published. */
export interface PublishedPackage {
  /** As in `import ... from`. */
  readonly name: string;
  /** From the root; "." for the root package. */
  readonly folder: string;
  /** The same for all packages. */
  readonly version: string;
  /** Specifier ("@mnem/mcp", "@mnem/mcp/server") to the entry's path from the root. */
  readonly entries: ReadonlyMap<string, string>;
}

/** Reads all packages under the current folder: the members in the order of `workspace`, the root last. */
export async function readPackages(): Promise<PublishedPackage[]> {
  const { workspace } = await parseConfig(".");
  const folders = [...workspace ?? [], "."];
  return await Promise.all(folders.map(async (folder) => {
    const { name, version, exports } = await parseConfig(folder);
    const listed = typeof exports === "string" ? { ".": exports } : exports;
    const entries = Object.entries(listed).map(([subpath, file]) =>
      [name + subpath.slice(1), join(folder, file)] as const
    );
    return { name, folder: join(folder), version, entries: new Map(entries) };
  }));
}

interface Config {
  readonly name: string;
  readonly version: string;
  readonly exports: string | { readonly [subpath: string]: string };
  readonly workspace?: readonly string[];
}

async function parseConfig(folder: string): Promise<Config> {
  return JSON.parse(await readFile(join(folder, "deno.json"), "utf8"));
}
