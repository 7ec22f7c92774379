/**
 * Whether a commit's row says of its place in the graph what follows from its parents.
 *
 * @module
 */

import { shortOf } from "../../object/graph_commit.ts";
import type { CommitRow } from "../../storage/commit_row.ts";
import type { FaultList } from "./fault_list.ts";
import type {
  GraphPlace,
  KnownCommit,
  KnownCommits,
  SkipList,
} from "./known_commits.ts";

/**
 * Gives a commit its place, and compares it with what its row says. Where a parent is missing
 * nothing follows: then it is as the row says.
 */
export function checkGraph(
  row: CommitRow,
  commits: KnownCommits,
  faults: FaultList,
): void {
  const known = commits.get(shortOf(row.commit.id));
  if (known === undefined) return;
  const parents = known.parents.map((id) => commits.get(shortOf(id)));
  const name = `Commit ${known.id}`;
  const follows = placeOf(parents);
  if (follows === null) {
    known.place = statedPlace(row);
    return;
  }
  known.place = follows;
  for (const field of ["generation", "depth", "mergeDepth"] as const) {
    if (row[field] === follows[field]) continue;
    faults.add(
      "graph",
      `${name} has the ${field} ${row[field]}, must be ${follows[field]}`,
    );
  }
  let at = follows.skips;
  for (const [i, skip] of row.skips.entries()) {
    const isSame = skip.commit === at?.commit && skip.depth === at.depth &&
      skip.size === at.size;
    if (!isSame) {
      faults.add(
        "skip_list",
        `${name} has a wrong skip list from its entry ${i} on`,
        name,
      );
    }
    at = at?.rest ?? null;
  }
  if (at !== null) {
    faults.add("skip_list", `${name} has a skip list that is too short`, name);
  }
}

function placeOf(
  parents: readonly (KnownCommit | undefined)[],
): GraphPlace | null {
  let generation = 0;
  for (const parent of parents) {
    if (!parent?.place) return null;
    generation = Math.max(generation, 1 + parent.place.generation);
  }
  const [first] = parents;
  if (!first?.place) {
    return { generation, depth: 0, mergeDepth: null, skips: null };
  }
  const depth = first.place.depth + 1;
  return {
    generation,
    depth,
    mergeDepth: parents.length > 1 ? depth : first.place.mergeDepth,
    skips: skipsAfter(first, first.place),
  };
}

/** The skip list of a child (FORMAT.md, "Commit rows"). */
function skipsAfter(
  parent: KnownCommit,
  { depth, skips }: GraphPlace,
): SkipList {
  const commit = shortOf(parent.id);
  const second = skips?.rest ?? null;
  if (skips === null || second === null || skips.size !== second.size) {
    return { commit, depth, size: 1, rest: skips };
  }
  return { commit, depth, size: 2 * skips.size + 1, rest: second.rest };
}

function statedPlace(row: CommitRow): GraphPlace {
  const { generation, depth, mergeDepth } = row;
  const skips = row.skips.reduceRight<SkipList | null>(
    (rest, skip) => ({ ...skip, rest }),
    null,
  );
  return { generation, depth, mergeDepth, skips };
}
