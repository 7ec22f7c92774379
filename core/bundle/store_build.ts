/**
 * Builds a whole bundle in a database that nobody sees yet.
 *
 * @module
 */

import type { Driver } from "../storage/driver.ts";
import type { LocalLocation } from "../storage/location.ts";
import { openDriver } from "../storage/open_driver.ts";
import { StoreReader } from "../storage/store_reader.ts";
import type { Arrival } from "./arrival.ts";
import { buildHistory } from "./history_builder.ts";
import { LayeredDriver } from "./layered_driver.ts";
import { looseStateRows } from "./loose_states.ts";
import { nodeRows } from "./node_rows.ts";
import { StateObjects } from "./state_objects.ts";
import { WriteBehind } from "./write_behind.ts";

/** An import must do with little memory, and mostly reads what it has just written. */
const CACHE_SHARE = 1 / 16;

/** Where a bundle is built. */
export interface BuildPlace {
  /** The new database, whose folder is there. */
  readonly at: LocalLocation;
  /** The store that the new rows are for, if it has some already. */
  readonly base?: Driver;
  /** Called now and then; throws to end it. */
  readonly check: () => void;
}

/** What was built. */
export interface BuiltStore {
  /** The new database. */
  readonly driver: Driver;
  /** Takes further rows. */
  readonly rows: WriteBehind;
  /** Reads what was built, and what it rests on. */
  readonly reader: StoreReader;
}

/**
 * Writes the rows of all commits, chunks, nodes and loose objects, and passes on the database they are
 * in, which is closed afterwards. Throws `corrupt_store` for whatever is not as its id says.
 */
export async function buildStore<T>(
  { objects, nodes }: Arrival,
  { at, base, check }: BuildPlace,
  use: (built: BuiltStore) => Promise<T>,
): Promise<T> {
  const driver = await openDriver(at);
  try {
    const rows = new WriteBehind(driver);
    const reader = new StoreReader(
      base === undefined ? rows : new LayeredDriver(rows, base),
      { share: CACHE_SHARE },
    );
    const states = new StateObjects(objects, reader);
    const isUsed = base !== undefined;
    await buildHistory(objects, { states, nodes, rows, reader, isUsed }, check);
    for (const row of looseStateRows(objects, states, nodes)) {
      await rows.set([row]);
    }
    for (const row of nodeRows(nodes, objects)) {
      if (!rows.add(row)) continue;
      check();
      await rows.room();
    }
    await rows.flush();
    return await use({ driver, rows, reader });
  } finally {
    driver.close();
  }
}
