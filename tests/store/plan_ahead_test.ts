/**
 * Writes that do not fit one atomic write are planned on commits that are still being written: whatever
 * becomes of those, each write is made once, on what is really there.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Store } from "@mnem/core";
import type { Driver } from "../../core/storage/driver.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { checkHistory, valuesOf } from "../support/check_history.ts";
import { checkVerified } from "../support/check_verified.ts";
import { FaultDriver, type FaultPlan } from "../support/fault_driver.ts";
import { MemoryKv } from "../support/memory_kv.ts";

/** Fifteen of them fill an atomic write. */
const LARGE = "x".repeat(50_000);
const CALLS = 40;

/** Writes at once: more than two atomic writes hold, so that the third rests on one that was planned ahead. */
function writesOf(
  store: Store,
  idOf: (call: number) => string = (call) => `n${call}`,
): Promise<PromiseSettledResult<unknown>[]> {
  return Promise.allSettled(
    Array.from(
      { length: CALLS },
      (_, call) =>
        store.write([{ id: idOf(call), content: `${LARGE}${call}` }], {
          message: `call ${call}`,
        }),
    ),
  );
}

const messagesOf = (calls: number) =>
  Array.from({ length: calls }, (_, call) => `call ${call}`);

/** A store of 3,000 nodes, which is a tree of several chunks. */
async function largeStore(kv: MemoryKv): Promise<void> {
  await using store = await openStoreOn(kv.open(), { create: true });
  const edits = Array.from({ length: 3_000 }, (_, i) => ({
    id: `n${i}`,
    content: i,
  }));
  await store.write(edits, { message: "seed" });
}

/** Opens with faults at the commits of a branch: the first of them is 1. */
async function faultyStore(
  kv: MemoryKv,
  faultAt: (landing: number) => ReturnType<FaultPlan>,
): Promise<{ store: Store; driver: FaultDriver }> {
  const driver = new FaultDriver(kv.open());
  const store = await openStoreOn(driver);
  let landings = 0;
  driver.arm(({ write }) =>
    write?.sets?.some(({ key }) => key[0] === "r")
      ? faultAt(++landings)
      : undefined
  );
  return { store, driver };
}

Deno.test("what waits is planned while a chain is being written", async () => {
  const kv = new MemoryKv();
  await largeStore(kv);
  const inner = kv.open();
  let written = Promise.resolve();
  let inFlight = 0;
  let readMeanwhile = 0;
  const driver: Driver = {
    name: inner.name,
    getMany(keys) {
      if (inFlight > 0) readMeanwhile++;
      return inner.getMany(keys);
    },
    list: (range, options) => inner.list(range, options),
    async commit(write) {
      inFlight++;
      await written;
      inFlight--;
      return await inner.commit(write);
    },
    close: () => inner.close(),
  };
  await using store = await openStoreOn(driver);
  // The head is known from here on.
  await store.write([{ id: "n0", content: "first" }], { message: "first" });
  assert.equal(readMeanwhile, 0);
  let release = () => {};
  written = new Promise((resolve) => release = resolve);
  const writes = writesOf(store, (call) => `n${call * 70}`);
  // By then whatever can be read before the held write ends is read.
  for (let turn = 0; turn < 200; turn++) {
    await new Promise((next) => setTimeout(next, 0));
  }
  assert.ok(readMeanwhile >= 3, `${readMeanwhile} reads`);
  release();
  await writes;
  const { messages } = await checkHistory(store);
  assert.deepEqual(messages, ["seed", "first", ...messagesOf(CALLS)]);
});

for (
  const [name, fault] of [
    ["finds another commit", "not_ok"],
    ["lands and its answer is lost", "lose"],
    ["lands late", "late"],
    ["is overdue", "overdue"],
    ["is asked for twice", "twice"],
  ] as const
) {
  for (const landing of [1, 2, 3]) {
    Deno.test(`when write ${landing} of several ${name}, all calls are made once, in order`, async () => {
      const kv = new MemoryKv();
      await largeStore(kv);
      const { store, driver } = await faultyStore(
        kv,
        (nth) => nth === landing + 1 ? fault : undefined,
      );
      await using _ = store;
      await store.write([{ id: "n0", content: 1 }], { message: "first" });
      const answers = await writesOf(store);
      assert.equal(driver.fired, 1);
      assert.ok(answers.every(({ status }) => status === "fulfilled"));
      const { messages } = await checkHistory(store);
      assert.deepEqual(messages, ["seed", "first", ...messagesOf(CALLS)]);
      await checkVerified(store);
    });
  }
}

Deno.test("where a write fails, its calls fail, and those behind it are made on what is there", async () => {
  const kv = new MemoryKv();
  await largeStore(kv);
  const { store } = await faultyStore(
    kv,
    (landing) => landing === 2 ? "closed" : undefined,
  );
  await using _ = store;
  await store.write([{ id: "n0", content: 1 }], { message: "first" });
  // Each is made on what the one before left.
  const answers = await writesOf(store, () => "n1");
  const failed = answers.findIndex(({ status }) => status === "fulfilled");
  assert.ok(failed > 5 && failed < 20, `${failed} failed`);
  assert.ok(
    answers.slice(failed).every(({ status }) => status === "fulfilled"),
  );
  const { messages } = await checkHistory(store);
  const made = messagesOf(CALLS).slice(failed);
  assert.deepEqual(messages, ["seed", "first", ...made]);
  const values = await valuesOf(store, "n1");
  assert.deepEqual(values.length, made.length + 1);
  await checkVerified(store);
});

Deno.test("what was planned on a commit that lost its race is planned anew", async () => {
  const kv = new MemoryKv();
  await largeStore(kv);
  await using other = await openStoreOn(kv.open());
  let raced: Promise<unknown> = Promise.resolve();
  const { store } = await faultyStore(kv, (landing) => {
    if (landing !== 2) return undefined;
    // Before ours lands, and on a node of those that wait.
    raced = other.write([{ id: "n30", content: "theirs" }], {
      message: "theirs",
    });
    return { slow: raced };
  });
  await using _ = store;
  await store.write([{ id: "n0", content: 1 }], { message: "first" });
  const answers = await writesOf(store);
  await raced;
  assert.ok(answers.every(({ status }) => status === "fulfilled"));
  const { messages } = await checkHistory(store);
  assert.deepEqual(messages, [
    "seed",
    "first",
    "theirs",
    ...messagesOf(CALLS),
  ]);
  assert.deepEqual(await valuesOf(store, "n30"), [
    `${LARGE}30`,
    "theirs",
    30,
  ]);
  await checkVerified(store);
});

Deno.test("what follows HEAD goes where HEAD is, though it was planned for the branch before", async () => {
  const kv = new MemoryKv();
  await largeStore(kv);
  await using other = await openStoreOn(kv.open());
  await other.createBranch("side");
  const { store } = await faultyStore(kv, (landing) => {
    if (landing !== 3) return undefined;
    return { slow: other.switchTo("side") };
  });
  await using _ = store;
  await store.write([{ id: "n0", content: 1 }], { message: "first" });
  const answers = await writesOf(store);
  assert.ok(answers.every(({ status }) => status === "fulfilled"));
  const main = await checkHistory(store.on("main"));
  const side = await checkHistory(store.on("side"));
  const onMain = main.messages.slice(2);
  assert.ok(onMain.length > 0 && onMain.length < CALLS);
  assert.deepEqual(
    [...onMain, ...side.messages.slice(1)],
    messagesOf(CALLS),
  );
  await checkVerified(store);
});

Deno.test("requests with keys and long values among many calls are made once, in their order", async () => {
  const kv = new MemoryKv();
  await largeStore(kv);
  await using store = await openStoreOn(kv.open());
  await store.write([{ id: "n0", content: 1 }], { message: "first" });
  const calls = Array.from({ length: CALLS }, (_, call) => {
    const content = call % 9 === 4 ? LARGE.repeat(3) + call : LARGE + call;
    return store.write([{ id: `n${call}`, content }], {
      message: `call ${call}`,
      ...call === 25 ? { key: "once" } : {},
    });
  });
  const written = await Promise.all(calls);
  const again = await store.write([{ id: "n25", content: LARGE + 25 }], {
    message: "call 25",
    key: "once",
  });
  assert.equal(again.commit, written[25]!.commit);
  const { messages, commits } = await checkHistory(store);
  assert.deepEqual(messages, ["seed", "first", ...messagesOf(CALLS)]);
  assert.deepEqual(
    commits.slice(2).map(({ id }) => id),
    written.map(({ commit }) => commit),
  );
  await checkVerified(store);
});
