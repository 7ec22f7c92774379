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
  type Planned,
  type PreparedMerge,
  type Proposal,
  rowOf,
  type Tip,
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
  /** Where it stands after the requests before. */
  readonly tip: Tip;
  /** What the branch keeps. */
  readonly ledger: RequestLedger | undefined;
}

/** Plans a proposal, unless it was made before under its key, and says what is to be kept of it. */
export async function planOnce<P extends Planned>(
  made: Made,
  proposal: Proposal,
  plan: () => Promise<P>,
): Promise<P | Outcome> {
  const { asked } = proposal;
  if (asked === undefined) return await plan();
  const again = await repeated(made, proposal, asked);
  if (again !== null) return again;
  const planned = await plan();
  return planned.is === "large"
    ? planned
    : await withKept(planned, proposal, { ...asked, ...made });
}

/** What becomes of a proposal that was made before; null: it was not. */
async function repeated(
  made: Made,
  proposal: Proposal,
  asked: AskedRequest,
): Promise<Outcome | null> {
  const kept = made.ledger?.find(asked.name);
  if (kept === undefined) return null;
  const { reader } = made.store;
  const at = kept.commit ?? kept.before;
  const row = at === null ? null : await reader.commit(at);
  // Of another branch that had this name, and was deleted by a version that keeps no requests.
  const { row: head } = made.head;
  if (row && !(head && await isAncestor(reader, row, head))) return null;
  if (!isSameRequest(asked, kept)) {
    return { is: "failed", error: otherRequest(asked, row?.commit.id ?? null) };
  }
  const result = "plan" in proposal
    ? await mergedAgain(made, proposal, kept)
    : null;
  const answer = result ?? await writtenAgain(made.store, kept, row);
  return { is: "repeated", written: answer, result };
}

/** An outcome with what is to be kept of it: of what failed or conflicts nothing is. */
async function withKept(
  planned: Outcome,
  proposal: Proposal,
  { name, digest, isStaged, tip }: AskedRequest & Made,
): Promise<Outcome> {
  const isKept = planned.is !== "failed" &&
    !("result" in planned && planned.result?.status === "conflicts");
  if (!isKept) return planned;
  const row = rowOf(planned);
  const target = "plan" in proposal ? await proposal.find() : null;
  // The commit of a write says itself what was before.
  const before = target === null && row !== null ? null : tip.row;
  const commits = {
    before: shortName(before),
    commit: shortName(row),
    target: shortName(target),
  };
  return { ...planned, kept: { name, digest, isStaged, ...commits } };
}

function isSameRequest(asked: AskedRequest, kept: KeptRequest): boolean {
  return asked.digest === kept.digest || asked.isEmptied && kept.isStaged;
}

function shortName(row: CommitRow | null): string | null {
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

async function writtenAgain(
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
async function mergedAgain(
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
