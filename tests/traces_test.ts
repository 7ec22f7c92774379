/**
 * Histories that the reference implementation played: every answer is the same.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { toWire } from "@mnem/agents";
import { tempStore } from "./support/temp_store.ts";
import { expectedOf, OPERATIONS, type Trace } from "./support/trace_run.ts";

const folder = new URL("./data/traces/", import.meta.url);
const names = (await readdir(folder)).filter((name) =>
  /^trace-[0-9]+\.json$/.test(name)
);

Deno.test("there are 30 traces", () => assert.equal(names.length, 30));

for (const name of names.sort()) {
  Deno.test(`${name}: every answer is the reference's`, async () => {
    const text = await readFile(new URL(name, folder), "utf8");
    const { steps, final }: Trace = JSON.parse(text);
    await using temp = await tempStore();
    for (const [index, step] of steps.entries()) {
      const operation = OPERATIONS[step.op];
      assert.ok(operation !== undefined, `${step.op} is known`);
      const answer = await operation(temp.store, step.args);
      assert.deepEqual(answer, expectedOf(step), `step ${index}: ${step.op}`);
    }
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
