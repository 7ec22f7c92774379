/**
 * Writes rows that nothing names yet: parts of a commit too large for one atomic write.
 *
 * @module
 */

import { isMnemError } from "../errors.ts";
import type { Driver } from "../storage/driver.ts";
import type { NewRow } from "../storage/row.ts";
import { untilLanded, withOutcome } from "./until_landed.ts";
import { inBatches } from "./write_rows.ts";

/** Rows in the first of several batches. */
const FIRST_ROWS = 300;

/**
 * Sets rows in as few atomic writes as hold them. To do it twice is to do it once, so a write that
 * found the file locked or was not answered is tried again, for five seconds each. Whatever then is
 * thrown has the outcome "none": what nothing names is as good as not written.
 */
export async function writeAhead(
  driver: Driver,
  rows: readonly NewRow[],
): Promise<void> {
  const underWay: Promise<true>[] = [];
  try {
    for (const sets of batches(rows)) {
      underWay.push(setRows(driver, sets));
      // One is handed over while KV is at the one before: in which order they land is all the same.
      if (underWay.length > 1) await underWay.shift();
    }
    await underWay.shift();
  } catch (error) {
    throw isMnemError(error) ? withOutcome(error, false) : error;
  } finally {
    await Promise.allSettled(underWay);
  }
}

/** A short batch first: KV is at it while the next ones are made. */
function* batches(rows: readonly NewRow[]): Generator<readonly NewRow[]> {
  const short = rows.length > 2 * FIRST_ROWS ? FIRST_ROWS : 0;
  for (const sets of [rows.slice(0, short), rows.slice(short)]) {
    for (const batch of inBatches({ sets })) yield batch.sets;
  }
}

function setRows(
  driver: Driver,
  sets: readonly NewRow[],
): Promise<true> {
  const sent = untilLanded<true>("write", async () => {
    const { ok } = await driver.commit({ sets });
    return ok ? true : undefined;
  });
  // Whoever waits for it gets its error, and nobody need wait yet.
  sent.catch(() => {});
  return sent;
}
