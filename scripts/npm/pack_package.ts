/**
 * Packs one package of the workspace as Deno does.
 *
 * @module
 */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { PublishedPackage } from "../packages.ts";
import { runDeno } from "./run_deno.ts";
import { readTarball, type TarFile } from "./tar.ts";

/** Returns what `deno pack` makes of a package. Throws where it fails, as for types that are wrong. */
export async function packPackage(
  { name, folder }: PublishedPackage,
): Promise<TarFile[]> {
  const apart = await mkdtemp(join(tmpdir(), "mnem-pack-"));
  try {
    const tarball = resolve(apart, "packed.tgz");
    await runDeno(
      ["pack", "--allow-dirty", "--no-source-maps", "--output", tarball],
      { cwd: folder, what: `pack ${name}` },
    );
    return readTarball(await readFile(tarball));
  } finally {
    await rm(apart, { recursive: true });
  }
}
