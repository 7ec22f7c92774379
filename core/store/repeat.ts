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
import type { AskedRequest } from "./asked_request.ts";
import { changeKinds, commitChanges } from "./node_changes.ts";
import {
  type Outcome,
  type Planned,
  type Proposal,
  rowOf,
  type Tip,
  unchanged,
  writtenBy,
} from "./outcome.ts";
import type { PlanningGround } from "./plan_commit.ts";
import type { RequestLedger } from "./request_ledger.ts";
import type { SharedStore } from "./shared_store.ts";

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
  const { store, ground, head } = made;
  const { reader } = store;
  const read = async (short: string | null) =>
    short === null ? null : await reader.commit(short);
  const row = await read(kept.commit ?? kept.before);
  // Of another branch that had this name, and was deleted by a version that keeps no requests.
  if (row && !(head.row && await isAncestor(reader, row, head.row))) {
    return null;
  }
  const commit = row && row.commit.id;
  if (asked.digest !== kept.digest && !(asked.isEmptied && kept.isStaged)) {
    return { is: "failed", error: otherRequest(asked, commit) };
  }
  if ("plan" in proposal) {
    // What a merge came to follows from where the branch stood: it is planned there again.
    const tip = { ...head, row: await read(kept.before) };
    const target = await reader.commit(kept.target ?? "");
    const { result } = await proposal.plan(ground, tip, target);
    const answer = { ...result, commit: kept.commit && commit };
    return { is: "repeated", written: answer, result: answer };
  }
  const written = kept.commit && row
    ? { commit, changes: await changeKinds(commitChanges(store, row)) }
    : writtenBy(unchanged(proposal, row));
  return { is: "repeated", written, result: null };
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
