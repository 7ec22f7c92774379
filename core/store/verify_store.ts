/**
 * Checks every id, link and row of a store, and names what is wrong (FORMAT.md, "Verify"). Changes
 * nothing.
 *
 * The order of reading is what makes it hold beside writers: a row is written before whatever names
 * it, so commits are read first and what they name after that. It reads through a driver that cannot
 * write, with caches of its own. A row that cannot be read is a fault, never an error. Then
 * `verify/commit_walk.ts` goes through the commits, parents first: the place of each in the graph, its
 * tree, its entries against those of its parents, and the id of its state.
 *
 * @module
 */

import type { SharedStore } from "./shared_store.ts";
import { CommitWalk } from "./verify/commit_walk.ts";
import { FaultList } from "./verify/fault_list.ts";
import { KnownCommits } from "./verify/known_commits.ts";
import { ReadingDriver } from "./verify/reading_driver.ts";
import {
  checkHead,
  checkMeta,
  checkStage,
  namedCommits,
  readHead,
  readRefs,
} from "./verify/ref_check.ts";
import { checkRef } from "./verify/ref_copies.ts";
import type { VerifyReport } from "./verify/report.ts";
import { checkKept, readKept } from "./verify/request_check.ts";
import { RowReader } from "./verify/row_reader.ts";

/** Verifies a store; throws what the storage throws, and the signal's reason. */
export async function verifyStore(
  { driver: below, meta }: SharedStore,
  signal: AbortSignal | undefined,
): Promise<VerifyReport> {
  signal?.throwIfAborted();
  const driver = new ReadingDriver(below, signal);
  const faults = new FaultList();
  const rows = new RowReader(driver, faults);
  const commits = new KnownCommits(rows, faults);
  await checkMeta(rows, faults, meta);
  await commits.readAll();
  const refs = await readRefs(rows, faults);
  const head = await readHead(rows, faults);
  const kept = await readKept(rows, faults);
  await commits.readNamed([
    ...namedCommits(refs, head?.value),
    ...kept.map(({ short }) => short),
  ]);
  if (head !== null) checkHead(head, refs, { meta, commits, faults });
  const walk = new CommitWalk(driver, { rows, faults, commits });
  await walk.run();
  for (const ref of refs) await checkRef(walk, ref);
  await checkStage(rows, faults);
  checkKept(kept, commits, faults);
  return { checked: rows.checked, faults: faults.all };
}
