/**
 * What evidence calls a file or folder: its path from the folder of the store if it lies in there, else
 * its whole path; so it is the same from wherever it is imported.
 *
 * @module
 */

import { isAbsolute, relative, sep } from "node:path";

/** Returns the name of an absolute path to a store at a place; of the store's own folder, `.`. */
export function sourceName(path: string, store: string): string {
  const inside = isAbsolute(store) ? relative(store, path) : "";
  if (inside === "" && isAbsolute(store)) return ".";
  const isInside = inside !== "" && inside !== ".." &&
    !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
  return slashed(isInside ? inside : path);
}

/** Returns a path with slashes, as they stand in ids and in evidence. */
export function slashed(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

/** Returns the name of a file under a folder that has a name. */
export function nameUnder(folder: string, inside: string): string {
  return folder === "." ? inside : `${folder}/${inside}`;
}

/** Tells whether a name is that of a file under a folder that has a name. */
export function isUnder(folder: string, name: string): boolean {
  return folder === "." ? !isAbsolute(name) : name.startsWith(`${folder}/`);
}
