/**
 * Plans the writes that wait behind a chain while that is being written: on a large memory a hundred
 * calls are more than one atomic write, and to plan some takes about as long as to write some.
 *
 * @module
 */

import { type Outcome, type Proposal, rowOf, type Tip } from "./outcome.ts";
import { type Chain, goesAlone, planChain } from "./plan_chain.ts";
import type { SharedStore } from "./shared_store.ts";

/** A chain planned on commits that are being written. */
export interface PlannedAhead {
  /** The last of those commits, and the branch that they are to be on. */
  readonly tip: Tip;
  /** The chain. */
  readonly chain: Promise<Chain>;
}

/** Commits that are being written. */
export interface BeingWritten {
  /** The branch that they are to be on. */
  readonly branch: string;
  /** What becomes of the branch if they land. */
  readonly behind: readonly Outcome[];
}

/**
 * Plans what follows on commits that are being written. Undefined where nothing does, or where one of
 * the proposals asks for more than commits: a request with a key for what the branch keeps, a merge or
 * a stage for what is stored when its turn comes.
 */
export function planAhead(
  store: SharedStore,
  { branch, behind }: BeingWritten,
  proposals: readonly Proposal[],
): PlannedAhead | undefined {
  const [first] = proposals;
  const row = behind.findLast((outcome) => rowOf(outcome) !== null);
  const isPlain = first !== undefined && !goesAlone(first) &&
    proposals.every(({ asked }) => asked === undefined);
  if (row === undefined || !isPlain) return undefined;
  const tip = { branch, row: rowOf(row) };
  const chain = planChain(store, tip, proposals, { behind });
  // Nobody may ever ask for it.
  chain.catch(() => {});
  return { tip, chain };
}

/** The chain that was planned on a tip; undefined where none was. */
export function plannedOn(
  ahead: PlannedAhead | undefined,
  { branch, row }: Tip,
): Promise<Chain> | undefined {
  const isThere = ahead !== undefined && ahead.tip.branch === branch &&
    ahead.tip.row?.commit.id === row?.commit.id;
  return isThere ? ahead.chain : undefined;
}
