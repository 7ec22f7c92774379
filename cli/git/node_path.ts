/**
 * The file of a node in a git repository: a path for every node id, and back (FORMAT.md, "Git").
 *
 * @module
 */

import { fromPieces, inPieces, percent } from "./percent.ts";

const ROOT = "nodes/";
const SUFFIX = ".json";

/** Everything else is `%xx`: what file systems fold, forbid or strip, and what shells and git read otherwise. */
const OTHERS = /[^a-z0-9_.+=@,-]/gu;

/** Names that Windows gives to devices, whatever follows after a dot. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?=\.|$)/;

/** Returns the path of a node, below the root of the repository. */
export function pathOfNode(id: string): string {
  const parts = id.split("/").map((part, i, all) =>
    inPieces(
      part.replace(OTHERS, percent),
      (piece, isLast) => guarded(piece, isLast && i < all.length - 1),
    )
  );
  return ROOT + parts.join("/") + SUFFIX;
}

/** Returns the id of the node that a path is of; undefined if it is of none. */
export function nodeOfPath(path: string): string | undefined {
  const id = looseNodeOfPath(path);
  return id !== undefined && pathOfNode(id) === path ? id : undefined;
}

/** Returns the id that whoever chose a path by hand had in mind; undefined if that cannot be told. */
export function looseNodeOfPath(path: string): string | undefined {
  if (!path.startsWith(ROOT) || !path.endsWith(SUFFIX)) return undefined;
  return fromPieces(path.slice(ROOT.length, -SUFFIX.length));
}

function guarded(piece: string, isFolder: boolean): string {
  let name = piece;
  if (isFolder && name.endsWith(SUFFIX)) {
    // A folder of that name would stand in the way of the file of another node.
    name = `${name.slice(0, -SUFFIX.length)}%2e${SUFFIX.slice(1)}`;
  }
  if (name.endsWith(".")) name = `${name.slice(0, -1)}%2e`;
  if (name.startsWith(".") || DEVICE.test(name)) {
    name = percent(name.charAt(0)) + name.slice(1);
  }
  return name;
}
