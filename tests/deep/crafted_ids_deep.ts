/**
 * Tens of thousands of ids that were chosen to start no chunk, and thousands that all start one, in a
 * real database: they cost what their number costs, and everything works.
 *
 * @module
 */

import assert from "node:assert/strict";
import { parseLocation } from "../../core/storage/location.ts";
import { openDriver } from "../../core/storage/open_driver.ts";
import { mineIds, piecesOf, runCrafted } from "../support/crafted_run.ts";
import { reportFigures } from "../support/report_figures.ts";
import { tempStore } from "../support/temp_store.ts";

/** How long it takes on two busy cores. */
export const SECONDS = 20;

const SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 7);

const CASES = [
  {
    name: "avoid every border",
    promise: "ids-without-borders",
    count: 24_000,
    level: 0,
    bytes: 0,
  },
  {
    name: "start every chunk",
    promise: "ids-all-borders",
    count: 1_600,
    level: 1,
    bytes: 400,
  },
] as const;

for (const { name, promise, ...mining } of CASES) {
  Deno.test(`${mining.count} ids that ${name} cost what their number costs`, async () => {
    const ids = mineIds({ seed: SEED, ...mining });
    await using temp = await tempStore();
    const at = parseLocation(temp.path);
    const cost = await runCrafted(() => openDriver(at), ids);
    // One chunk holds them all: of 37 bytes a node, or of the ids and what each of them names.
    const most = mining.count * (45 + mining.bytes) + 10_000;
    assert.ok(cost.bytesSet > mining.count * 32, JSON.stringify(cost));
    assert.ok(cost.bytesSet < most, JSON.stringify(cost));
    const { rows, writes } = piecesOf(cost.bytesSet);
    assert.ok(cost.rowsSet <= 6 + rows, JSON.stringify(cost));
    assert.ok(cost.writeRounds <= 6 + 2 * writes, JSON.stringify(cost));
    assert.ok(cost.readRounds <= 6, JSON.stringify(cost));
    reportFigures(promise, { ids: ids.length, ...cost });
  });
}
