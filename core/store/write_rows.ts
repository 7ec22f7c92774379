/**
 * The rows of planned commits, and the atomic writes that carry them.
 *
 * @module
 */

import {
  GROUP_BYTES_MAX,
  GROUP_MUTATIONS_MAX,
  SINGLE_WRITE_KEY_BYTES_MAX,
} from "../limits.ts";
import { type AtomicCost, atomicCost } from "../storage/budget.ts";
import { addressOf, encodeChunk } from "../storage/chunk_record.ts";
import type { AtomicWrite, Check, Key } from "../storage/driver.ts";
import type { Head } from "../storage/head.ts";
import { commitKey, nodeKey, refKey, removalKey } from "../storage/keys.ts";
import { encodeRefRow } from "../storage/ref_row.ts";
import { type FramedRow, frameRow, type NewRow } from "../storage/row.ts";
import type { Chunk } from "../state/chunk.ts";
import type { MadeCommit } from "./make_commit.ts";
import type { CommittedEdit, PlannedCommit } from "./plan_commit.ts";

/** Rows of one commit: what its final atomic write sets, and what must be there before. */
export interface CommitRows {
  /** Set with the commit. */
  readonly sets: readonly NewRow[];
  /** Pieces of long values, set before. */
  readonly ahead: readonly NewRow[];
}

/** The row of a node's bytes, and its pieces if it is long; null where there is nothing to store. */
export function nodeRow({ id, node }: CommittedEdit): FramedRow | null {
  if (node === null || node.bytes === null) return null;
  return frameRow(nodeKey(id, node.object), node.bytes, false);
}

/** The rows that mark what a commit removed; `by` is its id, or the pack of a bulk commit. */
export function removalRows(
  edits: readonly CommittedEdit[],
  by: string,
): NewRow[] {
  return edits.filter((edit) => edit.node === null).map((edit) => ({
    key: removalKey(edit.id, by),
    value: new Uint8Array(),
  }));
}

/** All rows of a commit but its branch's. */
export function commitRows(planned: PlannedCommit): CommitRows {
  const framed = [
    planned.made.framed,
    ...planned.edits.flatMap((edit) => nodeRow(edit) ?? []),
  ];
  // The commit's row last, and the branch's after it: a write that fails half-way on a broken disk
  // leaves no row that names a missing one.
  const [commit, ...nodes] = framed.map(({ key, value }) => ({ key, value }));
  const removals = removalRows(planned.edits, planned.made.row.commit.id);
  return {
    sets: [...nodes, ...removals, commit!],
    ahead: framed.flatMap(({ pieces }) => pieces),
  };
}

/** The row that puts a branch on a commit. `root` is the chunk at the root of its state. */
export function branchRow(
  branch: string,
  made: MadeCommit,
  root: Chunk,
): FramedRow {
  const home = { self: made.origin, pack: addressOf(made.row.root).pack };
  const own = made.placed.at(-1);
  // The root of a state with new chunks is the last of them, and its record is the same here.
  const record = own?.chunk === root ? own.record : encodeChunk(root, home);
  return frameRow(
    refKey(branch),
    encodeRefRow(made.row.commit.id, made.meta, record),
    true,
  );
}

/** What a write must find: the head as it was read, and the first new commit absent. */
export function commitChecks(
  head: Head,
  first: MadeCommit,
): readonly Check[] {
  return [...head.checks, {
    key: commitKey(first.row.commit.id),
    versionstamp: null,
  }];
}

/** Whether an atomic write of this cost leaves room for a ref and its checks. */
export function fitsOneWrite(cost: AtomicCost): boolean {
  return cost.bytes <= GROUP_BYTES_MAX &&
    cost.mutations <= GROUP_MUTATIONS_MAX &&
    cost.setKeyBytes <= SINGLE_WRITE_KEY_BYTES_MAX;
}

/** The sum of two costs. */
export function addCost(a: AtomicCost, b: AtomicCost): AtomicCost {
  return {
    checks: a.checks + b.checks,
    mutations: a.mutations + b.mutations,
    bytes: a.bytes + b.bytes,
    setKeyBytes: a.setKeyBytes + b.setKeyBytes,
  };
}

/** Cuts rows to set and to delete into batches that each fit one atomic write. */
export function* inBatches(
  { sets = [], deletes = [] }: Pick<AtomicWrite, "sets" | "deletes">,
): Generator<{ readonly sets: NewRow[]; readonly deletes: Key[] }> {
  const steps: Pick<AtomicWrite, "sets" | "deletes">[] = [
    ...sets.map((row) => ({ sets: [row] })),
    ...deletes.map((key) => ({ deletes: [key] })),
  ];
  let batch: { sets: NewRow[]; deletes: Key[] } = { sets: [], deletes: [] };
  let cost = atomicCost({});
  for (const step of steps) {
    const next = addCost(cost, atomicCost(step));
    if (cost.mutations > 0 && !fitsOneWrite(next)) {
      yield batch;
      batch = { sets: [], deletes: [] };
      cost = atomicCost(step);
    } else {
      cost = next;
    }
    batch.sets.push(...step.sets ?? []);
    batch.deletes.push(...step.deletes ?? []);
  }
  if (cost.mutations > 0) yield batch;
}
