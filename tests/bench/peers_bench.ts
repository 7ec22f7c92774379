/**
 * Others at the same work: what a change, a read and a question cost, and what a commit leaves behind.
 * Nothing here is bounded. A peer that cannot be had is named and left out.
 *
 * @module
 */

import type { BenchContext, Figure } from "./figure.ts";
import { measurePeer } from "./peers/measure_peer.ts";
import { PEERS } from "./peers/peer_list.ts";

const CALLS = 50;
const BUDGET_MS = 500;

/** Measures every peer at every size that it can be asked for. */
export async function peersBench({ scale }: BenchContext): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const peer of PEERS) {
    const missing = await peer.missing();
    if (missing !== undefined) {
      console.error(`${peer.name} is not measured: ${missing}`);
      continue;
    }
    for (const size of scale.nodes.filter((nodes) => nodes <= peer.nodesMax)) {
      const values = await measurePeer(peer, {
        nodes: size,
        calls: CALLS,
        budgetMs: BUDGET_MS,
        runs: scale.runs,
      });
      figures.push({ bench: "peers", of: peer.name, size, values });
    }
  }
  return figures;
}
