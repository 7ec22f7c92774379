/**
 * Listing commits in pages.
 *
 * @module
 */

import type { Branch, Commit, ObjectId } from "@mnem/core";
import { checkedLimit, formatCursor, parseCursor, takePage } from "./page.ts";

/** Which commits to list. */
export interface HistoryOptions {
  /** Commits in a page, 20 if left out; a page of long messages holds fewer. */
  readonly limit?: number | undefined;
  /** Only commits that changed this node. */
  readonly node?: string | undefined;
  /** What the page before gave; give `node` again. */
  readonly cursor?: string | undefined;
}

/** One page of history. */
export interface HistoryPage {
  /** Newest first: children before parents. */
  readonly commits: Commit[];
  /** Where the next page begins; left out on the last one. */
  readonly cursor?: string;
}

const COMMITS_LIMIT = 20;

/**
 * Returns the commits of a branch page by page, newest first, each page at most 60 kB as compact JSON
 * unless one commit alone is larger. A cursor stays valid while others write: the pages that follow
 * from one first page leave out what came later.
 *
 * @throws {RangeError} If `limit` is not a positive integer or `cursor` is none of ours.
 *
 * @example
 * ```ts
 * import { openStore } from "@mnem/core";
 * import { history, remember } from "@mnem/agents";
 *
 * await using store = await openStore(Deno.makeTempDirSync(), { create: true });
 * await remember(store, "plan", "enterprise");
 * await remember(store, "plan", "pro", { summary: "read the billing note" });
 * const { commits } = await history(store, { node: "plan", limit: 1 });
 * if (commits[0]?.message !== "read the billing note") throw new Error("newest first");
 * ```
 */
export async function history(
  store: Branch,
  options: HistoryOptions = {},
): Promise<HistoryPage> {
  const { node, cursor } = options;
  const limit = checkedLimit(options.limit, COMMITS_LIMIT);
  const place = cursor === undefined ? null : placeOf(cursor);
  const memory = await store.at(place?.start);
  if (memory.commit === null) return { commits: [] };
  const start = memory.commit.id;
  const skip = place?.skip ?? 0;
  const line = new Line(start, { whole: node === undefined });
  const log = memory.log({ node, limit: skip + limit + 1 });
  const page = await takePage(passOver(log, skip, line), limit);
  if (!page.more) return { commits: page.items };
  for (const commit of page.items) line.pass(commit);
  return { commits: page.items, cursor: line.cursor() };
}

function placeOf(cursor: string): { start: ObjectId; skip: number } {
  const { commit, after } = parseCursor("commits", cursor);
  return { start: commit, skip: Number(after) };
}

async function* passOver(
  log: AsyncIterable<Commit>,
  skip: number,
  line: Line,
): AsyncIterable<Commit> {
  let passed = 0;
  for await (const commit of log) {
    if (passed < skip) {
      passed += 1;
      line.pass(commit);
    } else {
      yield commit;
    }
  }
}

/**
 * Follows a listing to say where it can be taken up again. Where all that is still to come are
 * ancestors of one listed commit, a listing from that commit goes on alike: so a cursor passes over
 * one commit in a line without merges, and over no more than the last fork in any other.
 */
class Line {
  readonly #whole: boolean;
  readonly #pending = new Set<ObjectId>();
  #start: ObjectId;
  #skip = 0;

  constructor(start: ObjectId, options: { readonly whole: boolean }) {
    this.#start = start;
    this.#whole = options.whole;
    this.#pending.add(start);
  }

  pass(commit: Commit): void {
    this.#skip += 1;
    // A listing of one node's commits leaves out parents, so that nothing is known of the rest.
    if (!this.#whole) return;
    if (this.#pending.size === 1) {
      this.#start = commit.id;
      this.#skip = 1;
    }
    this.#pending.delete(commit.id);
    for (const parent of commit.parents) this.#pending.add(parent);
  }

  cursor(): string {
    const after = String(this.#skip);
    return formatCursor({ list: "commits", commit: this.#start, after });
  }
}
