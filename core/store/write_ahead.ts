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

/**
 * Sets rows in as few atomic writes as hold them. To do it twice is to do it once, so a write that
 * found the file locked or was not answered is tried again, for five seconds each. Whatever then is
 * thrown has the outcome "none": what nothing names is as good as not written.
 */
export async function writeAhead(
  driver: Driver,
  rows: readonly NewRow[],
): Promise<void> {
  try {
    for (const { sets } of inBatches({ sets: rows })) {
      await untilLanded("write", async () => {
        const { ok } = await driver.commit({ sets });
        return ok ? true : undefined;
      });
    }
  } catch (error) {
    throw isMnemError(error) ? withOutcome(error, false) : error;
  }
}
