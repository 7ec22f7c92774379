/**
 * What the system tells of a folder that changes.
 *
 * @module
 */

import { watch } from "node:fs";
import { basename, extname } from "node:path";
import { isNoteName } from "../sources/note_files.ts";

/** Who is told. */
export interface FolderListener {
  /** A note may have changed, or a folder. */
  changed(): void;
  /** The system tells nothing, or no more. */
  lost(): void;
}

/** Listens to a folder and those below it, until the function that it returns is called. */
export function listenToFolder(
  folder: string,
  { changed, lost }: FolderListener,
): () => void {
  try {
    const watcher = watch(folder, { recursive: true }, (_, name) => {
      if (name === null || mayBeNote(String(name))) changed();
    });
    watcher.on("error", lost);
    return () => watcher.close();
  } catch {
    lost();
    return () => {};
  }
}

/** Files with other endings are of no interest: a store in the folder changes with each commit. */
function mayBeNote(name: string): boolean {
  return isNoteName(name) || extname(basename(name)) === "";
}
