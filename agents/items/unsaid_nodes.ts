/**
 * Which nodes a source wrote and says no more.
 *
 * @module
 */

import type { Branch, Provenance } from "@mnem/core";

/** Which nodes are asked about. */
export interface UnsaidOptions {
  /** What their ids begin with. */
  readonly prefix?: string | undefined;
  /** Tells by the evidence of a node whether the source wrote it. */
  readonly isOurs: (provenance: Provenance) => boolean;
}

/**
 * Returns the ids of nodes in memory that a source wrote and that are not among those it says now, in
 * bytewise UTF-8 order. Only nodes that it does not say are read.
 */
export async function unsaidNodes(
  branch: Pick<Branch, "entries" | "nodes">,
  said: ReadonlySet<string>,
  { prefix, isOurs }: UnsaidOptions,
): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of branch.entries({ prefix })) {
    if (!said.has(id)) ids.push(id);
  }
  const unsaid: string[] = [];
  if (ids.length === 0) return unsaid;
  for await (const { id, provenance } of branch.nodes({ ids })) {
    if (isOurs(provenance)) unsaid.push(id);
  }
  return unsaid;
}
