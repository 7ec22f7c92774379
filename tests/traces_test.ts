/**
 * Histories that the reference implementation played: every answer is the same.
 *
 * @module
 */

import assert from "node:assert/strict";
import { toWire } from "@mnem/agents";
import { tempStore } from "./support/temp_store.ts";
import { OPERATIONS, playTrace, TRACES } from "./support/trace_run.ts";

Deno.test("there are 30 traces", () => assert.equal(TRACES.length, 30));

for (const name of TRACES) {
  Deno.test(`${name}: every answer is the reference's`, async () => {
    await using temp = await tempStore();
    const final = await playTrace(name, temp.store, OPERATIONS);
    const { branch } = await temp.store.head();
    assert.equal(`ref: ${branch}`, final.head);
    assert.deepEqual(
      Object.fromEntries(await temp.store.branches()),
      final.branches,
    );
    const memory = [...await temp.store.memory()];
    assert.deepEqual(
      memory.map(([id, node]) => [id, toWire(node)]),
      Object.entries(final.memory),
    );
  });
}
