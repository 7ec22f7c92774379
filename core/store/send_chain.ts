/**
 * A chain of commits as one atomic write, and what the caches keep of it once it is stored.
 *
 * @module
 */

import type { ChunkSource } from "../state/chunk.ts";
import { loadChunk } from "../state/load_chunks.ts";
import type { AtomicWrite, Check } from "../storage/driver.ts";
import type { Head } from "../storage/head.ts";
import { refKey } from "../storage/keys.ts";
import { refWrite } from "./landed_commits.ts";
import { type CommitOutcome, commitsOf, type Outcome } from "./plan_chain.ts";
import type { SharedStore } from "./shared_store.ts";
import { branchRow, commitChecks } from "./write_rows.ts";

/** The atomic write of a chain on a head; the commit rows before the ref that leads to them. */
export async function chainWrite(
  head: Head,
  outcomes: readonly Outcome[],
  chunks: ChunkSource,
): Promise<AtomicWrite> {
  const [adopted] = outcomes.filter((outcome) => outcome.is === "adopt");
  if (adopted !== undefined) return refWrite(head, head.branch!, adopted.row);
  const commits = commitsOf(outcomes);
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
  const rows = outcomes.flatMap((outcome) => {
    if (outcome.is === "adopt") return [outcome.row];
    if (outcome.is !== "commit") return [];
    keepCommit(store, outcome);
    return [outcome.planned.made.row];
  });
  const row = rows.at(-1)!;
  const branch = head.branch!;
  store.heads.landed(branch, row, versionstamp);
  const others = head.checks.filter(({ key }) => key[0] !== "r");
  const own: Check = { key: refKey(branch), versionstamp };
  return { branch, row, checks: [...others, own] };
}

function keepCommit(store: SharedStore, { planned }: CommitOutcome): void {
  const { row, placed } = planned.made;
  store.reader.keepCommit(row);
  for (const { address, chunk } of placed) {
    store.reader.keepChunk(address, chunk);
  }
  for (const { node } of planned.edits) {
    if (node?.bytes != null) {
      store.reader.keepNode({ object: node.object, bytes: node.bytes });
    }
  }
}
