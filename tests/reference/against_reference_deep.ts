/**
 * Random histories, played here and on the reference: every id and every answer is the same. The seed
 * is drawn anew for each run; `MNEM_SEED` repeats one.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Json } from "@mnem/core";
import { expectedOf } from "../support/trace_run.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { tempStore } from "../support/temp_store.ts";
import { Chance } from "../support/tree_cases.ts";
import { referencePython } from "./programs.ts";
import { type PlayedStep, playRandomTrace } from "./random_trace.ts";

/** How long it takes on two busy cores, with the reference to be had first. */
export const SECONDS = 120;

const SCRIPTS = 20;
const STEPS = 200;
const PLAYER = fileURLToPath(new URL("play_trace.py", import.meta.url));

const python = await referencePython();
if (python.path === undefined) console.log(`skipped: ${python.missing}`);

Deno.test({
  name:
    `${SCRIPTS} random histories of ${STEPS} calls are answered as the reference does`,
  ignore: python.path === undefined,
}, async () => {
  const first = Number(Deno.env.get("MNEM_SEED") ?? Date.now() % 1_000_000);
  const counts = new Map<string, number>();
  for (let seed = first; seed < first + SCRIPTS; seed++) {
    await using temp = await tempStore();
    const played = await playRandomTrace(temp.store, {
      chance: new Chance(seed),
      steps: STEPS,
    });
    const results = await playReference(python.path ?? "", played);
    for (const [index, { op, args, answer }] of played.entries()) {
      counts.set(op, (counts.get(op) ?? 0) + 1);
      assert.deepEqual(
        answer,
        referenceAnswer(op, results[index] ?? null),
        `MNEM_SEED=${seed}, call ${index}: ${op} ${JSON.stringify(args)}`,
      );
    }
    assert.equal(results.length, played.length);
  }
  const all = [...counts].map(([op, count]) => `${op} ${count}`).join(", ");
  console.log(
    `against the reference: ${SCRIPTS} scripts from MNEM_SEED=${first}, ${
      SCRIPTS * STEPS
    } operations, 0 differences (${all})`,
  );
});

/** Plays all calls on the reference, in one process, and returns its answers. */
async function playReference(
  program: string,
  steps: readonly PlayedStep[],
): Promise<Json[]> {
  await using folder = await tempFolder();
  const child = new Deno.Command(program, {
    args: [PLAYER, join(folder.path)],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const output = child.output();
  const writer = child.stdin.getWriter();
  const lines = steps.map(({ op, args }) =>
    `${JSON.stringify({ op, args })}\n`
  );
  await writer.write(new TextEncoder().encode(lines.join("")));
  await writer.close();
  const { code, stdout, stderr } = await output;
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trimEnd().split("\n")
    .map((line) => JSON.parse(line));
}

function referenceAnswer(op: string, result: Json): Json {
  return Object(result).error === undefined
    ? expectedOf({ op, result })
    : result;
}
