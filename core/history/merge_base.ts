/**
 * The commits that two lines of history have in common and no later one.
 *
 * @module
 */

import type { GraphCommit } from "../object/graph_commit.ts";
import type { CommitGraph } from "./commit_graph.ts";
import { ancestorAt } from "./skip_list.ts";
import { WaveReader } from "./wave_reader.ts";

/**
 * The best common ancestors: those that led to both commits and to no other common ancestor. None:
 * the histories are unrelated. Several: the lines merged each other. In id order, so that neither
 * side counts for more.
 */
export async function mergeBases<C extends GraphCommit>(
  graph: CommitGraph<C>,
  a: C,
  b: C,
): Promise<C[]> {
  const reader = new WaveReader(graph);
  // Both at once, so that the two histories are read side by side.
  for (const commit of [a, b]) reader.learn(commit);
  const merged = Math.max(a.mergeDepth ?? -1, b.mergeDepth ?? -1);
  const fork = await forkOf(reader, a, b, { above: merged });
  // Where no merge lies above the fork, everything in common lies at or below it.
  if (fork === "below") return await paintBases(reader, a, b);
  return fork === null ? [] : [fork];
}

/**
 * The deepest commit that the first-parent chains of two commits share; null if there is none.
 * "below" as soon as it is known to lie below the depth `above`.
 */
export async function forkOf<C extends GraphCommit>(
  graph: CommitGraph<C>,
  a: C,
  b: C,
  { above = -1 }: { readonly above?: number } = {},
): Promise<C | null | "below"> {
  const depth = Math.min(a.depth, b.depth);
  if (depth < above) return "below";
  let [x, y] = await Promise.all([
    ancestorAt(graph, a, depth),
    ancestorAt(graph, b, depth),
  ]);
  while (x.commit.id !== y.commit.id) {
    if (x.depth <= above) return "below";
    // Skip lists of one depth have one shape: the farthest place where they still differ is next.
    const other = y.skips;
    const apart = x.skips.findLastIndex((skip, i) =>
      skip.commit !== other[i]?.commit
    );
    if (apart < 0) {
      const parent = x.skips[0];
      return parent === undefined ? null : await graph.commit(parent.commit);
    }
    if (x.skips[apart]!.depth <= above) return "below";
    const names = [x.skips[apart]!.commit, other[apart]!.commit] as const;
    [x, y] = await Promise.all([
      graph.commit(names[0]),
      graph.commit(names[1]),
    ]);
  }
  return x;
}

/** Which sides a commit led to, and whether a later common ancestor is known. */
interface Paint {
  a: boolean;
  b: boolean;
  stale: boolean;
}

/**
 * Paints both histories from the top: by generation, so that every child was met before its parent.
 * A commit met with both colours is a base, and all that led to it is stale.
 */
async function paintBases<C extends GraphCommit>(
  reader: WaveReader<C>,
  a: C,
  b: C,
): Promise<C[]> {
  const paints = new Map<string, Paint>();
  const waiting = new Map<string, C>();
  const bases: C[] = [];
  paint(paints, a.commit.id, { a: true, b: false, stale: false });
  paint(paints, b.commit.id, { a: false, b: true, stale: false });
  waiting.set(a.commit.id, a);
  waiting.set(b.commit.id, b);
  while ([...waiting.keys()].some((id) => !paints.get(id)!.stale)) {
    const top = highest(waiting.values());
    waiting.delete(top.commit.id);
    const colours = paints.get(top.commit.id)!;
    const both = colours.a && colours.b;
    if (both && !colours.stale) bases.push(top);
    for (const parent of await reader.parents(top)) {
      paint(paints, parent.commit.id, {
        ...colours,
        stale: colours.stale || both,
      });
      waiting.set(parent.commit.id, parent);
    }
  }
  return bases.sort((x, y) => (x.commit.id < y.commit.id ? -1 : 1));
}

function paint(paints: Map<string, Paint>, id: string, colours: Paint): void {
  const before = paints.get(id) ?? { a: false, b: false, stale: false };
  paints.set(id, {
    a: before.a || colours.a,
    b: before.b || colours.b,
    stale: before.stale || colours.stale,
  });
}

function highest<C extends GraphCommit>(commits: Iterable<C>): C {
  let top: C | undefined;
  for (const commit of commits) {
    if (top === undefined || commit.generation > top.generation) top = commit;
  }
  return top!;
}
