/**
 * Plans the writes that wait in a queue as a chain of commits, each on the one before, as many as
 * one atomic write holds.
 *
 * @module
 */

import type { ChunkSource } from "../state/chunk.ts";
import { SINGLE_WRITE_NODES_MAX } from "../limits.ts";
import { type AtomicCost, atomicCost } from "../storage/budget.ts";
import type { CommitRow } from "../storage/commit_row.ts";
import {
  planCommit,
  type PlannedState,
  type PlannedWrite,
  type PlanningGround,
  planState,
} from "./plan_write.ts";
import { PlannedLayer } from "./planned_layer.ts";
import type { PreparedWrite } from "./prepared_write.ts";
import type { SharedStore } from "./shared_store.ts";
import {
  addCost,
  type CommitRows,
  commitRows,
  fitsOneWrite,
} from "./write_rows.ts";

/** What becomes of one write on a certain head. */
export type Outcome =
  | {
    readonly is: "commit";
    readonly planned: PlannedWrite;
    readonly rows: CommitRows;
  }
  | { readonly is: "unchanged"; readonly head: CommitRow | null }
  | { readonly is: "failed"; readonly error: unknown };

/** An outcome that is a commit. */
export type CommitOutcome = Extract<Outcome, { readonly is: "commit" }>;

/** The commits among outcomes. */
export function commitsOf(outcomes: readonly Outcome[]): CommitOutcome[] {
  return outcomes.filter((outcome) => outcome.is === "commit");
}

/** A chain of commits on a head. */
export interface Chain {
  /** One for each of the first writes, in order. */
  readonly outcomes: readonly Outcome[];
  /** Reads the chunks of the chain's own commits, and all that are stored. */
  readonly chunks: ChunkSource;
  /** The first write, when it is too large to share an atomic write: it goes by itself. */
  readonly bulk: PlannedState | null;
}

/** What planning reads for one attempt; chunks of the attempt's own commits included. */
export function planningGround(
  store: SharedStore,
): PlanningGround {
  return {
    reader: store.reader,
    layer: new PlannedLayer(store.reader),
    flats: store.flats,
    stateForm: store.meta.stateForm,
  };
}

/** Plans as many of the writes as fit, at least the first. Reads, but writes nothing. */
export async function planChain(
  store: SharedStore,
  head: CommitRow | null,
  writes: readonly PreparedWrite[],
): Promise<Chain> {
  const ground = planningGround(store);
  const outcomes: Outcome[] = [];
  let tip = head;
  let cost: AtomicCost = atomicCost({});
  for (const write of writes) {
    // What is staged is judged by a check of its own, which no other write shall fail with.
    if (write.staged !== undefined && outcomes.length > 0) break;
    const planned = await planOne(ground, tip, write);
    if (planned.is === "large") {
      const bulk = outcomes.length === 0 ? planned.state : null;
      return { outcomes, chunks: ground.layer, bulk };
    }
    if (planned.is === "commit") {
      cost = addCost(cost, costOf(write, planned.rows));
      if (outcomes.length > 0 && !fitsOneWrite(cost)) break;
      ground.layer.add(planned.planned.made.placed, planned.planned.edits);
      tip = planned.planned.made.row;
    }
    outcomes.push(planned);
    if (write.staged !== undefined) break;
  }
  return { outcomes, chunks: ground.layer, bulk: null };
}

async function planOne(
  ground: PlanningGround,
  parent: CommitRow | null,
  write: PreparedWrite,
): Promise<Outcome | { readonly is: "large"; readonly state: PlannedState }> {
  try {
    const state = await planState(ground, parent, write);
    if (state === null) return { is: "unchanged", head: parent };
    if (state.edits.length > SINGLE_WRITE_NODES_MAX) {
      return { is: "large", state };
    }
    const planned = await planCommit(ground, parent, state);
    const rows = commitRows(planned);
    const large = planned.made.framed.pieces.length > 0 ||
      !fitsOneWrite(costOf(write, rows));
    return large ? { is: "large", state } : { is: "commit", planned, rows };
  } catch (error) {
    return { is: "failed", error };
  }
}

function costOf(write: PreparedWrite, rows: CommitRows): AtomicCost {
  const deletes = write.staged?.rows.map(({ key }) => key) ?? [];
  return atomicCost({ sets: rows.sets, deletes });
}
