/**
 * Requests with keys: what is kept of one that is made, and the answer to one that was made before
 * (FORMAT.md, "Kept requests").
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { isAncestor } from "../history/ancestry.ts";
import { shortOf } from "../object/graph_commit.ts";
import { quote } from "../object/quote.ts";
import type { CommitRow } from "../storage/commit_row.ts";
import type { KeptRequest } from "../storage/kept_requests.ts";
import type { AskedRequest } from "./asked_request.ts";
import { changeKinds, commitChanges } from "./node_changes.ts";
import {
  type Outcome,
  type PreparedMerge,
  type Proposal,
  rowOf,
  type Tip,
  writtenBy,
} from "./outcome.ts";
import type { PlanningGround } from "./plan_commit.ts";
import type { RequestLedger } from "./request_ledger.ts";
import type { SharedStore } from "./shared_store.ts";
import type { MergeResult, Written } from "./surface.ts";

/** Where a request may have been made before. */
export interface Made {
  /** The store. */
  readonly store: SharedStore;
  /** What planning reads. */
  readonly ground: PlanningGround;
  /** Where the branch stands, as it was read. */
  readonly head: Tip;
  /** What the branch keeps. */
  readonly ledger: RequestLedger | undefined;
  /** What becomes of the requests before, which will be kept with this one. */
  readonly outcomes: readonly Outcome[];
}

/** What becomes of a proposal that was made before under its key; null: it was not, or has no key. */
export async function repeated(
  made: Made,
  proposal: Proposal,
): Promise<Outcome | null> {
  const { asked } = proposal;
  if (asked === undefined) return null;
  const here = made.outcomes.find(({ kept }) => kept?.name === asked.name);
  if (here?.kept !== undefined) {
    const written = writtenBy(here);
    return isSame(asked, here.kept)
      ? { is: "repeated", written, result: null }
      : { is: "failed", error: otherRequest(asked, written.commit) };
  }
  const kept = made.ledger?.find(asked.name);
  if (kept === undefined) return null;
  const { reader } = made.store;
  const at = kept.commit ?? kept.before;
  const row = at === null ? null : await reader.commit(at);
  // Of another branch that had this name, and was deleted by a version that keeps no requests.
  const { row: head } = made.head;
  if (row && !(head && await isAncestor(reader, row, head))) return null;
  if (!isSame(asked, kept)) {
    return { is: "failed", error: otherRequest(asked, row?.commit.id ?? null) };
  }
  const result = "plan" in proposal ? await merged(made, proposal, kept) : null;
  const answer = result ?? await written(made.store, kept, row);
  return { is: "repeated", written: answer, result };
}

/** An outcome that was planned, with what is to be kept of it: of what failed or conflicts nothing is. */
export async function withKept(
  outcome: Outcome,
  proposal: Proposal,
  tip: Tip,
): Promise<Outcome> {
  const { asked } = proposal;
  const isKept = outcome.is !== "failed" &&
    !("result" in outcome && outcome.result?.status === "conflicts");
  if (asked === undefined || !isKept) return outcome;
  const { name, digest, isStaged } = asked;
  const row = rowOf(outcome);
  const target = "plan" in proposal ? await proposal.find() : null;
  // The commit of a write says itself what was before.
  const before = target === null && row !== null ? null : tip.row;
  const commits = {
    before: nameOf(before),
    commit: nameOf(row),
    target: nameOf(target),
  };
  return { ...outcome, kept: { name, digest, isStaged, ...commits } };
}

function isSame(asked: AskedRequest, kept: KeptRequest): boolean {
  return asked.digest === kept.digest || asked.isEmptied && kept.isStaged;
}

function nameOf(row: CommitRow | null): string | null {
  return row && shortOf(row.commit.id);
}

function otherRequest(
  { text }: AskedRequest,
  commit: string | null,
): MnemError {
  return new MnemError(
    "conflict",
    `Cannot use request key ${
      quote(text)
    }: it stands for another request, answered with ${
      commit ?? "no commit"
    }; a new request needs a new key`,
    { data: { key: text, commit } },
  );
}

async function written(
  store: SharedStore,
  { commit }: KeptRequest,
  row: CommitRow | null,
): Promise<Written> {
  const changes = row === null || commit === null
    ? new Map()
    : await changeKinds(commitChanges(store, row));
  return { commit: row?.commit.id ?? null, changes };
}

/** What a merge came to follows from where the branch stood and what was merged: it is planned there again. */
async function merged(
  { store: { reader }, ground, head: { branch } }: Made,
  { plan }: PreparedMerge,
  { before, commit, target }: KeptRequest,
): Promise<MergeResult> {
  const row = before === null ? null : await reader.commit(before);
  const about = await reader.commit(target ?? "");
  const { result } = await plan(ground, { row, branch }, about);
  const made = commit === null ? null : await reader.commit(commit);
  return { ...result, commit: made?.commit.id ?? null };
}
