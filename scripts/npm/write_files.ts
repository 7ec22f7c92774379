/**
 * Writes texts to files below a folder.
 *
 * @module
 */

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes texts by path, and makes the folders that they lie in. */
export async function writeFiles(
  folder: string,
  texts: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [path, text] of texts) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}
