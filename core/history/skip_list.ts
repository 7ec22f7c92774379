/**
 * The skip list of a commit's first-parent ancestors (FORMAT.md, "Commit rows"). It is a
 * skew-binary list: a child's follows from its parent's alone, and any ancestor is reached in a
 * number of steps that grows with the logarithm of the distance.
 *
 * @module
 */

import {
  type GraphCommit,
  shortOf,
  type SkipEntry,
} from "../object/graph_commit.ts";
import type { CommitGraph } from "./commit_graph.ts";

/** The skip list of a child of a commit. */
export function childSkips(parent: GraphCommit): SkipEntry[] {
  const short = shortOf(parent.commit.id);
  const [first, second, ...rest] = parent.skips;
  if (
    first !== undefined && second !== undefined && first.size === second.size
  ) {
    return [
      { commit: short, depth: parent.depth, size: 2 * first.size + 1 },
      ...rest,
    ];
  }
  return [{ commit: short, depth: parent.depth, size: 1 }, ...parent.skips];
}

/** The ancestor of a commit at a depth of its first-parent chain, 0 to its own. */
export async function ancestorAt<C extends GraphCommit>(
  graph: CommitGraph<C>,
  from: C,
  depth: number,
): Promise<C> {
  const found = await findAncestor(graph, from, depth);
  return typeof found === "string" ? await graph.commit(found) : found;
}

/** The same; but of an ancestor that would have to be read, only the short id. */
export async function findAncestor<C extends GraphCommit>(
  graph: CommitGraph<C>,
  from: C,
  depth: number,
): Promise<C | string> {
  let at = from;
  while (at.depth > depth) {
    const next = at.skips.findLast((skip) => skip.depth >= depth);
    if (next === undefined) {
      throw new RangeError(`No ancestor at depth ${depth} of ${at.depth}`);
    }
    if (next.depth === depth) return next.commit;
    at = await graph.commit(next.commit);
  }
  return at;
}

/**
 * The first-parent chain from a commit back to `count` commits, newest first. Skip lists name the
 * commits between, so that they are read in a few waves and not one by one.
 */
export async function firstParentRun<C extends GraphCommit>(
  graph: CommitGraph<C>,
  from: C,
  count: number,
): Promise<C[]> {
  const lowest = Math.max(0, from.depth - count + 1);
  const known = new Map<number, C>([[from.depth, from]]);
  let wave: readonly C[] = [from];
  while (wave.length > 0) {
    const named = new Map<number, string>();
    for (const { skips } of wave) {
      for (const skip of skips) {
        if (skip.depth >= lowest && !known.has(skip.depth)) {
          named.set(skip.depth, skip.commit);
        }
      }
    }
    wave = await Promise.all(await readAll(graph, [...named.values()]));
    for (const commit of wave) known.set(commit.depth, commit);
  }
  return [...known.values()].sort((a, b) => b.depth - a.depth);
}

async function readAll<C extends GraphCommit>(
  graph: CommitGraph<C>,
  shorts: readonly string[],
): Promise<C[]> {
  if (shorts.length === 0) return [];
  const found = await graph.commits(shorts);
  return await Promise.all(
    found.map((commit, i) => commit ?? graph.commit(shorts[i]!)),
  );
}
