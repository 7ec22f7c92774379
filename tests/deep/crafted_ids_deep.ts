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
import { type Figures, reportFigures } from "../support/report_figures.ts";
import { tempStore } from "../support/temp_store.ts";

/** How long it takes on two busy cores. */
export const SECONDS = 20;

const SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 7);

const CASES = [
  {
    name: "avoid every border",
    count: 24_000,
    level: 0,
    bytes: 0,
  },
  {
    name: "start every chunk",
    count: 1_600,
    level: 1,
    bytes: 400,
  },
] as const;

Deno.test("chosen ids cost what their number costs", async (t) => {
  const table: Figures[] = [];
  for (const { name, ...mining } of CASES) {
    await t.step(`${mining.count} ids that ${name}`, async () => {
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
      table.push({ "ids that": name, ids: ids.length, ...cost });
    });
  }
  assert.equal(table.length, CASES.length);
  reportFigures("chosen-ids", table);
});
