import assert from "node:assert/strict";
import { LIST_BATCH_ROWS_MAX } from "../limits.ts";
import type { Row } from "./driver.ts";
import { RowBatches } from "./row_batches.ts";

function rowsFrom(first: number, count: number, bytes = 10): Row[] {
  return Array.from({ length: count }, (_, i) => ({
    key: ["row", `${first + i}`],
    value: new Uint8Array(bytes),
    versionstamp: "",
  }));
}

/** Batches of some sizes; says how many were asked for, and fails at the one after the last, if told to. */
function batchesOf(
  sizes: readonly number[],
  { bytes, failure }: { readonly bytes?: number; readonly failure?: Error } =
    {},
) {
  const asked = { batches: 0 };
  let first = 0;
  const rows = new RowBatches(() => {
    const size = sizes[asked.batches++];
    if (size === undefined && failure) return Promise.reject(failure);
    const batch = rowsFrom(first, size ?? 0, bytes);
    first += batch.length;
    return Promise.resolve(batch);
  });
  return { asked, rows };
}

const FULL = LIST_BATCH_ROWS_MAX;

Deno.test("RowBatches passes on every row of every batch once, in order", async () => {
  for (const sizes of [[], [1], [3, 2], [FULL, FULL, 7], [FULL]]) {
    const { rows } = batchesOf(sizes);
    const seen: string[] = [];
    for await (const { key } of rows) seen.push(String(key[1]));
    const count = sizes.reduce((sum, size) => sum + size, 0);
    assert.deepEqual(seen, Array.from({ length: count }, (_, i) => `${i}`));
  }
});

Deno.test("RowBatches fetches the next batch ahead when this one was full, and small", async () => {
  const full = batchesOf([FULL, FULL, FULL]);
  await full.rows.next();
  assert.equal(full.asked.batches, 2);
  const short = batchesOf([FULL - 1, 1]);
  await short.rows.next();
  assert.equal(short.asked.batches, 1);
  const large = batchesOf([FULL, FULL], { bytes: 4_096 });
  await large.rows.next();
  assert.equal(large.asked.batches, 1);
});

Deno.test("RowBatches throws where the rows end that came before the failure, and nowhere if they are not read", async () => {
  const failure = new RangeError("no more");
  const seen: Row[] = [];
  const { rows } = batchesOf([FULL], { failure });
  await assert.rejects(async () => {
    for await (const row of rows) seen.push(row);
  }, failure);
  assert.equal(seen.length, FULL);
  const early = batchesOf([FULL], { failure });
  for await (const { key } of early.rows) {
    assert.equal(key[1], "0");
    break;
  }
  assert.equal(early.asked.batches, 2);
});

Deno.test("RowBatches.of() takes any list row by row, and ends it when its reader stops", async () => {
  let made = 0;
  let ended = false;
  async function* list(): AsyncGenerator<Row> {
    try {
      for (const row of rowsFrom(0, 10)) {
        made++;
        yield row;
      }
    } finally {
      ended = true;
    }
  }
  for await (const { key } of RowBatches.of(list())) {
    if (key[1] === "2") break;
  }
  assert.deepEqual([made, ended], [3, true]);
  const batches = batchesOf([1]).rows;
  assert.equal(RowBatches.of(batches), batches);
});
