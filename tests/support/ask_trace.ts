/**
 * Asks a finished history what was asked while the reference played it.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Store } from "@mnem/core";
import { expectedOf, OPERATIONS, type Step, type Trace } from "./trace_run.ts";

const READS = new Set([
  "recall",
  "recall_at",
  "log",
  "diff",
  "why",
  "whats_new",
  "when_did",
]);

/** Asks each question of a trace at the commit that HEAD was at; the answer must be the reference's. Returns how many. */
export async function askTrace(
  store: Store,
  { steps }: Pick<Trace, "steps">,
): Promise<number> {
  let asked = 0;
  for (const { step, head } of headsOf(steps)) {
    await askAt(store, step, head);
    asked++;
  }
  return asked;
}

/** The reads of a trace, and the commit that HEAD was at. */
function* headsOf(
  steps: readonly Step[],
): Generator<{ readonly step: Step; readonly head: string }> {
  const branches = new Map<string, string>();
  let current = "main";
  for (const step of steps) {
    const { op, args, result } = step;
    const head = branches.get(current);
    if (READS.has(op)) {
      if (head !== undefined) yield { step, head };
    } else if (op === "switch") current = args.target;
    else if (op === "branch") {
      const start = args.start ?? head ?? "";
      branches.set(args.name, branches.get(start) ?? start);
    } else branches.set(current, commitOf(result) ?? head ?? "");
  }
}

async function askAt(store: Store, step: Step, head: string): Promise<void> {
  await store.switchTo(head);
  const answer = await OPERATIONS[step.op]!(store, step.args);
  assert.deepEqual(answer, expectedOf(step), step.op);
}

function commitOf(result: Step["result"]): string | null {
  assert.ok(typeof result === "object" && result !== null);
  assert.ok("commit" in result);
  const { commit } = result;
  assert.ok(commit === null || typeof commit === "string");
  return commit;
}
