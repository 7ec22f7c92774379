/**
 * Empties the stage: with the commit where both fit into one atomic write, else after it.
 *
 * @module
 */

import { atomicCost } from "../storage/budget.ts";
import type { AtomicWrite, Check, Driver } from "../storage/driver.ts";
import { STAGE_MARK_ROW } from "../storage/meta_row.ts";
import type { PreparedWrite } from "./prepared_write.ts";
import { untilLanded } from "./until_landed.ts";
import { fitsOneWrite, inBatches } from "./write_rows.ts";

/**
 * Adds to an atomic write that it must find the stage unchanged, and that it empties it if there is
 * room for that.
 */
export function withStage(
  write: AtomicWrite,
  staged: PreparedWrite["staged"],
): AtomicWrite {
  if (staged === undefined) return write;
  const marked = {
    ...write,
    checks: [...write.checks ?? [], staged.mark],
    sets: [STAGE_MARK_ROW, ...write.sets ?? []],
  };
  const emptied = { ...marked, deletes: staged.rows.map(({ key }) => key) };
  return fitsOneWrite(atomicCost(emptied)) ? emptied : marked;
}

/**
 * Deletes staged rows as they were read, when the stage had the version of `mark`. Where it changed
 * since, what was staged anew stays. To do it twice is to do it once.
 */
export async function deleteStaged(
  driver: Driver,
  rows: readonly Check[],
  mark: Check,
): Promise<void> {
  const versions = new Map(rows.map((row) => [row.key, row.versionstamp]));
  let seen = mark;
  let moved = false;
  for (const { deletes } of inBatches({ deletes: [...versions.keys()] })) {
    await untilLanded("empty the stage", async () => {
      // The rows after the mark: it has moved again if one of them changes once it was read.
      const there = moved ? await driver.getMany(deletes) : null;
      const left = deletes.filter((key, i) =>
        there === null || there[i]?.versionstamp === versions.get(key)
      );
      if (left.length === 0) return true;
      const sets = [STAGE_MARK_ROW];
      const sent = await driver.commit({ checks: [seen], sets, deletes: left });
      if (!sent.ok) moved = true;
      const [now] = sent.ok ? [sent] : await driver.getMany([mark.key]);
      seen = { key: mark.key, versionstamp: now?.versionstamp ?? null };
      return sent.ok ? true : undefined;
    });
  }
}
