/**
 * Takes comments and needless space out of JavaScript: what comments say stands in the `.d.ts` files and in
 * the sources, and whoever installs a package should not wait for it twice.
 *
 * @module
 */

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runDeno } from "./run_deno.ts";
import { writeFiles } from "./write_files.ts";

const PLUGIN = new URL("./compact_plugin.ts", import.meta.url).href;
const CONFIG = {
  lint: {
    plugins: [PLUGIN],
    rules: { tags: [], include: ["pack/compact"] },
  },
};

/**
 * Returns modules, text by path, without comments and needless space, names and statements as they were. Throws
 * for a module that is no JavaScript.
 */
export async function compactModules(
  modules: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), "mnem-compact-"));
  try {
    const config = join(folder, "deno.json");
    await writeFile(config, JSON.stringify(CONFIG));
    await writeFiles(folder, modules);
    await runDeno(["lint", "--fix", "--config", config, folder], {
      cwd: folder,
      what: "make the modules compact",
    });
    const read = [...modules.keys()].map(async (path) =>
      [path, await readFile(join(folder, path), "utf8")] as const
    );
    return new Map(await Promise.all(read));
  } finally {
    await rm(folder, { recursive: true });
  }
}
