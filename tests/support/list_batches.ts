/**
 * What a list costs: one call for each batch of rows that a client fetches.
 *
 * @module
 */

import { LIST_BATCH_ROWS_MAX } from "../../core/limits.ts";
import type { Row } from "../../core/storage/driver.ts";

/** Yields rows of a list up to a limit; each batch is fetched in a call that `fetch` makes. */
export async function* listBatches(
  list: AsyncIterable<Row>,
  limit: number | undefined,
  fetch: <T>(call: () => Promise<T>) => Promise<T>,
): AsyncGenerator<Row> {
  const rows = list[Symbol.asyncIterator]();
  try {
    for (let seen = 0; seen !== limit; seen++) {
      const next = () => rows.next();
      const step =
        await (seen % LIST_BATCH_ROWS_MAX === 0 ? fetch(next) : next());
      if (step.done) return;
      yield step.value;
    }
  } finally {
    await rows.return?.();
  }
}
