/**
 * Plans the writes that wait in a queue as a chain of commits, each on the one before, as many as
 * one atomic write holds.
 *
 * @module
 */

import { SINGLE_WRITE_NODES_MAX } from "../limits.ts";
import { toHex } from "../object/hex.ts";
import type { ChunkSource } from "../state/chunk.ts";
import { type AtomicCost, atomicCost } from "../storage/budget.ts";
import { randomId } from "../chance.ts";
import { placeInPack } from "./make_commit.ts";
import {
  type Outcome,
  type Planned,
  type PreparedMerge,
  type Proposal,
  type Tip,
  unchanged,
} from "./outcome.ts";
import { ownerRow, partRows } from "./pack_rows.ts";
import {
  type CommitPlan,
  planCommit,
  type PlannedCommit,
  type PlanningGround,
} from "./plan_commit.ts";
import { commitPlan, planEdits, type PlannedEdits } from "./plan_write.ts";
import { PlannedLayer } from "./planned_layer.ts";
import type { PreparedWrite } from "./prepared_write.ts";
import { type Made, planOnce } from "./repeat.ts";
import { keepingCost, type RequestLedger } from "./request_ledger.ts";
import type { SharedStore } from "./shared_store.ts";
import {
  addCost,
  type CommitRows,
  commitRows,
  fitsOneWrite,
  nodeRow,
  removalRows,
} from "./write_rows.ts";

/** A chain of commits on a head. */
export interface Chain {
  /** One for each of the first writes, in order. */
  readonly outcomes: readonly Outcome[];
  /** Reads the chunks of the chain's own commits, and all that are stored. */
  readonly chunks: ChunkSource;
  /** The first write, when it is too large to share an atomic write: it goes by itself. */
  readonly bulk: PlannedEdits | null;
}

/** What planning reads for one attempt; chunks of the attempt's own commits included. */
export function planningGround(
  store: Pick<SharedStore, "reader" | "flats" | "meta">,
): PlanningGround {
  return {
    reader: store.reader,
    layer: new PlannedLayer(store.reader),
    flats: store.flats,
    stateForm: store.meta.stateForm,
  };
}

/**
 * Plans as many of the proposals as fit, at least the first. Reads, but writes nothing. The ledger must
 * hold what is kept under the keys that they have.
 */
export async function planChain(
  store: SharedStore,
  head: Tip,
  proposals: readonly Proposal[],
  ledger?: RequestLedger,
): Promise<Chain> {
  const ground = planningGround(store);
  const outcomes: Outcome[] = [];
  let tip = head;
  let cost: AtomicCost = atomicCost({});
  for (const proposal of proposals) {
    if (goesAlone(proposal) && outcomes.length > 0) break;
    // What is asked for twice is answered once the first is there.
    const name = proposal.asked?.name;
    if (name && outcomes.some(({ kept }) => kept?.name === name)) break;
    const made = { store, ground, head, tip, ledger };
    const planned = await planOne(made, proposal);
    if (planned.is === "large") {
      const bulk = outcomes.length === 0 ? planned.edits : null;
      return { outcomes, chunks: ground.layer, bulk };
    }
    const rows = planned.is === "commit" ? planned.rows : { sets: [] };
    cost = addCost(cost, costOf(proposal, rows, tip.branch));
    if (outcomes.length > 0 && !fitsOneWrite(cost)) break;
    if (planned.is === "commit") {
      ground.layer.add(planned.planned.made.placed, planned.planned.edits);
      tip = { ...tip, row: planned.planned.made.row };
    }
    outcomes.push(planned);
    if (goesAlone(proposal)) break;
  }
  return { outcomes, chunks: ground.layer, bulk: null };
}

/**
 * What is staged is judged by a check of its own, which no other write shall fail with; a merge may
 * put the branch on a commit that is there, which no chain can follow.
 */
function goesAlone(proposal: Proposal): boolean {
  return "plan" in proposal || proposal.staged !== undefined;
}

async function planOne(made: Made, proposal: Proposal): Promise<Planned> {
  const { ground, tip } = made;
  try {
    return await planOnce(
      made,
      proposal,
      () =>
        "plan" in proposal
          ? planOneMerge(ground, tip, proposal)
          : planOneWrite(ground, tip, proposal),
    );
  } catch (error) {
    return { is: "failed", error };
  }
}

async function planOneWrite(
  ground: PlanningGround,
  { row: parent, branch }: Tip,
  write: PreparedWrite,
): Promise<Planned> {
  const edits = await planEdits(ground, parent, write);
  if (edits === null) return unchanged(write, parent);
  await write.judge?.(branch);
  if (edits.edits.length > SINGLE_WRITE_NODES_MAX) {
    return { is: "large", edits };
  }
  const plan = await commitPlan(ground, parent, edits);
  const planned = await planCommit(ground, plan);
  const rows = commitRows(planned);
  const large = planned.made.framed.pieces.length > 0 ||
    !fitsOneWrite(costOf(write, rows, branch));
  return large
    ? { is: "large", edits }
    : { is: "commit", planned, rows, result: null };
}

async function planOneMerge(
  ground: PlanningGround,
  tip: Tip,
  merge: PreparedMerge,
): Promise<Outcome> {
  const planned = await merge.plan(ground, tip, await merge.find());
  await merge.judge(ground, tip.branch, planned);
  if (planned.is === "nothing") {
    return { is: "settled", result: planned.result };
  }
  if (planned.is === "adopt") return planned;
  const fits = (rows: CommitRows) =>
    fitsOneWrite(costOf(merge, rows, tip.branch));
  const { commit, rows } = await planMergeCommit(ground, planned.plan, fits);
  const result = { ...planned.result, commit: commit.made.row.commit.id };
  return { is: "commit", planned: commit, rows, result };
}

/** The commit of a merge, whose chunks and marks go ahead of it where they are too many. */
async function planMergeCommit(
  ground: PlanningGround,
  plan: CommitPlan,
  fits: (rows: CommitRows) => boolean,
): Promise<{ readonly commit: PlannedCommit; readonly rows: CommitRows }> {
  const commit = await planCommit(ground, plan);
  const rows = commitRows(commit);
  const isSmall = commit.made.framed.pieces.length === 0 && fits(rows);
  if (isSmall) return { commit, rows };
  const pack = toHex(randomId());
  const { root, placed } = placeInPack(plan.root, pack);
  ground.layer.add(placed, []);
  const packed = await planCommit(ground, { ...plan, root });
  const { framed } = packed.made;
  const nodes = packed.edits.flatMap((edit) => nodeRow(edit) ?? []);
  const parts = partRows(pack, placed);
  const all = [...nodes, ...parts];
  return {
    commit: packed,
    rows: {
      sets: [ownerRow(pack, packed.made.origin), {
        key: framed.key,
        value: framed.value,
      }],
      ahead: [
        ...[framed, ...all].flatMap(({ pieces }) => pieces),
        ...all,
        ...removalRows(packed.edits, pack),
      ],
    },
  };
}

function costOf(
  proposal: Proposal,
  { sets }: Pick<CommitRows, "sets">,
  branch: string,
): AtomicCost {
  const staged = "plan" in proposal ? [] : proposal.staged?.rows ?? [];
  const cost = atomicCost({ sets, deletes: staged.map(({ key }) => key) });
  return proposal.asked === undefined
    ? cost
    : addCost(cost, keepingCost(branch));
}
