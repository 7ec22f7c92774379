/**
 * Works out what a merge or a revert would make of a head. Reads, but writes nothing.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { isAncestor } from "../history/ancestry.ts";
import { decodeNode, type MemoryNode } from "../object/memory_node.ts";
import { quote } from "../object/quote.ts";
import { applyEdits } from "../state/apply_edits.ts";
import type { Entry } from "../state/chunk.ts";
import { diffTrees } from "../state/diff_trees.ts";
import { emptyRoot } from "../state/make_chunk.ts";
import { readEntries } from "../state/read_entry.ts";
import { conflictKind, shownBase } from "../state/three_way.ts";
import type { CommitRow } from "../storage/commit_row.ts";
import type { MergeRequest } from "./merge_request.ts";
import { NodeBases } from "./node_base.ts";
import {
  type CommitPlan,
  type CommittedEdit,
  kindOf,
  type PlanningGround,
} from "./plan_commit.ts";
import { Reconciler } from "./reconcile.ts";
import {
  changesObject,
  type NodeCase,
  refuseStale,
  type Settlement,
  settleNodes,
} from "./settle_nodes.ts";
import type { StateEdit } from "./state_edit.ts";
import type { ChangeKind, Conflict, MergeResult } from "./surface.ts";

/** What a merge comes to on a certain head. */
export type PlannedMerge =
  /** Nothing is written. */
  | { readonly is: "nothing"; readonly result: MergeResult }
  /** The branch goes to a commit that is stored. */
  | {
    readonly is: "adopt";
    readonly row: CommitRow;
    readonly result: MergeResult;
  }
  /** A commit is made; the result lacks its id. */
  | {
    readonly is: "commit";
    readonly plan: CommitPlan;
    readonly result: MergeResult;
  };

const NOTHING: Pick<MergeResult, "commit" | "conflicts" | "reconciled"> = {
  commit: null,
  conflicts: [],
  reconciled: [],
};

/** Plans a merge of a commit into a branch. `named` is what the caller called the commit. */
export async function planMerge(
  ground: PlanningGround,
  ours: { readonly row: CommitRow | null; readonly branch: string },
  theirs: { readonly row: CommitRow; readonly named: string },
  request: MergeRequest,
): Promise<PlannedMerge> {
  const { reader } = ground;
  if (ours.row !== null && await isAncestor(reader, theirs.row, ours.row)) {
    refuseStale(request, new Set());
    return {
      is: "nothing",
      result: { ...NOTHING, status: "up-to-date", changes: new Map() },
    };
  }
  if (ours.row === null || await isAncestor(reader, ours.row, theirs.row)) {
    refuseStale(request, new Set());
    return await planForward(ground, ours.row, theirs.row, request);
  }
  const reconciler = new Reconciler(ground.layer);
  const bases = new NodeBases({ reader, chunks: ground.layer, reconciler });
  if (
    !request.allowUnrelated &&
    (await bases.mergeBases(ours.row, theirs.row)).length === 0
  ) {
    throw new MnemError(
      "invalid_ref",
      `Cannot merge ${
        quote(theirs.named)
      }: the histories have no commit in common`,
    );
  }
  const cases = await mergeCases(ground, bases, ours.row, theirs.row);
  const settled = await settleNodes(
    cases,
    { ...request, theirsIsParent: true },
    reconciler,
  );
  const message = request.message ??
    `merge ${theirs.named} into ${ours.branch}`;
  const about = { message, author: request.author, timeMs: request.timeMs };
  return await concluded(ground, {
    ours: ours.row,
    cases,
    settled,
    request,
    about,
  }, [
    ours.row,
    theirs.row,
  ]);
}

/** Plans taking back what a commit changed against one of its parents; null: against nothing. */
export async function planRevert(
  ground: PlanningGround,
  ours: CommitRow,
  reverted: { readonly commit: CommitRow; readonly parent: CommitRow | null },
  request: MergeRequest,
): Promise<PlannedMerge> {
  const cases: NodeCase[] = [];
  const before = reverted.parent?.root ?? emptyRoot();
  for await (
    const diff of diffTrees(ground.layer, reverted.commit.root, before)
  ) {
    const base = { is: "value", entry: diff.old } as const;
    cases.push({ id: diff.id, base, ours: null, theirs: diff.new });
  }
  const held = await readEntries(
    ground.layer,
    ours.root,
    cases.map(({ id }) => id),
  );
  const filled = cases.map((node) => ({
    ...node,
    ours: held.get(node.id) ?? null,
  }));
  const reconciler = new Reconciler(ground.layer);
  const settled = await settleNodes(filled, {
    ...request,
    theirsIsParent: false,
  }, reconciler);
  const message = request.message ?? `revert ${reverted.commit.commit.id}`;
  const about = { message, author: request.author, timeMs: request.timeMs };
  const planned = { ours, cases: filled, settled, request, about };
  if (settled.conflicts.length === 0 && settled.edits.length === 0) {
    const { reconciled } = settled;
    const result = {
      ...NOTHING,
      status: "up-to-date",
      changes: new Map(),
      reconciled,
    } as const;
    return { is: "nothing", result };
  }
  return await concluded(ground, planned, [ours]);
}

/** The branch has nothing of its own: it goes to theirs. */
async function planForward(
  ground: PlanningGround,
  ours: CommitRow | null,
  theirs: CommitRow,
  request: MergeRequest,
): Promise<PlannedMerge> {
  const changes = new Map<string, ChangeKind>();
  const from = ours?.root ?? emptyRoot();
  for await (
    const { id, old, new: now } of diffTrees(ground.layer, from, theirs.root)
  ) {
    changes.set(
      id,
      kindOf({ old: old?.object ?? null, object: now?.object ?? null }),
    );
  }
  const result: MergeResult = { ...NOTHING, status: "fast-forwarded", changes };
  return request.dryRun ? { is: "nothing", result } : {
    is: "adopt",
    row: theirs,
    result: { ...result, commit: theirs.commit.id },
  };
}

/** Every node that the two sides hold differently, origins included, with its base. */
async function mergeCases(
  ground: PlanningGround,
  bases: NodeBases,
  ours: CommitRow,
  theirs: CommitRow,
): Promise<NodeCase[]> {
  const sides: { id: string; ours: Entry | null; theirs: Entry | null }[] = [];
  for await (
    const diff of diffTrees(ground.layer, ours.root, theirs.root, {
      origins: true,
    })
  ) {
    sides.push({ id: diff.id, ours: diff.old, theirs: diff.new });
  }
  const found = await bases.of(ours, theirs, sides.map(({ id }) => id));
  return sides.map((side) => ({ ...side, base: found.get(side.id)! }));
}

/** What is needed to conclude a plan. */
interface Concluding {
  readonly ours: CommitRow;
  readonly cases: readonly NodeCase[];
  readonly settled: Settlement;
  readonly request: MergeRequest;
  readonly about: CommitPlan["about"];
}

async function concluded(
  ground: PlanningGround,
  { ours, cases, settled, request, about }: Concluding,
  parents: readonly CommitRow[],
): Promise<PlannedMerge> {
  const { edits, reconciled } = settled;
  const held = new Map(cases.map(({ id, ours }) => [id, ours]));
  if (settled.conflicts.length > 0) {
    const conflicts = await Promise.all(
      settled.conflicts.map((node) => shown(ground, node)),
    );
    const result = {
      ...NOTHING,
      status: "conflicts",
      conflicts,
      changes: new Map(),
    } as const;
    return { is: "nothing", result };
  }
  const changes = new Map(
    edits.filter((edit) => changesObject(edit, held.get(edit.id) ?? null)).map(
      (edit) => {
        const old = held.get(edit.id)?.object ?? null;
        return [edit.id, kindOf({ old, object: edit.entry?.object ?? null })];
      },
    ),
  );
  const result: MergeResult = {
    ...NOTHING,
    status: "merged",
    changes,
    reconciled,
  };
  if (request.dryRun) return { is: "nothing", result };
  const old = new Map<string, Entry>();
  for (const [id, entry] of held) if (entry !== null) old.set(id, entry);
  const { root } = await applyEdits(ground.layer, ours.root, edits);
  const committed = edits.filter(({ id }) => changes.has(id)).map(asCommitted);
  return {
    is: "commit",
    plan: { about, parents, edits: committed, old, root },
    result,
  };
}

async function shown(
  ground: PlanningGround,
  node: NodeCase,
): Promise<Conflict> {
  const sides = [shownBase(node.base), node.ours, node.theirs];
  const names = sides.filter((entry) => entry !== null);
  const bytes = await ground.layer.nodes(names);
  let next = 0;
  const read = (entry: Entry | null): MemoryNode | null =>
    entry === null ? null : decodeNode(bytes[next++]!);
  const [base, ours, theirs] = sides.map(read);
  const kind = conflictKind(node.base, node.ours, node.theirs);
  return {
    id: node.id,
    kind,
    base: base ?? null,
    ours: ours ?? null,
    theirs: theirs ?? null,
  };
}

function asCommitted({ id, entry, bytes }: StateEdit): CommittedEdit {
  if (entry === null) return { id, node: null };
  return { id, node: { object: entry.object, bytes: bytes ?? null } };
}
