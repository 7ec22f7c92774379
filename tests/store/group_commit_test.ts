/**
 * Calls that wait together share an atomic write, and are separate commits nevertheless.
 *
 * @module
 */

import assert from "node:assert/strict";
import { MnemError } from "@mnem/core";
import { checkHistory } from "../support/check_history.ts";
import { countedStore, countsOf } from "../support/counted_store.ts";
import { MemoryKv } from "../support/memory_kv.ts";

const texts = (many: number) => Array.from({ length: many }, (_, i) => `${i}`);

Deno.test("a hundred calls at once are a hundred commits in a few atomic writes", async () => {
  const kv = new MemoryKv();
  const { store, driver } = await countedStore(kv.open(), { create: true });
  const written: (string | null)[] = [];
  const counts = await countsOf(driver, async () => {
    const calls = texts(100).map((text) =>
      store.write([{ id: `n${text}`, content: text }], { message: text })
    );
    for (const { commit, changes } of await Promise.all(calls)) {
      written.push(commit);
      assert.deepEqual([...changes.values()], ["added"]);
    }
  });
  assert.ok(counts.commits <= 3, `${counts.commits} atomic writes`);
  assert.equal(counts.refused, 0);
  const { commits, messages, memory } = await checkHistory(store);
  assert.deepEqual(messages, texts(100));
  assert.deepEqual(commits.map(({ id }) => id), written);
  assert.equal(memory.size, 100);
  await store.close();
});

Deno.test("calls on one node: each is applied to what the one before left", async () => {
  const { store } = await countedStore(new MemoryKv().open(), { create: true });
  const call = (content: number | null) =>
    store.write(
      [content === null ? { id: "n", remove: true } : { id: "n", content }],
      { message: `${content}` },
    );
  const answers = await Promise.all([1, 1, 2, null, null, 2, 2].map(call));
  assert.deepEqual(
    answers.map(({ changes }) => changes.get("n") ?? "unchanged"),
    [
      "added",
      "unchanged",
      "modified",
      "removed",
      "unchanged",
      "added",
      "unchanged",
    ],
  );
  const { messages } = await checkHistory(store);
  assert.deepEqual(messages, ["1", "2", "null", "2"]);
  // What changed nothing is answered with the commit that it was judged on.
  assert.equal(answers[1]?.commit, answers[0]?.commit);
  assert.equal(answers[6]?.commit, (await store.head()).commit);
  await store.close();
});

Deno.test("a base is judged at its place in the chain, and a conflict fails its own call only", async () => {
  const { store, driver } = await countedStore(new MemoryKv().open(), {
    create: true,
  });
  const { commit: base } = await store.write([{ id: "a", content: 0 }], {
    message: "seed",
  });
  driver.reset();
  const on = (id: string, content: number) =>
    store.write([{ id, content }], { message: `${id}${content}`, base });
  const answers = await Promise.allSettled([
    on("a", 1),
    on("b", 1),
    on("a", 2),
    on("b", 2),
    on("c", 1),
  ]);
  assert.equal(driver.counts.commits, 1);
  assert.deepEqual(
    answers.map((answer) => answer.status),
    ["fulfilled", "fulfilled", "rejected", "rejected", "fulfilled"],
  );
  const conflict = answers[2]?.status === "rejected" && answers[2].reason;
  assert.ok(conflict instanceof MnemError);
  assert.equal(conflict.code, "conflict");
  const [lost] = Object.values(conflict.data?.conflicts ?? {});
  assert.partialDeepStrictEqual(lost, {
    id: "a",
    base: { content: 0 },
    head: { content: 1 },
  });
  const { messages } = await checkHistory(store);
  assert.deepEqual(messages, ["seed", "a1", "b1", "c1"]);
  await store.close();
});

Deno.test("a chain is cut where an atomic write is full, and the rest follows", async () => {
  const { store, driver } = await countedStore(new MemoryKv().open(), {
    create: true,
  });
  const large = "x".repeat(50_000);
  const counts = await countsOf(
    driver,
    () =>
      Promise.all(
        texts(30).map((text) =>
          store.write([{ id: `n${text}`, content: large + text }], {
            message: text,
          })
        ),
      ),
  );
  assert.ok(counts.commits >= 3 && counts.commits <= 5, `${counts.commits}`);
  const { messages } = await checkHistory(store);
  assert.deepEqual(messages, texts(30));
  await store.close();
});

Deno.test("long values and bulk writes among small calls keep their turn", async () => {
  const { store } = await countedStore(new MemoryKv().open(), { create: true });
  const long = "long ".repeat(30_000);
  const bulk = texts(800).map((text) => ({ id: `b${text}`, content: text }));
  const calls = [
    store.write([{ id: "a", content: 1 }], { message: "small" }),
    store.write([{ id: "a", content: long }], { message: "long" }),
    store.write([...bulk, { id: "a", content: 2 }], { message: "bulk" }),
    store.write([{ id: "a", content: 3 }], { message: "last" }),
  ];
  await Promise.all(calls);
  const { messages, memory } = await checkHistory(store);
  assert.deepEqual(messages, ["small", "long", "bulk", "last"]);
  assert.deepEqual([memory.size, memory.get("a")?.content], [801, 3]);
  await store.close();
});

Deno.test("calls that follow HEAD and calls on its branch are all made, once each", async () => {
  const kv = new MemoryKv();
  const { store } = await countedStore(kv.open(), { create: true });
  const bound = store.on("main");
  await Promise.all(
    texts(20).map((text, i) =>
      (i % 2 === 0 ? store : bound).write([{ id: text, content: 1 }], {
        message: text,
      })
    ),
  );
  const { messages } = await checkHistory(store);
  assert.deepEqual(messages.toSorted(), texts(20).toSorted());
  await store.close();
});
