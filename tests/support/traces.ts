/**
 * Histories that the reference implementation played, and what it answered at each step.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import type { Json, Resolution } from "@mnem/core";

/** One call of a trace: its arguments have the names of the reference. */
export interface Step {
  readonly op: string;
  readonly args: Arguments;
  readonly result: Json;
}

/** A whole history, and what it came to. */
export interface Trace {
  readonly steps: readonly Step[];
  readonly final: {
    readonly head: string;
    readonly branches: { readonly [name: string]: string };
    readonly memory: { readonly [id: string]: Json };
  };
}

/** Where a belief came from. */
export interface Evidence {
  readonly source?: string;
  readonly step?: string;
  readonly observation?: string;
  readonly tool_call?: string;
  readonly note?: string;
}

/** The arguments of any operation: those of the step at hand are there. */
export interface Arguments extends Evidence {
  readonly id: string;
  readonly content: Json;
  readonly items:
    readonly (Evidence & { readonly id: string; readonly content: Json })[];
  readonly time_ms: number;
  readonly summary?: string;
  readonly author?: string;
  readonly name: string;
  readonly start: string | null;
  readonly target: string;
  readonly at: string | null;
  readonly limit: number | null;
  readonly first_parent?: boolean;
  readonly from: string;
  readonly to: string;
  readonly commit: string;
  readonly equals?: Json;
  readonly absent?: true;
  readonly theirs: string;
  readonly message?: string | null;
  readonly strategy?: "ours" | "theirs";
  readonly resolutions?: { readonly [id: string]: Resolution };
}

/** How a door does each operation. */
export type Operations<S> = {
  readonly [op: string]: (store: S, args: Arguments) => Promise<Json>;
};

/** Answers that are maps: compared as lists of pairs, so that their order counts too. */
const MAPS = new Set(["recall", "whats_new"]);

const folder = new URL("../data/traces/", import.meta.url);
/** The files of all traces. */
export const TRACES: readonly string[] = (await readdir(folder)).filter((
  name,
) => /^trace-[0-9]+\.json$/.test(name)).sort();

/** Plays a trace through a door: every answer must be the reference's. Returns what it must come to. */
export async function playTrace<S>(
  name: string,
  store: S,
  operations: Operations<S>,
): Promise<Trace["final"]> {
  const text = await readFile(new URL(name, folder), "utf8");
  const { steps, final }: Trace = JSON.parse(text);
  for (const [index, step] of steps.entries()) {
    const operation = operations[step.op];
    assert.ok(operation !== undefined, `${step.op} is known`);
    const answer = await operation(store, step.args);
    assert.deepEqual(answer, expectedOf(step), `step ${index}: ${step.op}`);
  }
  return final;
}

function expectedOf({ op, result }: Step): Json {
  if (!MAPS.has(op) || result === null) return result;
  const ids = Object.keys(result);
  assert.ok(!ids.some((id) => /^[0-9]+$/.test(id)), "the order is not lost");
  return Object.entries(result);
}
