/**
 * Plays what the reference implementation played: each step of a trace as a call of this one.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import {
  forget,
  recall,
  remember,
  rememberMany,
  toWire,
  whatsNew,
  whenDid,
  why,
} from "@mnem/agents";
import type { Json, NodeChange, Resolution, Store } from "@mnem/core";

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

/** What each operation calls, and what of its answer is compared. */
export const OPERATIONS: Operations<Store> = {
  remember: async (store, args) => {
    const options = { ...evidenceOf(args), ...summaryOf(args) };
    return commitOf(await remember(store, args.id, args.content, options));
  },
  remember_many: async (store, args) => {
    const items = args.items.map((item) => ({
      id: item.id,
      content: item.content,
      ...evidenceOf(item),
    }));
    return commitOf(await rememberMany(store, items, summaryOf(args)));
  },
  forget: async (store, args) =>
    commitOf(await forget(store, args.id, summaryOf(args))),
  branch: async (store, { name, start }) => {
    await store.createBranch(name, { at: start ?? undefined });
    return null;
  },
  switch: async (store, { target }) => {
    await store.switchTo(target);
    return null;
  },
  merge: async (store, args) => {
    const { theirs, message, author, time_ms, strategy } = args;
    const result = await store.merge(theirs, {
      message: message ?? undefined,
      author,
      timeMs: time_ms,
      strategy,
      resolutions: args.resolutions,
    });
    const { status, commit, conflicts } = result;
    return { status, commit, conflicts: conflicts.map(toWire) };
  },
  recall: async (store) => {
    const memory = await store.memory();
    return [...memory].map(([id, node]) => [id, toWire(node)]);
  },
  recall_at: async (store, { at, id }) => {
    const node = await recall(store, id, { at: at ?? undefined });
    return node === null ? null : toWire(node);
  },
  log: async (store, { limit, first_parent }) => {
    const log = store.log({
      limit: limit ?? undefined,
      firstParent: first_parent,
    });
    return (await Array.fromAsync(log)).map(({ id }) => id);
  },
  diff: async (store, { from, to }) =>
    (await Array.fromAsync(store.diff(from, to))).map(changeOf),
  why: async (store, { id, at }) =>
    toWire(await why(store, id, { at: at ?? undefined })),
  whats_new: async (store, { commit }) => [...await whatsNew(store, commit)],
  when_did: async (store, { id, equals, absent }) => {
    const question = absent ? { absent } : { equals };
    return { commit: (await whenDid(store, id, question)).commit.id };
  },
};

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
    const answer = await playStep(step, store, operations);
    assert.deepEqual(answer, expectedOf(step), `step ${index}: ${step.op}`);
  }
  return final;
}

/** Plays one call through a door, and returns its answer in the shape of the reference. */
export async function playStep<S>(
  { op, args }: Pick<Step, "op" | "args">,
  store: S,
  operations: Operations<S>,
): Promise<Json> {
  const operation = operations[op];
  assert.ok(operation !== undefined, `${op} is known`);
  return await operation(store, args);
}

/** Answers that are maps: compared as lists of pairs, so that their order counts too. */
const MAPS = new Set(["recall", "whats_new"]);

/** What a step must answer. */
export function expectedOf(
  { op, result }: Pick<Step, "op" | "result">,
): Json {
  if (!MAPS.has(op) || result === null) return result;
  const ids = Object.keys(result);
  assert.ok(!ids.some((id) => /^[0-9]+$/.test(id)), "the order is not lost");
  return Object.entries(result);
}

function commitOf({ commit }: { readonly commit: string | null }): Json {
  return { commit };
}

function evidenceOf({ source, step, observation, tool_call, note }: Evidence) {
  return { source, step, observation, toolCall: tool_call, note };
}

function summaryOf({ summary, author, time_ms }: Arguments) {
  return { summary, author, timeMs: time_ms };
}

/** A change without the field that the reference does not have. */
function changeOf(change: NodeChange): Json {
  const wire = toWire(change);
  assert.ok(
    typeof wire === "object" && wire !== null && "evidence_only" in wire,
  );
  const { evidence_only, ...rest } = wire;
  assert.equal(typeof evidence_only, "boolean");
  return rest;
}
