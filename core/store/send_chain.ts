/**
 * A chain of commits as one atomic write, and what the caches keep of it once it is stored.
 *
 * @module
 */

import { NODE_CACHE_BYTES_MAX } from "../limits.ts";
import type { ChunkSource } from "../state/chunk.ts";
import { loadChunk } from "../state/load_chunks.ts";
import { nodeWeight } from "../storage/cached_weight.ts";
import type { AtomicWrite, Check } from "../storage/driver.ts";
import type { Head } from "../storage/head.ts";
import type { KeptRequest } from "../storage/kept_requests.ts";
import { refKey } from "../storage/keys.ts";
import { refWrite } from "./landed_commits.ts";
import { commitsOf, keptOf, type Outcome, rowOf } from "./outcome.ts";
import type { Chain } from "./plan_chain.ts";
import type { CommittedEdit } from "./plan_commit.ts";
import type { RequestLedger } from "./request_ledger.ts";
import type { SharedStore } from "./shared_store.ts";
import { branchRow, commitChecks } from "./write_rows.ts";

/**
 * The atomic write of a chain on a head, with what the ledger of its branch is to keep; the commit rows
 * before the ref that leads to them.
 */
export async function chainWrite(
  head: Head,
  { outcomes, chunks }: Pick<Chain, "outcomes" | "chunks">,
  ledger: RequestLedger | undefined,
): Promise<AtomicWrite> {
  const write = await landingWrite(head, outcomes, chunks);
  return withRequests(write, ledger, keptOf(outcomes));
}

/** Adds to an atomic write what a ledger is to keep: after the commits that it names, before the ref. */
export function withRequests(
  write: AtomicWrite,
  ledger: RequestLedger | undefined,
  requests: readonly KeptRequest[],
): AtomicWrite {
  if (ledger === undefined || requests.length === 0) return write;
  const { checks = [], sets = [] } = write;
  const kept = ledger.keep(requests);
  return {
    checks: [...checks, ...kept.checks],
    sets: [...sets.slice(0, -1), ...kept.sets, ...sets.slice(-1)],
  };
}

async function landingWrite(
  head: Head,
  outcomes: readonly Outcome[],
  chunks: ChunkSource,
): Promise<AtomicWrite> {
  const [adopted] = outcomes.filter((outcome) => outcome.is === "adopt");
  if (adopted !== undefined) return refWrite(head, head.branch!, adopted.row);
  const commits = commitsOf(outcomes);
  if (commits.length === 0) return { checks: head.checks };
  const first = commits[0]!.planned.made;
  const last = commits.at(-1)!.planned.made;
  const own = last.placed.at(-1);
  const root = own !== undefined && own.address === last.row.root.at
    ? own.chunk
    : await loadChunk(chunks, last.row.root);
  const { key, value } = branchRow(head.branch!, last, root);
  return {
    checks: commitChecks(head, first),
    sets: [...commits.flatMap(({ rows }) => rows.sets), { key, value }],
  };
}

/** Keeps what a chain stored on a head at a version; returns the head that it made. */
export function keepChain(
  store: SharedStore,
  head: Head,
  outcomes: readonly Outcome[],
  versionstamp: string,
): Head {
  for (const { planned } of commitsOf(outcomes)) {
    store.reader.keepCommit(planned.made.row);
  }
  const row = outcomes.flatMap((outcome) => rowOf(outcome) ?? []).at(-1);
  if (row === undefined) return head;
  const branch = head.branch!;
  store.heads.landed(branch, row, versionstamp);
  const others = head.checks.filter(({ key }) => key[0] !== "r");
  const own: Check = { key: refKey(branch), versionstamp };
  return { branch, row, checks: [...others, own] };
}

/**
 * Keeps the chunks and nodes of a chain while it is written: they are what their ids say, whatever
 * comes of it. Not its commits, which are looked for to know just that.
 */
export function keepContent(
  store: SharedStore,
  outcomes: readonly Outcome[],
): void {
  for (const { planned } of commitsOf(outcomes)) {
    for (const { address, chunk } of planned.made.placed) {
      store.reader.keepChunk(address, chunk);
    }
    // Much at once would push out what is asked for more often.
    const { edits } = planned;
    if (weighsMore(edits, NODE_CACHE_BYTES_MAX / 4)) continue;
    for (const { node } of edits) {
      if (node?.bytes != null) {
        store.reader.keepNode({ object: node.object, bytes: node.bytes });
      }
    }
  }
}

/** Whether the nodes of a write would take more than so many bytes of a cache. */
function weighsMore(edits: readonly CommittedEdit[], bytes: number): boolean {
  let left = bytes;
  return edits.some(({ node }) =>
    (left -= node?.bytes == null ? 0 : nodeWeight(node.bytes)) < 0
  );
}
