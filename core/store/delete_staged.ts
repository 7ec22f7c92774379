/**
 * Empties the stage: with the commit where both fit into one atomic write, else after it.
 *
 * @module
 */

import { atomicCost } from "../storage/budget.ts";
import type { AtomicWrite, Check, Driver, Key } from "../storage/driver.ts";
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
  const emptied = { ...marked, deletes: staged.rows };
  return fitsOneWrite(atomicCost(emptied)) ? emptied : marked;
}

/** Deletes staged rows, as long as the stage has not changed. To do it twice is to do it once. */
export async function deleteStaged(
  driver: Driver,
  rows: readonly Key[],
  mark: Check,
): Promise<void> {
  for (const { deletes } of inBatches({ deletes: rows })) {
    const unchanged = await untilLanded("empty the stage", async () => {
      const { ok } = await driver.commit({ checks: [mark], deletes });
      return ok;
    });
    if (!unchanged) return;
  }
}
