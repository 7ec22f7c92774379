/**
 * A call with a key is made once, over MCP: as an argument, and in `_meta`.
 *
 * @module
 */

import assert from "node:assert/strict";
import { openStore, type Store } from "@mnem/core";
import { tempFolder } from "../support/temp_folder.ts";
import { tempStore } from "../support/temp_store.ts";
import { modernRequest, request } from "./server_process.ts";
import type { Shown } from "./tool_calls.ts";
import { converse, outcome, theAnswer } from "./wire_session.ts";

interface Asked {
  readonly name: string;
  readonly args: Shown;
  /** In `_meta`. */
  readonly meta?: unknown;
}

/** Calls a tool on a server of its own; returns its structure, or its error. */
async function ask(
  store: Store,
  { name, args, meta }: Asked,
  frame = request,
): Promise<Shown> {
  const _meta = meta === undefined ? {} : { "dev.mnem/key": meta };
  const params = { name, arguments: args, _meta };
  const input = frame(1, "tools/call", params);
  const answer = theAnswer(await converse(store, input, { tools: "all" }), 1);
  if (outcome(answer) === "ok") return Object(answer.result?.structuredContent);
  return Object(answer.result?._meta?.["dev.mnem/error"]);
}

/** A store with a plan, and a branch that has another one. */
async function prepared(store: Store): Promise<void> {
  await store.write([{ id: "plan", content: "free" }], { message: "seed" });
  await store.createBranch("side");
  await store.on("side").write([{ id: "seats", content: 3 }], {
    message: "side",
  });
  await store.write([{ id: "other", content: 1 }], { message: "other" });
}

const WRITERS: readonly (readonly [string, Shown])[] = [
  ["remember", { id: "plan", content: "pro" }],
  ["revise", { id: "plan", content: "pro" }],
  ["remember_many", { items: [{ id: "plan", content: "pro" }] }],
  ["forget", { id: "plan" }],
  ["merge", { theirs: "side" }],
];

for (const [name, args] of WRITERS) {
  Deno.test(`${name} with a key, as an argument or in _meta, is made once`, async () => {
    await using temp = await tempStore();
    const { store } = temp;
    await prepared(store);
    const first = await ask(store, { name, args: { ...args, key: "call-1" } });
    assert.equal(first["code"], undefined, JSON.stringify(first));
    assert.ok(Object.keys(Object(first["changes"])).length > 0);
    await store.write([
      { id: "plan", content: "newer" },
      { id: "seats", content: "newer" },
    ], { message: "newer" });
    const again: readonly Asked[] = [
      { name, args: { ...args, key: "call-1" } },
      { name, args, meta: "call-1" },
      { name, args: { ...args, key: "call-1" }, meta: "call-1" },
      { name, args: { ...args, key: "call-1" }, meta: null },
      { name, args: { ...args, key: null }, meta: "call-1" },
    ];
    for (const asked of again) {
      assert.deepEqual(await ask(store, asked), first);
    }
    const modern = { name, args, meta: "call-1" };
    const answered = await ask(store, modern, modernCall);
    assert.deepEqual(answered, first);
    assert.equal((await store.node("plan"))?.content, "newer");
    const other = name === "merge"
      ? { name, args: { theirs: "HEAD~1" }, meta: "call-1" }
      : { name: "remember", args: { id: "x", content: 1, key: "call-1" } };
    const refused = await ask(store, other);
    assert.equal(refused["code"], "conflict");
    assert.deepEqual(refused["data"], {
      key: "call-1",
      commit: first["commit"],
    });
    assert.match(String(refused["message"]), /a new request needs a new key$/);
  });
}

// As a client of the newer revision frames it, whose `_meta` says more.
const modernCall: typeof request = (id, method, params) => {
  const frame = JSON.parse(modernRequest(id, method, Object(params)));
  Object.assign(frame.params._meta, Object(params)._meta);
  return `${JSON.stringify(frame)}\n`;
};

Deno.test("a key holds for another server on the same store", async () => {
  await using folder = await tempFolder();
  const asked = {
    name: "remember",
    args: { id: "plan", content: "pro" },
    meta: "call-1",
  };
  const answers: Shown[] = [];
  for (const create of [true, false]) {
    await using store = await openStore(folder.path, { create });
    answers.push(await ask(store, asked));
  }
  assert.equal(answers[0]?.["code"], undefined);
  assert.deepEqual(answers[1], answers[0]);
});

Deno.test("a bad key is an invalid argument, and nothing is written", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await prepared(store);
  const { commit } = await store.head();
  const bad: readonly (readonly [Shown, unknown])[] = [
    [{ key: "" }, undefined],
    [{ key: "k".repeat(257) }, undefined],
    [{ key: "a\0b" }, undefined],
    [{ key: 5 }, undefined],
    [{}, 5],
    [{}, ["call-1"]],
    [{}, ""],
    [{ key: "one" }, "two"],
  ];
  for (const [more, meta] of bad) {
    for (const [name, args] of WRITERS) {
      const refused = await ask(store, {
        name,
        args: { ...args, ...more },
        meta,
      });
      assert.equal(
        refused["code"],
        "invalid_argument",
        `${name} ${JSON.stringify([more, meta])}`,
      );
    }
  }
  assert.equal((await store.head()).commit, commit);
  // A tool that reads minds no key.
  const read = await ask(store, { name: "recall", args: {}, meta: 5 });
  assert.equal(read["code"], undefined);
});

Deno.test("forget of what is not there takes no key", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const asked = { name: "forget", args: { id: "plan", key: "k" } };
  assert.equal((await ask(store, asked))["code"], "not_found");
  await store.write([{ id: "plan", content: 1 }], { message: "m" });
  const first = await ask(store, asked);
  assert.deepEqual(first["changes"], { plan: "removed" });
  assert.deepEqual(await ask(store, asked), first);
});
