/**
 * The seeded workload of the benchmark: a hundred keys, a few edits a step, and one planted fault
 * that nothing overwrites. Its commit ids are known.
 *
 * @module
 */

import type { Edit } from "@mnem/core";

/** One step: the edits of one commit, if they change anything. */
export interface WorkloadStep {
  /** From 0; the fault is at half of all steps. */
  readonly step: number;
  /** In the order in which they were drawn; of the same id, the last counts. */
  readonly edits: readonly Edit[];
}

const SEED = 1n;
const KEYS = 100;
const VALUES = 20;
const FAULT_KEY = 7;

/** Draws numbers as the reference does: 64-bit wrapping, the upper 31 bits of each state. */
function drawer(seed: bigint): (bound: number) => number {
  const wrap = (value: bigint) => BigInt.asUintN(64, value);
  let state = wrap(seed * 0x9E3779B97F4A7C15n + 1n);
  return (bound) => {
    state = wrap(state * 6364136223846793005n + 1442695040888963407n);
    return Number((state >> 33n) % BigInt(bound));
  };
}

/** Makes the steps of the workload. */
export function* overheadWorkload(steps: number): Generator<WorkloadStep> {
  const below = drawer(SEED);
  const faultStep = Math.floor(steps / 2);
  let observations = 0;
  for (let step = 0; step < steps; step += 1) {
    const edits: Edit[] = [];
    const set = (id: string, content: string) => {
      observations += 1;
      const source = `obs-${observations}`;
      const provenance = { agentStep: `step-${step}`, source };
      edits.push({ id, content, provenance });
    };
    if (step === faultStep) {
      set(`k${FAULT_KEY}`, "WRONG");
    } else {
      for (let left = 1 + below(4); left > 0; left -= 1) {
        const key = below(KEYS);
        if (key === FAULT_KEY && step > faultStep) continue;
        if (below(4) === 0) edits.push({ id: `k${key}`, remove: true });
        else set(`k${key}`, `v${below(VALUES)}`);
      }
      if (edits.length === 0) set("k0", "v0");
    }
    yield { step, edits };
  }
}
