/**
 * Finds the commit where something became true, in a number of evaluations that grows with the
 * logarithm of the history.
 *
 * @module
 */

import type { GraphCommit } from "../object/graph_commit.ts";
import type { CommitGraph } from "./commit_graph.ts";
import { firstParentLog } from "./log.ts";

/** What to search. */
export interface BisectRange<C> {
  /** The last commit of the chain, where the test holds. */
  readonly bad: C;
  /** The depth of the last commit where it is known not to hold; -1: before the root. */
  readonly goodDepth: number;
}

/** Where the test began to hold. */
export interface BisectFound<C> {
  /** The earliest commit met where it holds. */
  readonly commit: C;
  /** Commits whose answer differs from their first parent's, oldest first. */
  readonly flips: readonly C[];
}

/**
 * Searches along skip lists: from a commit where the test holds to the farthest ancestor that its list
 * names, and where it does not hold there, to the next nearer one. Each look reads one commit, and
 * their number grows with the logarithm of the history. Where the answer changes more than once it
 * finds one of the changes, and `flips` holds that one alone.
 */
export async function bisectChain<C extends GraphCommit>(
  graph: CommitGraph<C>,
  range: BisectRange<C>,
  holds: (commit: C) => Promise<boolean>,
): Promise<BisectFound<C>> {
  let low = range.goodDepth;
  let found = range.bad;
  for (;;) {
    // The nearest in a list is the parent: where none is left, it does not hold there.
    const skip = found.skips.findLast(({ depth }) => depth > low);
    if (skip === undefined) return { commit: found, flips: [found] };
    const commit = await graph.commit(skip.commit);
    if (await holds(commit)) found = commit;
    else low = commit.depth;
  }
}

/** Evaluates every commit of the range, so that every change of the answer is found. */
export async function scanChain<C extends GraphCommit>(
  graph: CommitGraph<C>,
  range: BisectRange<C>,
  holds: (commit: C) => Promise<boolean>,
): Promise<BisectFound<C>> {
  const chain: C[] = [];
  const length = range.bad.depth - range.goodDepth;
  for await (const commit of firstParentLog(graph, range.bad, length)) {
    if (commit.depth <= range.goodDepth) break;
    chain.push(commit);
  }
  const flips: C[] = [];
  let first: C | undefined;
  let before = false;
  for (const commit of chain.reverse()) {
    const now = await holds(commit);
    if (now !== before) flips.push(commit);
    if (now) first ??= commit;
    before = now;
  }
  return { commit: first ?? range.bad, flips };
}
