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
  const fitting = fittingNodes(state["result"], room);
  if (fitting !== undefined) {
    state = await recallPage(store, { at: commit, limit: fitting });
  }
  const cursor = changesCursor(commit, commit, changed.next);
  return {
    changed: changed.changes,
    ...(cursor === undefined ? {} : { next_changed_cursor: cursor }),
    state: state["result"] ?? [],
    ...("next_cursor" in state ? { next_cursor: state["next_cursor"] } : {}),
  };
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

/** Returns how many nodes fit, at least one, or undefined if all do. */
function fittingNodes(
  nodes: Json | undefined,
  bytesMax: number,
): number | undefined {
  if (!Array.isArray(nodes)) return undefined;
  let bytes = 2;
  const over = nodes.findIndex((node, index) => {
    bytes += jsonBytes(node) + 1;
    return index > 0 && bytes > bytesMax;
  });
  return over === -1 ? undefined : over;
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
  return Buffer.from(JSON.stringify([revision, commit, offset]))
    .toString("base64url");
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
