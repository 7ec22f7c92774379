/**
 * Makes the next state tree from one that is there, at the cost of what changes.
 *
 * @module
 */

import { invariant } from "../errors.ts";
import type { TreeOptions } from "./boundary.ts";
import { assertTreeOrder, raiseTree, type TreeChange } from "./build_tree.ts";
import {
  type Chunk,
  type ChunkRef,
  type ChunkSource,
  isLeaf,
} from "./chunk.ts";
import { loadChunk } from "./load_chunks.ts";
import { makeLeaf, refTo } from "./make_chunk.ts";
import {
  rebuildIndexes,
  rebuildLeaves,
  type Replaced,
} from "./rebuild_level.ts";
import { reviseTree } from "./revise_tree.ts";
import { readTouched, type Touched, type TreeEdit } from "./touched_chunks.ts";

export type { TreeChange, TreeEdit };

/**
 * Applies edits, which are in bytewise UTF-8 order of their ids, each id once. The result has the
 * chunks that {@linkcode buildTree} makes of the resulting entries, whatever the history of the
 * tree. Chunks that stay as they are, origins included, are shared and not among the fresh ones.
 *
 * One read a level, and in rare cases one more for each level that the tree loses. `levels` are what
 * {@linkcode readTouched} read for the same ids, where that was done before: then none.
 */
export async function applyEdits(
  source: ChunkSource,
  root: ChunkRef,
  edits: readonly TreeEdit[],
  options: TreeOptions & { readonly levels?: Levels } = {},
): Promise<TreeChange> {
  assertTreeOrder(edits);
  for (const { id, entry } of edits) {
    invariant(entry === null || entry.id === id, "an edit has one id");
  }
  if (edits.length === 0) return { root, fresh: [] };
  const levels = options.levels ?? await readTouched(source, root, edits);
  return reviseTree(levels, edits) ??
    await rebuildTree(source, { root, levels, edits, options });
}

type Levels = readonly (readonly Touched[])[];

async function rebuildTree(
  source: ChunkSource,
  { root, levels, edits, options }: {
    readonly root: ChunkRef;
    readonly levels: Levels;
    readonly edits: readonly TreeEdit[];
    readonly options: TreeOptions;
  },
): Promise<TreeChange> {
  const fresh: Chunk[] = [];
  let replaced: Replaced = new Map();
  for (const touched of levels) {
    const level = { touched, fresh, options };
    replaced = touched[0]?.chunk.level === 0
      ? rebuildLeaves(level, edits)
      : rebuildIndexes(level, replaced);
  }
  const chunks = replaced.get(root) ?? [];
  if (chunks.length === 0) return emptyTree(root);
  const top = raiseTree(chunks, fresh, options);
  if (top === root) return { root, fresh };
  return await lowerTree(source, top, fresh);
}

/** Nothing is left, or nothing was there. */
function emptyTree(before: ChunkRef): TreeChange {
  if (before.count === 0) return { root: before, fresh: [] };
  const leaf = makeLeaf([]);
  return { root: refTo(leaf), fresh: [leaf] };
}

/** Takes off the top while it has a single child: the root is the lowest chunk alone on its level. */
async function lowerTree(
  source: ChunkSource,
  top: ChunkRef,
  fresh: readonly Chunk[],
): Promise<TreeChange> {
  let root = top;
  while (root.level > 0) {
    const chunk = await loadChunk(source, root);
    if (isLeaf(chunk) || chunk.children.length > 1) break;
    root = chunk.children[0] ?? root;
  }
  return { root, fresh: fresh.filter(({ level }) => level <= root.level) };
}
