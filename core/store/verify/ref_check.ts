/**
 * Checks what may change in a store: what it says of itself, HEAD, the branches, the stage.
 *
 * @module
 */

import { isBranchName } from "../../object/branch_name.ts";
import { shortOf } from "../../object/graph_commit.ts";
import { decodeNode } from "../../object/memory_node.ts";
import { quote } from "../../object/quote.ts";
import type { Row } from "../../storage/driver.ts";
import {
  HEAD_KEY,
  META_KEY,
  refKey,
  STAGE_MARK_KEY,
} from "../../storage/keys.ts";
import {
  type HeadValue,
  readHeadRow,
  readMetaRow,
  type StoreMeta,
} from "../../storage/meta_row.ts";
import { decodeRefRow, type RefRow } from "../../storage/ref_row.ts";
import { describeKey, sameBytes } from "../../storage/row.ts";
import type { FaultList } from "./fault_list.ts";
import type { KnownCommits } from "./known_commits.ts";
import type { RowReader } from "./row_reader.ts";

/** Where HEAD was looked for without an end to its moves. */
const TRIES_MAX = 100;

/** A branch as its row has it. */
export interface NamedRef {
  /** The row, for a message. */
  readonly name: string;
  /** What it holds. */
  readonly ref: RefRow;
}

/** Checks the row that makes a store; `meta` is what it said when the store was opened. */
export async function checkMeta(
  rows: RowReader,
  faults: FaultList,
  meta: StoreMeta,
): Promise<void> {
  const [row] = await rows.counted([META_KEY]);
  const name = `Row ${describeKey(META_KEY)}`;
  if (!row) return faults.add("meta", `${name} is not stored`);
  if (await rows.payload(row, true) === null) return;
  const found = faults.attempt(name, () => readMetaRow(row.value), "meta");
  if (found === null) return;
  if (!sameBytes(found.storeId, meta.storeId)) {
    faults.add("meta", `${name} is that of another store than was opened`);
  }
  if (!isBranchName(found.defaultBranch)) {
    faults.add(
      "meta",
      `${name} has the default branch ${
        quote(found.defaultBranch)
      }, which is no name of a branch`,
    );
  }
}

/** Reads the rows of all branches. */
export async function readRefs(
  rows: RowReader,
  faults: FaultList,
): Promise<NamedRef[]> {
  const refs: NamedRef[] = [];
  for await (const row of rows.list("r", ["text"])) {
    const name = `Row ${describeKey(row.key)}`;
    if (!isBranchName(String(row.key[1]))) {
      faults.add("ref", `${name} has a key that is no name of a branch`);
    }
    const payload = await rows.payload(row, true);
    const ref = payload === null
      ? null
      : faults.attempt(name, () => decodeRefRow(payload));
    if (ref !== null) refs.push({ name, ref });
  }
  return refs;
}

/** HEAD as it stands, with the branch that it is on; null after a fault. Reads until both are of one moment. */
export async function readHead(
  rows: RowReader,
  faults: FaultList,
): Promise<{ readonly value: HeadValue; readonly ref: Row | null } | null> {
  const name = `Row ${describeKey(HEAD_KEY)}`;
  let [row] = await rows.counted([HEAD_KEY]);
  for (let i = 0; i < TRIES_MAX; i++) {
    if (!row) {
      faults.add("head", `${name} is not stored`);
      return null;
    }
    const { value: bytes } = row;
    if (await rows.payload(row, true) === null) return null;
    const value = faults.attempt(name, () => readHeadRow(bytes), "head");
    if (value === null || "commit" in value) {
      return value === null ? null : { value, ref: null };
    }
    const [again, ref] = await rows.rows([HEAD_KEY, refKey(value.branch)]);
    if (again && sameBytes(again.value, bytes)) {
      return { value, ref: ref ?? null };
    }
    row = again;
  }
  return null;
}

/**
 * Whether HEAD is on something. The default branch alone may be without a commit; but where a commit
 * is on no branch, that one was lost.
 */
export function checkHead(
  head: NonNullable<Awaited<ReturnType<typeof readHead>>>,
  refs: readonly NamedRef[],
  { meta, commits, faults }: {
    readonly meta: StoreMeta;
    readonly commits: KnownCommits;
    readonly faults: FaultList;
  },
): void {
  const name = `Row ${describeKey(HEAD_KEY)}`;
  const { value, ref } = head;
  if ("commit" in value) {
    commits.isLinked(value.commit.toLowerCase(), name);
    return;
  }
  if (ref !== null) return;
  const what = `${name} is on the branch ${quote(value.branch)}, which is not`;
  if (value.branch !== meta.defaultBranch) {
    faults.add("head", `${what} stored`);
    return;
  }
  const named = new Set(refs.map(({ ref }) => ref.commit));
  const lost = commits.tips().find((id) => !named.has(id));
  if (lost !== undefined) {
    faults.add("head", `${what} stored, and commit ${lost} is on no branch`);
  }
}

/** Checks what is staged. */
export async function checkStage(
  rows: RowReader,
  faults: FaultList,
): Promise<void> {
  let isStaged = false;
  for await (const row of rows.list("s", ["text"])) {
    isStaged = true;
    const name = `Row ${describeKey(row.key)}`;
    const payload = await rows.payload(row, true);
    if (payload === null || payload.length === 0) continue;
    const node = faults.attempt(name, () => decodeNode(payload));
    if (node !== null && node.id !== row.key[1]) {
      faults.add("stage", `${name} holds the node ${quote(node.id)}`);
    }
  }
  const [mark] = await rows.counted([STAGE_MARK_KEY]);
  const name = `Row ${describeKey(STAGE_MARK_KEY)}`;
  if (!mark) {
    if (isStaged) {
      faults.add("stage", `${name} is not stored, and something is staged`);
    }
    return;
  }
  const payload = await rows.payload(mark, true);
  if (payload !== null && payload.length > 0) {
    faults.add("stage", `${name} must be empty`);
  }
}

/** The commits that branches and HEAD name. */
export function namedCommits(
  refs: readonly NamedRef[],
  head: HeadValue | undefined,
): string[] {
  const named = refs.map(({ ref }) => ref.commit);
  const detached = head !== undefined && "commit" in head ? [head.commit] : [];
  return [...named, ...detached.map((id) => id.toLowerCase())]
    .filter((id) => shortOf(id).length === 32);
}
