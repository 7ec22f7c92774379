/**
 * More writes at once than one atomic write holds: whatever becomes of each part, every call is made
 * once, in its order, on what is really there, and answered with its own commit.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Store } from "@mnem/core";
import type { Driver } from "../../core/storage/driver.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { checkHistory, valuesOf } from "../support/check_history.ts";
import { checkVerified } from "../support/check_verified.ts";
import { hookedDriver, landsOn } from "../support/hooked_driver.ts";
import { FaultDriver, type FaultPlan } from "../support/fault_driver.ts";
import { MemoryKv } from "../support/memory_kv.ts";

/** Fourteen of them are more than an atomic write holds. */
const LARGE = "x".repeat(50_000);
const CALLS = 40;

/** Writes at once: more than two atomic writes hold. */
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

/** Turns of the event loop: in 50 all happens that waits for nothing but memory. */
async function turns(count = 50): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    await new Promise((next) => setTimeout(next, 0));
  }
}

/** A driver on which it takes a while until a branch moves. */
function slow(kv: MemoryKv): Driver {
  return hookedDriver(kv.open(), {
    commit: (write) => landsOn("main", write) ? turns() : undefined,
  });
}

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

Deno.test("when a part loses its race, it and what waits behind it are made on what came first", async () => {
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

Deno.test("what waits to follow HEAD goes where HEAD is by then", async () => {
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

Deno.test("writes that wait behind a large merge are made", async () => {
  const kv = new MemoryKv();
  await largeStore(kv);
  await using other = await openStoreOn(kv.open());
  await other.createBranch("side");
  const edits = Array.from({ length: 3_000 }, (_, i) => ({
    id: `n${i}`,
    content: `side ${i}`,
  }));
  await other.on("side").write(edits, { message: "side" });
  await other.write([{ id: "mine", content: 1 }], { message: "mine" });
  const driver = slow(kv);
  await using store = await openStoreOn(driver);
  await store.write([{ id: "first", content: 1 }], { message: "first" });
  const before = store.write([{ id: "b", content: 0 }], { message: "before" });
  const merge = store.merge("side", { message: "merge" });
  // It reads what it merges, and stands in line then.
  await turns(10);
  const waiting = ["a", "b", "n5"].map((id) =>
    store.write([{ id, content: "w" }], { message: id })
  );
  await before;
  const { status, commit } = await merge;
  assert.equal(status, "merged");
  const [first] = await Promise.all(waiting);
  const chain = await Array.fromAsync(store.log({ firstParent: true }));
  assert.deepEqual(chain.slice(0, 5).map(({ message }) => message), [
    "n5",
    "b",
    "a",
    "merge",
    "before",
  ]);
  assert.deepEqual([chain[2]?.id, chain[3]?.id], [first?.commit, commit]);
  assert.equal((await store.node("n6"))?.content, "side 6");
  await checkVerified(store);
});

Deno.test("each call is answered with its own commit where another process makes the same ones", async () => {
  const kv = new MemoryKv();
  await largeStore(kv);
  const clock = () => 1_800_000_000_000;
  await using twin = await openStoreOn(kv.open(), { clock });
  const write = (store: Store, call: number) =>
    store.write([{ id: `n${call}`, content: `${LARGE}${call}` }], {
      message: `call ${call}`,
    });
  let landings = 0;
  let chain = 0;
  let looks = -1;
  const driver = hookedDriver(kv.open(), {
    async commit(atomic) {
      if (!landsOn("main", atomic) || ++landings !== 2) return;
      chain = atomic.sets?.filter(({ key }) => key[0] === "c").length ?? 0;
      for (let call = 0; call < chain - 1; call++) await write(twin, call);
      looks = 0;
    },
    async getMany(keys) {
      if (looks < 0 || !keys.some(([head]) => head === "HEAD")) return;
      // First it is looked what came of the chain; the next one begins with the second look.
      if (++looks === 2) await write(twin, chain - 1);
    },
  });
  await using store = await openStoreOn(driver, { clock });
  await store.write([{ id: "n0", content: 1 }], { message: "first" });
  const calls = Array.from({ length: CALLS }, (_, call) => write(store, call));
  const written = await Promise.all(calls);
  assert.ok(chain > 1 && looks > 1);
  const { commits } = await checkHistory(store);
  const messages = new Map(commits.map(({ id, message }) => [id, message]));
  assert.deepEqual(
    written.map(({ commit }) => messages.get(commit ?? "")),
    messagesOf(CALLS),
  );
  await checkVerified(store);
});

Deno.test("a base that is stored when the turn of a write comes is found", async () => {
  const clock = () => 1_800_000_000_000;
  const seeded = new MemoryKv();
  await largeStore(seeded);
  // More than an atomic write holds, so that the last one waits behind its base.
  const play = async (base?: string | null) => {
    await using store = await openStoreOn(slow(seeded.copy()), { clock });
    const calls = Array.from(
      { length: 15 },
      (_, call) =>
        store.write([{ id: `n${call}`, content: `${LARGE}${call}` }], {
          message: `call ${call}`,
          ...call === 14 && base !== undefined ? { base } : {},
        }),
    );
    return await Promise.all(calls);
  };
  const first = await play();
  // Played again with the same clock, they are the same commits.
  const again = await play(first[8]?.commit);
  assert.equal(again[13]?.commit, first[13]?.commit);
});

Deno.test("once a store is closed, nothing is asked of its driver", async () => {
  const kv = new MemoryKv();
  await largeStore(kv);
  await using other = await openStoreOn(kv.open());
  const { commit: seed } = await other.head();
  let landings = 0;
  let asked = 0;
  const driver = hookedDriver(kv.open(), {
    async getMany() {
      asked++;
      await new Promise((next) => setTimeout(next, 0));
    },
    async commit(write) {
      // No branch to write to from here on: every call fails.
      if (landsOn("main", write) && ++landings === 2) {
        await other.switchTo(seed ?? "");
      }
    },
  });
  const store = await openStoreOn(driver);
  await store.write([{ id: "n0", content: 1 }], { message: "first" });
  const answers = await writesOf(store, (call) => `n${call * 70}`);
  assert.ok(answers.every(({ status }) => status === "rejected"));
  await store.close();
  const before = asked;
  assert.ok(before > 0);
  await turns();
  assert.equal(asked, before);
});
