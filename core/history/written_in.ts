/**
 * Follows what a merge brought in to the commit that wrote it.
 *
 * @module
 */

import { type GraphCommit, shortOf } from "../object/graph_commit.ts";
import { isAncestor } from "./ancestry.ts";
import type { CommitGraph } from "./commit_graph.ts";
import { firstParentLog } from "./log.ts";
import { ancestorAt } from "./skip_list.ts";

/**
 * Where a test began to hold that holds at a commit and not at its first parent. If that is a merge
 * whose second parent passes, it began there: at the earliest commit of the unbroken run along that
 * side's first-parent chain outside ours; and again if that is a merge.
 */
export async function writtenIn<C extends GraphCommit>(
  graph: CommitGraph<C>,
  found: C,
  holds: (commit: C) => Promise<boolean>,
): Promise<C> {
  let at = found;
  for (;;) {
    const [first, second] = at.commit.parents;
    if (first === undefined || second === undefined) return at;
    const ours: C = await graph.commit(shortOf(first));
    const side: C = await graph.commit(shortOf(second));
    if (!await holds(side)) return at;
    const lowest = await outsideOf(graph, ours, side);
    // All of the side may be ours already: then the merge took an older value of it.
    if (lowest === null) return at;
    let earliest: C = side;
    for await (const commit of firstParentLog(graph, side)) {
      if (commit.depth < lowest || !await holds(commit)) break;
      earliest = commit;
    }
    at = earliest;
  }
}

/** The lowest depth at which a side's first-parent chain is not yet part of ours; null: none of it. */
async function outsideOf<C extends GraphCommit>(
  graph: CommitGraph<C>,
  ours: C,
  side: C,
): Promise<number | null> {
  if (await isAncestor(graph, side, ours)) return null;
  // What led to a commit of ours is ours too, so that the border is found by halves.
  let low = -1;
  let high = side.depth;
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    const commit = await ancestorAt(graph, side, middle);
    if (await isAncestor(graph, commit, ours)) low = middle;
    else high = middle;
  }
  return high;
}
