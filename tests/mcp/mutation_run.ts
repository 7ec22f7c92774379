/**
 * Runs mutated frames through a server and holds what comes against the oracle.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Store } from "@mnem/core";
import { Chance } from "../support/tree_cases.ts";
import {
  type Era,
  firstFrame,
  KINDS,
  listFrame,
  validFrame,
} from "./frame_corpus.ts";
import { joined, mutate } from "./frame_mutator.ts";
import { type Expected, expected, linesIn, spelled } from "./frame_oracle.ts";
import { type Line, outcome, theAnswer } from "./wire_session.ts";

/** What came of a run. */
export interface Counts {
  /** Lines that were to be answered, to be told of, and to be answered with silence. */
  answer: number;
  fault: number;
  silence: number;
  /** Answers that were results, and tool calls that failed. */
  ok: number;
  failed: number;
}

/** How a run is made. */
export interface MutationRun {
  /** Of all chance. */
  readonly seed: number;
  /** How many frames are mutated. */
  readonly count: number;
  /** How many of them share a connection. */
  readonly batch: number;
  /** Sends bytes to a new connection, ends it, and returns every line of it. */
  readonly deliver: (input: Uint8Array) => Promise<Line[]>;
}

/** Runs it. Throws at the first line that the oracle did not expect, or that is missing. */
export async function runMutations(run: MutationRun): Promise<Counts> {
  const chance = new Chance(run.seed);
  const counts = { answer: 0, fault: 0, silence: 0, ok: 0, failed: 0 };
  for (let from = 0; from < run.count; from += run.batch) {
    const era = chance.pick<Era>(["modern", "legacy"]);
    // A connection that begins with a spoilt frame takes its era from whichever can be read.
    const isPinned = chance.below(4) > 0;
    const frames = Array.from({ length: run.batch }, (_, place) => {
      const id = from + place;
      return mutate(validFrame(id % KINDS, { era, id, chance }), {
        chance,
        other: validFrame(chance.below(KINDS), { era, id, chance }),
      });
    });
    const encoder = new TextEncoder();
    const input = joined([
      encoder.encode(isPinned ? firstFrame(era) : ""),
      ...frames,
      encoder.encode(`\n${listFrame(era, "last")}`)
        // The last line may be without its end.
        .subarray(0, chance.pick([-1, undefined])),
    ]);
    try {
      const lines = await run.deliver(input);
      compare(input, lines, counts);
      const last = theAnswer(lines, "last");
      if (isPinned) assert.equal(outcome(last), "ok");
    } catch (cause) {
      throw new Error(`seed ${run.seed}, frames from ${from}`, { cause });
    }
  }
  return counts;
}

/** Compares a conversation with what the oracle says of each of its lines. */
function compare(
  input: Uint8Array,
  lines: readonly Line[],
  counts: Counts,
): void {
  const due = new Map<string, Expected[]>();
  const cancelled = new Set<string>();
  const faults: number[] = [];
  for (const line of linesIn(input)) {
    const one = expected(line);
    counts[one.kind] += 1;
    if (one.kind === "answer") due.set(one.id, [...due.get(one.id) ?? [], one]);
    if (one.kind === "fault") faults.push(one.code);
    if (one.kind === "silence" && one.cancels !== undefined) {
      cancelled.add(one.cancels);
    }
  }
  const told: unknown[] = [];
  const came = new Map<string, Line[]>();
  for (const line of lines) {
    const id = line.method === undefined ? line.id : acknowledged(line);
    if (id !== undefined) {
      came.set(spelled(id), [...came.get(spelled(id)) ?? [], line]);
    } else if (line.method === undefined) told.push(line.error?.code);
    if (line.result !== undefined) {
      counts[outcome(line) === "ok" ? "ok" : "failed"] += 1;
    }
  }
  assert.deepEqual(told.toSorted(), faults.toSorted(), "errors without an id");
  for (const id of new Set([...due.keys(), ...came.keys()])) {
    const [asked, answers] = [due.get(id) ?? [], came.get(id) ?? []];
    const isEnough = answers.length === asked.length ||
      cancelled.has(id) && answers.length < asked.length;
    const [only] = asked;
    const isRefused = asked.length !== 1 || only?.kind !== "answer" ||
      only.code === undefined || answers[0]?.error?.code === only.code;
    if (isEnough && isRefused) continue;
    assert.fail(
      `id ${id}: asked ${asked.length} times, answered with ${
        JSON.stringify(answers)
      }\n${linesAbout(input, id)}`,
    );
  }
}

/** The id of the subscription that a notification acknowledges, which is the answer to it. */
function acknowledged(line: Line): string | number | undefined {
  if (line.method !== "notifications/subscriptions/acknowledged") return;
  const id = line.params?._meta?.["io.modelcontextprotocol/subscriptionId"];
  assert.ok(typeof id === "string" || typeof id === "number");
  return id;
}

function linesAbout(input: Uint8Array, id: string): string {
  return linesIn(input).filter((line) => {
    const one = expected(line);
    return one.kind === "answer" && one.id === id;
  }).map((line) => JSON.stringify(new TextDecoder().decode(line)).slice(0, 600))
    .join("\n");
}

/** Checks that a store holds together: every branch and every commit of it can be read. */
export async function assertIntact(store: Store): Promise<number> {
  const { branch, commit } = await store.head();
  const branches = await store.branches();
  if (branch !== null && commit !== null) {
    assert.equal(branches.get(branch), commit);
  }
  const commits = new Set<string>();
  for (const name of branches.keys()) {
    const view = store.on(name);
    for await (const { id } of view.log()) commits.add(id);
    await view.memory();
  }
  if (commit !== null) assert.ok(commits.has(commit));
  await store.write([{ id: "after", content: commits.size }], {
    message: "after",
  }).catch((error) => {
    // A switch to a commit left the store where nothing can be written.
    assert.equal(branch, null, String(error));
  });
  return commits.size;
}
