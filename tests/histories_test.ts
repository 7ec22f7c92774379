/**
 * Whole histories whose commit ids are known from elsewhere: the same calls give the same ids.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import {
  forget,
  type Item,
  remember,
  rememberMany,
  whenDid,
  why,
} from "@mnem/agents";
import { type Commit, initStore, openStore, type Store } from "@mnem/core";
import { toWire } from "@mnem/agents";
import { overheadWorkload } from "./support/overhead_workload.ts";
import { tempFolder } from "./support/temp_folder.ts";
import { tempStore } from "./support/temp_store.ts";

interface BuggyStep {
  readonly message: string;
  readonly author: string;
  readonly time_ms: number;
  readonly nodes: readonly {
    readonly id: string;
    readonly content: string;
    readonly observation?: string;
    readonly step?: string;
    readonly event_time?: number;
  }[];
  readonly commit: string;
}

interface Vectors {
  readonly histories: {
    readonly default_messages: {
      readonly commits: readonly string[];
      readonly messages: readonly string[];
    };
    readonly overhead: readonly {
      readonly steps: number;
      readonly commits: number;
      readonly fault_commit: string;
      readonly head: string;
    }[];
    readonly flat_1024: FlatHistory;
    readonly flat_1500: FlatHistory;
    readonly buggy_run: {
      readonly steps: readonly BuggyStep[];
      readonly found: string;
      readonly why: unknown;
    };
  };
}

interface FlatHistory {
  readonly commits: readonly string[];
  readonly states: readonly string[];
}

const file = new URL("./data/vectors.json", import.meta.url);
const vectors: Vectors = JSON.parse(await readFile(file, "utf8"));

Deno.test("default messages: the commits have the known ids", async () => {
  const { commits, messages } = vectors.histories.default_messages;
  await using temp = await tempStore();
  await remember(temp.store, "a", 1, { timeMs: 1_000 });
  await rememberMany(temp.store, [{ id: "b", content: 2 }], { timeMs: 2_000 });
  await rememberMany(temp.store, [
    { id: "c", content: 3 },
    { id: "d", content: 4 },
  ], { timeMs: 3_000 });
  await forget(temp.store, "a", { timeMs: 4_000 });
  const log = await logOf(temp.store);
  assert.deepEqual(log.map(({ message }) => message), messages);
  assert.deepEqual(log.map(({ id }) => id), commits);
  assert.deepEqual(
    new Set(log.map(({ author }) => author)),
    new Set(["agent"]),
  );
});

Deno.test("overhead workload: fault and head have the known ids", async () => {
  const [expected] = vectors.histories.overhead;
  assert.ok(expected !== undefined);
  await using temp = await tempStore({ author: "bench" });
  let fault: string | null = null;
  for (const { step, edits } of overheadWorkload(expected.steps)) {
    const { commit } = await temp.store.write(edits, {
      message: `step ${step}`,
      timeMs: 1_000 + step,
    });
    if (step === expected.steps / 2) fault = commit;
  }
  assert.equal(fault, expected.fault_commit);
  assert.equal((await temp.store.head()).commit, expected.head);
  assert.equal((await logOf(temp.store)).length, expected.commits);
  const found = await whenDid(temp.store, "k7", { equals: "WRONG" });
  assert.equal(found.commit.id, expected.fault_commit);
});

Deno.test("1,024 nodes: the state is one flat object by rule", async () => {
  const { commits, states } = vectors.histories.flat_1024;
  await using temp = await tempStore();
  await rememberMany(temp.store, numbered(1_024), { timeMs: 1_000 });
  const log = await logOf(temp.store);
  assert.deepEqual(log.map(({ state }) => state), states);
  assert.deepEqual(log.map(({ id }) => id), commits);
});

Deno.test("1,500 nodes: the state is flat in a store of that form", async () => {
  const { commits, states } = vectors.histories.flat_1500;
  await using folder = await tempFolder();
  await using store = await initStore(folder.path, { stateForm: "flat" });
  await rememberMany(store, numbered(1_500), { timeMs: 1_000 });
  await remember(store, "n0700", "changed", { timeMs: 2_000 });
  const log = await logOf(store);
  assert.deepEqual(log.map(({ state }) => state), states);
  assert.deepEqual(log.map(({ id }) => id), commits);
});

Deno.test("1,500 nodes: the state has another id in a store of the usual form", async () => {
  await using temp = await tempStore();
  await rememberMany(temp.store, numbered(1_500), { timeMs: 1_000 });
  const [commit] = await logOf(temp.store);
  assert.ok(commit !== undefined);
  assert.notEqual(commit.state, vectors.histories.flat_1500.states[0]);
  assert.equal((await temp.store.memory()).size, 1_500);
});

Deno.test("buggy run: every commit has its known id, also after a reopen", async () => {
  const { steps, found, why: expected } = vectors.histories.buggy_run;
  await using folder = await tempFolder();
  {
    await using store = await openStore(folder.path, { create: true });
    for (const step of steps) {
      const items = step.nodes.map(({ event_time, ...node }): Item => ({
        ...node,
        eventTimeMs: event_time,
      }));
      const { commit } = await rememberMany(store, items, {
        summary: step.message,
        author: step.author,
        timeMs: step.time_ms,
      });
      assert.equal(commit, step.commit);
    }
  }
  await using store = await openStore(folder.path);
  assert.deepEqual(
    (await logOf(store)).map(({ id }) => id),
    steps.map(({ commit }) => commit),
  );
  const answer = await whenDid(store, "plan", { equals: "pro" });
  assert.equal(answer.commit.id, found);
  assert.deepEqual(answer.flips, [found]);
  assert.equal(answer.flipsComplete, true);
  assert.deepEqual(toWire(await why(store, "plan")), expected);
  assert.ok(answer.blame !== null);
  assert.deepEqual(toWire(answer.blame), expected);
  const discount = await whenDid(store, "discount-band", { present: true });
  assert.equal(discount.commit.id, steps[6]?.commit);
});

/** All commits, oldest first. */
async function logOf(store: Store): Promise<Commit[]> {
  return (await Array.fromAsync(store.log())).toReversed();
}

function numbered(count: number): Item[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `n${String(index).padStart(4, "0")}`,
    content: index,
  }));
}
