/**
 * Whether one commit led to another.
 *
 * @module
 */

import type { GraphCommit } from "../object/graph_commit.ts";
import type { CommitGraph } from "./commit_graph.ts";
import { ancestorAt } from "./skip_list.ts";
import { WaveReader } from "./wave_reader.ts";

/**
 * Tells whether `ancestor` is `descendant` or led to it by any parent. By skip list where it lies on
 * the first-parent chain; else by a walk that never goes below its generation.
 */
export async function isAncestor<C extends GraphCommit>(
  graph: CommitGraph<C>,
  ancestor: C,
  descendant: C,
): Promise<boolean> {
  if (ancestor.generation > descendant.generation) return false;
  if (ancestor.depth <= descendant.depth) {
    const onChain = await ancestorAt(graph, descendant, ancestor.depth);
    if (onChain.commit.id === ancestor.commit.id) return true;
  }
  if (descendant.mergeDepth === null) return false;
  const reader = new WaveReader(graph);
  const seen = new Set<string>();
  const waiting: C[] = [descendant];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const parent of await reader.parents(at)) {
      if (parent.commit.id === ancestor.commit.id) return true;
      const isNew = !seen.has(parent.commit.id);
      seen.add(parent.commit.id);
      if (isNew && parent.generation > ancestor.generation) {
        waiting.push(parent);
      }
    }
  }
  return false;
}
