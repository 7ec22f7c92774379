/**
 * What waits in a queue, and what becomes of it.
 *
 * @module
 */

import { invariant, MnemError } from "../errors.ts";
import type { CommitRow } from "../storage/commit_row.ts";
import type { KeptRequest } from "../storage/kept_requests.ts";
import type { AskedRequest } from "./asked_request.ts";
import type { PlannedCommit, PlanningGround } from "./plan_commit.ts";
import type { PlannedMerge } from "./plan_merge.ts";
import type { PlannedEdits } from "./plan_write.ts";
import type { PreparedWrite } from "./prepared_write.ts";
import type { MergeResult, Written } from "./surface.ts";
import type { CommitRows } from "./write_rows.ts";

/** Where a branch stands, and its name. */
export interface Tip {
  /** Its commit; null on a branch that has none. */
  readonly row: CommitRow | null;
  /** Its name. */
  readonly branch: string;
}

/** A merge or revert that waits for its turn. */
export interface PreparedMerge {
  /** Set for one that is made once, however often it is asked for. */
  readonly asked?: AskedRequest | undefined;
  /** The commit that is merged in or taken back. */
  readonly find: () => Promise<CommitRow>;
  /** Works out what that makes of a head. */
  readonly plan: (
    ground: PlanningGround,
    tip: Tip,
    commit: CommitRow,
  ) => Promise<PlannedMerge>;
  /** Asks the guard about what was worked out. */
  readonly judge: (
    ground: PlanningGround,
    branch: string,
    planned: PlannedMerge,
  ) => Promise<void>;
}

/** What waits in a queue. */
export type Proposal = PreparedWrite | PreparedMerge;

/** What becomes of a proposal on a certain head, and what is to be kept of it. */
export type Outcome = Fate & { readonly kept?: KeptRequest };

type Fate =
  /** A commit is made; `result` is what a merge answers. */
  | {
    readonly is: "commit";
    readonly planned: PlannedCommit;
    readonly rows: CommitRows;
    readonly result: MergeResult | null;
  }
  /** The branch goes to a commit that is stored. */
  | {
    readonly is: "adopt";
    readonly row: CommitRow;
    readonly result: MergeResult;
  }
  /** A write changes nothing. */
  | { readonly is: "unchanged"; readonly head: CommitRow | null }
  /** A merge writes nothing. */
  | { readonly is: "settled"; readonly result: MergeResult }
  /** It was made before, under its key: the answer is that of then. */
  | {
    readonly is: "repeated";
    readonly written: Written;
    readonly result: MergeResult | null;
  }
  | { readonly is: "failed"; readonly error: unknown };

/** An outcome, or that the proposal is too large to share an atomic write. */
export type Planned =
  | Outcome
  | { readonly is: "large"; readonly edits: PlannedEdits };

/** An outcome that is a commit. */
export type CommitOutcome = Extract<Outcome, { readonly is: "commit" }>;

/** The commits among outcomes. */
export function commitsOf(outcomes: readonly Outcome[]): CommitOutcome[] {
  return outcomes.filter((outcome) => outcome.is === "commit");
}

/** The commit that an outcome puts the branch on, if it moves it. */
export function rowOf(outcome: Outcome): CommitRow | null {
  if (outcome.is === "commit") return outcome.planned.made.row;
  return outcome.is === "adopt" ? outcome.row : null;
}

/** The ids of those commits, in order. */
export function landingsOf(outcomes: readonly Outcome[]): string[] {
  return outcomes.flatMap((outcome) => rowOf(outcome)?.commit.id ?? []);
}

/** What is to be kept of outcomes. */
export function keptOf(outcomes: readonly Outcome[]): KeptRequest[] {
  return outcomes.flatMap(({ kept }) => kept ?? []);
}

/** What becomes of a write that changes nothing. */
export function unchanged(
  write: PreparedWrite,
  head: CommitRow | null,
): Outcome {
  if (!write.mustChange) return { is: "unchanged", head };
  throw new MnemError("not_found", "Cannot write: nothing would change");
}

/** The answer to a write. */
export function writtenBy(outcome: Outcome): Written {
  if (outcome.is === "repeated") return outcome.written;
  if (outcome.is === "commit") {
    const { made, changes } = outcome.planned;
    return { commit: made.row.commit.id, changes };
  }
  const head = outcome.is === "unchanged" ? outcome.head : null;
  return { commit: head?.commit.id ?? null, changes: new Map() };
}

/** The answer to a merge or revert. */
export function mergedBy(outcome: Outcome): MergeResult {
  const result = "result" in outcome ? outcome.result : null;
  invariant(result !== null, "a merge comes to a result");
  return result;
}
