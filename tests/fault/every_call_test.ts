/**
 * Every operation of the public surface, with every fault at every storage call: the right code and
 * outcome, a store that verifies, nothing done twice, and a second try that succeeds.
 *
 * @module
 */

import assert from "node:assert/strict";
import { FaultKv } from "../support/fault_kv.ts";
import type { FaultKind } from "../support/fault_kinds.ts";
import { runFaults } from "../support/fault_matrix.ts";
import { FAULT_OPERATIONS } from "./operations/all.ts";
import { recordedSurface, surfaceNames } from "../support/recorded_surface.ts";

/** The others happen to long operations in the deep tests. */
const TO_LONG_ONES: readonly FaultKind[] = [
  "answer lost",
  "done late",
  "overdue",
];

/** What touches no storage, so that no fault can meet it. */
const WITHOUT_STORAGE: readonly string[] = [
  "Snapshot.commit",
  // It is `close`.
  "Store.Symbol(Symbol.asyncDispose)",
  "Store.author",
  "Store.formatVersion",
  "Store.location",
  "Store.stage",
  "agents.matcherOf",
  "agents.provenanceOf",
  "agents.toWire",
  "core.MnemError",
  "core.checkContent",
  "core.compareUtf8",
  "core.diffContent",
  "core.exitStatus",
  "core.isBadArgument",
  "core.isMnemError",
  "core.locateStore",
  "core.parseJson",
  "core.sameContent",
  "core.stringifyJson",
  "core.wireNode",
];

for (const operation of FAULT_OPERATIONS) {
  Deno.test(`${operation.name}: every fault at every storage call`, async () => {
    using kv = await FaultKv.install();
    const options = operation.isLong ? { kinds: TO_LONG_ONES } : {};
    const counts = [...(await runFaults(kv, operation, options)).values()];
    assert.ok(counts.some(({ faults }) => faults > 0));
  });
}

Deno.test("the operations that faults happen to are the whole public surface", async () => {
  const called = new Set<string>();
  const surface = recordedSurface(called);
  using kv = await FaultKv.install();
  for (const operation of FAULT_OPERATIONS) {
    await runFaults(kv, operation, { surface, kinds: [] });
  }
  const names = await surfaceNames();
  // A method without an operation is missing on the left, and must get one in tests/fault/operations.
  assert.deepEqual(
    [...called, ...WITHOUT_STORAGE].sort(),
    [...names].sort(),
  );
  assert.ok(called.has("Store.write") && called.has("core.initStore"));
});
