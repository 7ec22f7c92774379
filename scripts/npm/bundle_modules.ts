/**
 * Puts the modules of a package together: one for each entry, and one for whatever several of them or a
 * lazy import share. Loading a hundred small files takes longer, and they pack less well.
 *
 * @module
 */

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runDeno } from "./run_deno.ts";
import { writeFiles } from "./write_files.ts";

/** What goes into a bundle, and what does not. */
export interface BundleOptions {
  /** Paths of the modules that users import; they keep their paths. */
  readonly entries: readonly string[];
  /** Names of the packages that stay imports. */
  readonly external: Iterable<string>;
}

/** Returns the bundled modules, text by path. Throws for an import that is neither there nor external. */
export async function bundleModules(
  modules: ReadonlyMap<string, string>,
  { entries, external }: BundleOptions,
): Promise<Map<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), "mnem-bundle-"));
  try {
    await writeFiles(join(folder, "in"), modules);
    await runDeno([
      "bundle",
      "--no-config",
      "--no-check",
      "--code-splitting",
      ...[...external].flatMap((name) => ["--external", name]),
      "--outdir",
      join(folder, "out"),
      ...entries,
    ], { cwd: join(folder, "in"), what: `bundle ${entries.join(" ")}` });
    const bundled = await readFiles(join(folder, "out"));
    const lost = entries.find((entry) => !bundled.has(entry));
    if (lost !== undefined) throw new Error(`The bundle has no ${lost}`);
    return bundled;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function readFiles(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder, { recursive: true }))
    .filter((name) => name.endsWith(".js"));
  const read = names.map(async (name) =>
    [
      name.replaceAll("\\", "/"),
      await readFile(join(folder, name), "utf8"),
    ] as const
  );
  return new Map(await Promise.all(read));
}
