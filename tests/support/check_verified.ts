/**
 * Holds a store to be in order, down to its last row.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Store } from "@mnem/core";

/** Verifies a store, and fails with what is wrong. Returns how many rows were looked at. */
export async function checkVerified(store: Store): Promise<number> {
  const { checked, faults } = await store.verify();
  assert.deepEqual(faults, []);
  assert.ok(checked >= 2, "a store has a row for itself and one for HEAD");
  return checked;
}
