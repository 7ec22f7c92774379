/**
 * Pages of lists, bounded in entries and bytes, in the shapes that tools and resources share.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { history, recallAll, toWire, whatsNew } from "@mnem/agents";
import {
  type ChangeKind,
  type Json,
  type MergeResult,
  type ObjectId,
  PAGE_BYTES_MAX,
  type Store,
  type Written,
} from "@mnem/core";
import { jsonBytes, type JsonObject } from "./json_text.ts";
import {
  ANSWER_BYTES,
  CHANGES_BYTES_MAX,
  CHANGES_ENTRIES_DEFAULT,
} from "./limits.ts";

const ENTRIES_BYTES_MAX = PAGE_BYTES_MAX - ANSWER_BYTES;

/** Stands for the commit of a branch that has none. */
export const NO_COMMIT = "none";

/** Which page of a list. */
export interface PageOptions {
  /** At most so many entries. */
  readonly limit?: number | undefined;
  /** Where an earlier page ended. */
  readonly cursor?: string | undefined;
}

/** Which page of memory. */
export interface RecallOptions extends PageOptions {
  /** As of this revision; HEAD if absent. */
  readonly at?: string | undefined;
  /** Only ids that begin with it. */
  readonly prefix?: string | undefined;
  /** Only nodes that contain it. */
  readonly query?: string | undefined;
}

/** Returns `{result: [nodes], next_cursor?, as_of}`. */
export async function recallPage(
  store: Store,
  options: RecallOptions = {},
): Promise<JsonObject> {
  const { nodes, asOf, cursor } = await recallAll(store, options);
  return {
    result: nodes.map((node) => toWire(node)),
    ...nextCursor(cursor),
    as_of: asOf ?? NO_COMMIT,
  };
}

/** Returns `{result: [commits], next_cursor?}`, newest first. */
export async function historyPage(
  store: Store,
  options: PageOptions = {},
): Promise<JsonObject> {
  const { commits, cursor } = await history(store, options);
  return {
    result: commits.map((commit) => toWire(commit)),
    ...nextCursor(cursor),
  };
}

/**
 * Returns `{result: {id: kind}, next_cursor?}` for what a commit changed. A cursor stays with the
 * commit of its first page, even if the revision names another by now.
 *
 * @throws {TypeError} on a cursor that is none, or belongs to another revision.
 */
export async function changesPage(
  store: Store,
  revision: string,
  options: PageOptions = {},
): Promise<JsonObject> {
  const { commit, offset } = options.cursor === undefined
    ? { commit: await store.resolve(revision), offset: 0 }
    : readCursor(options.cursor, revision);
  const page = takeChanges(await whatsNew(store, commit), {
    offset,
    entriesMax: options.limit ?? CHANGES_ENTRIES_DEFAULT,
    bytesMax: ENTRIES_BYTES_MAX,
  });
  return {
    result: page.changes,
    ...nextCursor(changesCursor(revision, commit, page.next)),
  };
}

/** Returns `{commit, changes, next_cursor?}` for what a write did; the cursor goes on in `whats_new` of that commit. */
export function writtenPage(written: Written): JsonObject {
  const commit = written.commit ?? NO_COMMIT;
  const page = takeChanges(written.changes, { bytesMax: ENTRIES_BYTES_MAX });
  return {
    commit,
    changes: page.changes,
    ...nextCursor(changesCursor(commit, commit, page.next)),
  };
}

/**
 * Returns `{changed: {id: kind}, next_changed_cursor?, state: [nodes], next_cursor?}` for a commit:
 * what it changed and the memory as of it, together at most a page. The cursors go on in `whats_new`
 * and `recall_at` of that commit.
 */
export async function commitPage(
  store: Store,
  commit: ObjectId,
): Promise<JsonObject> {
  const changed = takeChanges(await whatsNew(store, commit), {
    bytesMax: CHANGES_BYTES_MAX,
  });
  const room = ENTRIES_BYTES_MAX - jsonBytes(changed.changes);
  let state = await recallPage(store, { at: commit });
  const { result } = state;
  const nodes = Array.isArray(result) ? result : [];
  const limit = fitting(nodes, room);
  if (limit < nodes.length) {
    state = await recallPage(store, { at: commit, limit });
  }
  const cursor = changesCursor(commit, commit, changed.next);
  return {
    changed: changed.changes,
    ...(cursor === undefined ? {} : { next_changed_cursor: cursor }),
    state: state["result"] ?? [],
    ...("next_cursor" in state ? { next_cursor: state["next_cursor"] } : {}),
  };
}

/**
 * Returns `{result: {name: commit}, next_cursor?}` for the branches, by name. A cursor is the last
 * name of its page, so that branches may come and go in between.
 *
 * @throws {TypeError} on a cursor that is none.
 */
export async function branchesPage(
  store: Store,
  options: PageOptions = {},
): Promise<JsonObject> {
  const { limit = CHANGES_ENTRIES_DEFAULT, cursor } = options;
  // Names of branches are ASCII, whose order is the same everywhere.
  const after = cursor === undefined ? "" : readName(cursor);
  const rest = [...await store.branches()].filter(([name]) => name > after);
  const count = Math.min(limit, fitting(rest, ENTRIES_BYTES_MAX));
  const [last] = rest[count - 1] ?? [];
  return {
    result: Object.fromEntries(rest.slice(0, count)),
    ...nextCursor(
      count < rest.length && last !== undefined
        ? encoded(["branches", last])
        : undefined,
    ),
  };
}

/**
 * Returns the wire shape of a merge, its lists cut to a page together; `conflicts_omitted` and its
 * like count what was left out. Of a merge that was made the cursor goes on in `whats_new` of it. Of
 * conflicts the rest is seen by resolving those shown.
 */
export function mergePage(merge: MergeResult): JsonObject {
  const conflicts = merge.conflicts.map((conflict) => toWire(conflict));
  const shown = fitting(conflicts, ENTRIES_BYTES_MAX);
  const evidence = fitting(merge.reconciled, CHANGES_BYTES_MAX);
  const changes = takeChanges(merge.changes, {
    bytesMax: ENTRIES_BYTES_MAX - CHANGES_BYTES_MAX,
  });
  const { status, commit } = merge;
  const more = changes.next;
  return {
    status,
    commit,
    conflicts: conflicts.slice(0, shown),
    changes: changes.changes,
    reconciled: merge.reconciled.slice(0, evidence),
    ...omitted("conflicts", conflicts.length - shown),
    ...omitted("changes", merge.changes.size - (more ?? merge.changes.size)),
    ...omitted("reconciled", merge.reconciled.length - evidence),
    ...(status === "merged" && commit !== null
      ? nextCursor(changesCursor(commit, commit, more))
      : {}),
  };
}

function omitted(list: string, count: number): JsonObject {
  return count === 0 ? {} : { [`${list}_omitted`]: count };
}

interface ChangesTaken {
  readonly changes: JsonObject;
  /** Where the next page begins; undefined at the end. */
  readonly next: number | undefined;
}

function takeChanges(
  changes: ReadonlyMap<string, ChangeKind>,
  options: { offset?: number; entriesMax?: number; bytesMax: number },
): ChangesTaken {
  const { offset = 0, entriesMax = Infinity, bytesMax } = options;
  const taken: [string, ChangeKind][] = [];
  let bytes = 2;
  for (const [id, kind] of [...changes].slice(offset)) {
    bytes += jsonBytes(id) + jsonBytes(kind) + 2;
    const full = taken.length >= entriesMax || bytes > bytesMax;
    if (full && taken.length > 0) {
      return {
        changes: Object.fromEntries(taken),
        next: offset + taken.length,
      };
    }
    taken.push([id, kind]);
  }
  return { changes: Object.fromEntries(taken), next: undefined };
}

/** Returns how many entries of a list fit: at least one, so that it always moves on. */
function fitting(list: readonly Json[], bytesMax: number): number {
  let bytes = 2;
  const over = list.findIndex((entry, index) => {
    bytes += jsonBytes(entry) + 1;
    return index > 0 && bytes > bytesMax;
  });
  return over === -1 ? list.length : over;
}

function nextCursor(cursor: string | undefined): { next_cursor?: string } {
  return cursor === undefined ? {} : { next_cursor: cursor };
}

function changesCursor(
  revision: string,
  commit: ObjectId,
  offset: number | undefined,
): string | undefined {
  if (offset === undefined) return undefined;
  return encoded([revision, commit, offset]);
}

function encoded(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

function readCursor(
  cursor: string,
  revision: string,
): { commit: ObjectId; offset: number } {
  const [of, commit, offset] = decodedCursor(cursor);
  if (
    typeof commit !== "string" || !Number.isSafeInteger(offset) ||
    Number(offset) < 0
  ) {
    throw new TypeError(
      `Cannot page: "${cursor}" is not a cursor of whats_new`,
    );
  }
  if (of !== revision) {
    throw new TypeError(
      `Cannot page: the cursor belongs to commit "${of}", not to "${revision}"`,
    );
  }
  return { commit, offset: Number(offset) };
}

function readName(cursor: string): string {
  const [list, name] = decodedCursor(cursor);
  if (list === "branches" && typeof name === "string") return name;
  throw new TypeError(`Cannot page: "${cursor}" is not a cursor of branch`);
}

function decodedCursor(cursor: string): unknown[] {
  try {
    const decoded: unknown = JSON.parse(
      Buffer.from(cursor, "base64url").toString("utf8"),
    );
    return Array.isArray(decoded) ? decoded : [];
  } catch {
    return [];
  }
}
