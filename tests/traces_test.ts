/**
 * Histories that the reference implementation played: every answer is the same.
 *
 * @module
 */

import assert from "node:assert/strict";
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
import type { Json, NodeChange, Store } from "@mnem/core";
import { tempStore } from "./support/temp_store.ts";
import {
  type Arguments,
  type Evidence,
  type Operations,
  playTrace,
  TRACES,
} from "./support/traces.ts";

const OPERATIONS: Operations<Store> = {
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
