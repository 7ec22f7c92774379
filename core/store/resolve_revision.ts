/**
 * Finds the commit that a revision names.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { firstParentLog } from "../history/log.ts";
import { parseRevision, type RevisionStep } from "../history/revision_text.ts";
import { findAncestor } from "../history/skip_list.ts";
import { ID_PREFIX_DIGITS_MIN } from "../limits.ts";
import { isBranchName } from "../object/branch_name.ts";
import { shortOf } from "../object/graph_commit.ts";
import { isObjectId } from "../object/object_id.ts";
import { quote } from "../object/quote.ts";
import type { CommitRow } from "../storage/commit_row.ts";
import type { Row } from "../storage/driver.ts";
import type { Position } from "../storage/head.ts";
import { commitsRange } from "../storage/keys.ts";
import type { SharedStore } from "./shared_store.ts";

/** Commits with one prefix that are looked at before it counts as ambiguous. */
const CANDIDATES_MAX = 8;

/**
 * The commit that a revision names, as seen from a position. Throws `invalid_ref` for text that is
 * no revision, names nothing, or is the prefix of several commits.
 */
export async function resolveRevision(
  store: SharedStore,
  position: Position,
  text: string,
): Promise<CommitRow> {
  const head = () => readHeadCommit(store, position);
  return await readNamed(store, await followRevision(store, head, text));
}

/**
 * The commits that two revisions name, seen from a position at one moment: of the first the short
 * id, for it need not be read where it is the parent of the second.
 */
export async function resolvePair(
  store: SharedStore,
  position: Position,
  [from, to]: readonly [string, string],
): Promise<readonly [string, CommitRow]> {
  let read: Promise<CommitRow | null> | undefined;
  const head = () => read ??= readHeadCommit(store, position);
  const [before, after] = await Promise.all([
    followRevision(store, head, from),
    followRevision(store, head, to).then((named) => readNamed(store, named)),
  ]);
  return [
    typeof before === "string" ? before : shortOf(before.commit.id),
    after,
  ];
}

/** A commit, or the short id of one that is not read yet. */
type Named = CommitRow | string;

async function readNamed(store: SharedStore, named: Named): Promise<CommitRow> {
  return typeof named === "string" ? await store.reader.commit(named) : named;
}

/** Goes where a revision leads, up to a last step that is known without reading the commit there. */
async function followRevision(
  store: SharedStore,
  head: () => Promise<CommitRow | null>,
  text: string,
): Promise<Named> {
  const { base, steps } = parseRevision(text);
  let named: Named = await resolveBase(store, head, base);
  for (const step of steps) {
    named = await takeStep(store, await readNamed(store, named), step, text);
  }
  return named;
}

/** The commit of HEAD; null on a branch that has none. */
export async function readHeadCommit(
  store: SharedStore,
  position: Position,
): Promise<CommitRow | null> {
  return (await store.heads.read(position)).head.row;
}

async function resolveBase(
  store: SharedStore,
  head: () => Promise<CommitRow | null>,
  base: string,
): Promise<CommitRow> {
  if (base === "HEAD") {
    const row = await head();
    if (row === null) {
      throw new MnemError(
        "invalid_ref",
        `Cannot resolve "HEAD": the branch has no commit yet`,
      );
    }
    return row;
  }
  // A whole id names that commit for ever, whatever branches there are.
  if (isObjectId(base)) {
    const [row] = await store.reader.commits([shortOf(base.toLowerCase())]);
    if (row?.commit.id === base.toLowerCase()) return row;
  }
  const digits = base.toLowerCase();
  // Not isHex, which knows whole bytes only: a prefix may be of any length.
  const isPrefix = /^[0-9a-f]*$/.test(digits) && digits.length <= 64 &&
    digits.length >= ID_PREFIX_DIGITS_MIN;
  const [branch, candidates] = await Promise.all([
    isBranchName(base) ? store.heads.commitOf(base) : null,
    isPrefix ? listCandidates(store, digits) : null,
  ]);
  if (branch !== null) return branch;
  if (candidates !== null) {
    return await choosePrefix(store, { base, digits, candidates });
  }
  throw new MnemError(
    "invalid_ref",
    `Cannot resolve revision ${
      quote(base)
    }: no branch has that name, and it is no id of a ` +
      `commit (${ID_PREFIX_DIGITS_MIN} to 64 hex digits)`,
  );
}

async function listCandidates(
  { driver }: SharedStore,
  digits: string,
): Promise<Row[]> {
  const rows: Row[] = [];
  const range = commitsRange(shortOf(digits));
  const options = { limit: CANDIDATES_MAX };
  for await (const row of driver.list(range, options)) rows.push(row);
  return rows;
}

/** Chooses the commit whose id begins with these digits, among rows that may be such. */
async function choosePrefix(
  store: SharedStore,
  { base, digits, candidates }: {
    readonly base: string;
    readonly digits: string;
    readonly candidates: readonly Row[];
  },
): Promise<CommitRow> {
  const found: CommitRow[] = [];
  for (const row of candidates) {
    const commit = await store.reader.commitOf(row);
    if (commit.commit.id.startsWith(digits)) found.push(commit);
  }
  const [first, ...others] = found;
  if (first === undefined) {
    throw new MnemError(
      "invalid_ref",
      `Cannot resolve revision ${quote(base)}: no such commit`,
    );
  }
  if (others.length > 0) {
    const ids = found.map(({ commit }) => commit.id.slice(0, 12)).join(", ");
    throw new MnemError(
      "invalid_ref",
      `Cannot resolve revision ${
        quote(base)
      }: it is ambiguous, these begin so: ${ids}`,
    );
  }
  return first;
}

async function takeStep(
  store: SharedStore,
  from: CommitRow,
  step: RevisionStep,
  text: string,
): Promise<Named> {
  const { reader } = store;
  if ("back" in step) {
    if (step.back <= from.depth) {
      return await findAncestor(reader, from, from.depth - step.back);
    }
  } else if ("parent" in step) {
    if (step.parent === 0) return from;
    const parent = from.commit.parents[step.parent - 1];
    if (parent !== undefined) return shortOf(parent);
  } else {
    for await (const row of firstParentLog(reader, from)) {
      if (row.commit.timeMs <= step.atMs) return row;
    }
  }
  throw new MnemError(
    "invalid_ref",
    `Cannot resolve revision ${quote(text)}: history does not reach that far`,
  );
}
