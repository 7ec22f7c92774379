/**
 * Merging into a branch, and taking back what a commit did.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { shortOf } from "../object/graph_commit.ts";
import { quote } from "../object/quote.ts";
import type { CommitRow } from "../storage/commit_row.ts";
import type { Position } from "../storage/head.ts";
import { askGuard, shownEdit } from "./judge_write.ts";
import {
  askedMerge,
  type MergeRequest,
  prepareMerge,
} from "./merge_request.ts";
import type { PreparedMerge } from "./outcome.ts";
import type { PlanningGround } from "./plan_commit.ts";
import { planMerge, type PlannedMerge, planRevert } from "./plan_merge.ts";
import { resolveRevision } from "./resolve_revision.ts";
import type { Session } from "./session.ts";
import type {
  Edit,
  MergeOptions,
  MergeResult,
  RevertOptions,
  Revision,
} from "./surface.ts";

/** A branch that is merged into: the handle, and its position. */
export interface MergeTarget {
  /** The handle. */
  readonly session: Session;
  /** Where it is. */
  readonly position: Position;
}

/** Merges the commit that a revision names. The work is done again whenever the branch moves. */
export async function mergeRevision(
  target: MergeTarget,
  theirs: Revision,
  options: MergeOptions,
): Promise<MergeResult> {
  const request = prepareMerge(options, target.session);
  const asked = askedMerge(options, ["merge", String(theirs)], request);
  return await queueMerge(target, theirs, {
    asked,
    plan: (ground, tip, row) =>
      planMerge(ground, tip, { row, named: theirs }, request),
  });
}

/** Takes back what the commit that a revision names changed against a parent. */
export async function revertRevision(
  target: MergeTarget,
  revision: Revision,
  options: RevertOptions,
): Promise<MergeResult> {
  const request: MergeRequest = prepareMerge(options, target.session);
  const what = ["revert", String(revision), String(options.parent ?? 1)];
  return await queueMerge(target, revision, {
    asked: askedMerge(options, what, request),
    plan: async (ground, tip, commit) => {
      const parent = await parentOf(ground.reader, commit, options.parent);
      if (tip.row === null) {
        throw new MnemError(
          "invalid_ref",
          "Cannot revert: the branch has no commit yet",
        );
      }
      return await planRevert(ground, tip.row, { commit, parent }, request);
    },
  });
}

/** Puts a merge or revert in line. What it is about is found first, but for one that may have been made before. */
async function queueMerge(
  { session, position }: MergeTarget,
  revision: Revision,
  { asked, plan }: Pick<PreparedMerge, "asked" | "plan">,
): Promise<MergeResult> {
  return await session.run(async (store) => {
    let found: CommitRow | undefined;
    const find = async () =>
      found ??= await resolveRevision(store, position, revision);
    if (asked === undefined) await find();
    const judge: PreparedMerge["judge"] = (ground, branch, planned) =>
      judgePlanned(session, ground, branch, planned);
    return await store.queue(position).merge({ asked, find, plan, judge });
  });
}

/** The parent that a revert goes back to; null: before the root. */
async function parentOf(
  reader: PlanningGround["reader"],
  { commit }: CommitRow,
  number: unknown,
): Promise<CommitRow | null> {
  const count = commit.parents.length;
  if (number === undefined && count > 1) {
    throw new RangeError(
      `Cannot revert ${commit.id}: it is a merge, "parent" must say which of its ${count} parents to go back to`,
    );
  }
  const place = number ?? 1;
  const isParent = place === 1 || place === 2 && count === 2;
  if (!isParent) {
    throw new RangeError(
      `Cannot revert ${commit.id} to parent ${
        quote(String(number))
      }: it has ${count}`,
    );
  }
  const parent = commit.parents[place - 1];
  return parent === undefined ? null : await reader.commit(shortOf(parent));
}

/** Lets the guard see what a merge or revert comes to; a throw of it is `refused`. */
async function judgePlanned(
  session: Session,
  ground: PlanningGround,
  branch: string,
  planned: PlannedMerge,
): Promise<void> {
  const { guard } = session;
  if (guard === undefined || planned.is !== "commit") return;
  const { edits, about } = planned.plan;
  const names = edits.flatMap(({ id, node }) =>
    node === null || node.bytes !== null ? [] : [{ id, object: node.object }]
  );
  const stored = await ground.layer.nodes(names);
  let next = 0;
  const shown = edits.map(({ id, node }): Edit => {
    const bytes = node && (node.bytes ?? stored[next++]!);
    return shownEdit({ id, node: bytes && { bytes } });
  });
  await askGuard(guard, shown, {
    branch,
    author: about.author,
    message: about.message,
  });
}
