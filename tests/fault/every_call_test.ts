import assert from "node:assert/strict";
import { isMnemError, type Store } from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { checkHistory } from "../support/check_history.ts";
import { checkVerified } from "../support/check_verified.ts";
import { ClientErrors } from "../support/client_errors.ts";
import { type Fault, faultAt, FaultDriver } from "../support/fault_driver.ts";
import { MemoryKv } from "../support/memory_kv.ts";

const FAULTS = [
  "refuse",
  "lose",
  "late",
  "locked",
  "not_ok",
  "closed",
] as const satisfies readonly Fault[];

/** One operation to which everything is to happen. */
interface Operation {
  readonly name: string;
  /** Made before, without faults; else a branch `main` with three nodes, and `dev` on its first commit. */
  readonly seed?: (store: Store) => Promise<void>;
  readonly run: (store: Store) => Promise<unknown>;
  /** Looks, through another handle, at what a success leaves. */
  readonly after: (store: Store, answer: unknown) => Promise<void>;
  /** What may be there after an error of outcome "none"; nothing of the operation, unless it says else. */
  readonly none?: (store: Store) => Promise<void>;
}

const CLOCK = { clock: () => 1_700_000_000_000, author: "tester" };
const options = { message: "the call", timeMs: 5, author: "tester" };

async function threeNodes(store: Store): Promise<void> {
  for (const id of ["a", "b", "c"]) {
    await store.write([{ id, content: `${id} 0` }], { message: `seed ${id}` });
    if (id === "a") await store.createBranch("dev");
  }
}

/** How often the call is in the history of main, and that all of it reads back. */
async function timesIn(store: Store): Promise<number> {
  await checkVerified(store);
  const { messages } = await checkHistory(store.on("main"));
  return messages.filter((message) => message === options.message).length;
}

async function once(store: Store): Promise<void> {
  assert.equal(await timesIn(store), 1, "commits of the call");
}

const LONG = "long ".repeat(14_000);
const many = Array.from({ length: 1_500 }, (_, i) => ({
  id: `n${String(i).padStart(4, "0")}`,
  content: i,
}));

const OPERATIONS: readonly Operation[] = [
  {
    name: "first write of a branch",
    seed: async () => {},
    run: (store) => store.write([{ id: "x", content: 1 }], options),
    after: once,
  },
  {
    name: "write of one node",
    run: (store) => store.write([{ id: "a", content: 1 }], options),
    after: once,
  },
  {
    name: "forget",
    run: (store) => store.write([{ id: "b", remove: true }], options),
    after: async (store) => {
      await once(store);
      assert.equal(await store.node("b"), null);
      const [removal] = await Array.fromAsync(store.versions("b"));
      assert.equal(removal?.node, null);
      assert.equal(removal?.commit.message, options.message);
    },
  },
  {
    name: "write with base",
    run: async (store) => {
      const { commit } = await store.head();
      await store.write([{ id: "a", content: 1 }], {
        ...options,
        base: commit,
      });
    },
    after: once,
  },
  {
    name: "write of a value in pieces",
    run: (store) => store.write([{ id: "a", content: LONG }], options),
    after: async (store) => {
      await once(store);
      assert.equal((await store.node("a"))?.content, LONG);
    },
  },
  {
    name: "bulk write",
    run: (store) => store.write([...many, { id: "b", remove: true }], options),
    after: async (store) => {
      // Not change by change, for this is done a hundred times.
      const log = await Array.fromAsync(store.log());
      const calls = log.filter(({ message }) => message === options.message);
      assert.equal(calls.length, 1);
      const memory = await store.memory();
      assert.equal(memory.size, 1_502);
      for (const { id, content } of many) {
        assert.equal(memory.get(id)?.content, content);
      }
      const { commit } = await store.blame("n0750");
      assert.equal(commit.id, calls[0]?.id);
      const [removal] = await Array.fromAsync(store.versions("b"));
      assert.equal(removal?.commit.message, options.message);
    },
  },
  {
    name: "stage.put",
    run: (store) => store.stage.put("a", { content: 1 }),
    after: async (store) => {
      assert.deepEqual([...(await store.stage.list()).nodes.keys()], ["a"]);
    },
  },
  {
    name: "stage.commit",
    seed: async (store) => {
      await threeNodes(store);
      await store.stage.put("a", { content: 1 });
      await store.stage.remove("b");
    },
    run: (store) => store.stage.commit(options),
    after: async (store) => {
      await once(store);
      const { nodes, removals } = await store.stage.list();
      assert.deepEqual([nodes.size, removals.length], [0, 0]);
      assert.equal((await store.node("a"))?.content, 1);
    },
  },
  {
    name: "createBranch",
    run: (store) => store.createBranch("new", { at: "HEAD~1" }),
    after: async (store) => {
      const branches = await store.branches();
      assert.equal(branches.get("new"), await store.resolve("main~1"));
      assert.equal((await store.on("new").memory()).size, 2);
    },
    none: async (store) => {
      assert.equal((await store.branches()).has("new"), false);
    },
  },
  {
    name: "deleteBranch",
    run: (store) => store.deleteBranch("dev"),
    after: async (store, answer) => {
      assert.equal(answer, true);
      assert.deepEqual([...(await store.branches()).keys()], ["main"]);
    },
    none: async (store) => {
      assert.equal((await store.branches()).has("dev"), true);
    },
  },
  {
    name: "switchTo",
    run: (store) => store.switchTo("dev"),
    after: async (store) => {
      assert.equal((await store.head()).branch, "dev");
    },
    none: async (store) => {
      assert.equal((await store.head()).branch, "main");
    },
  },
  {
    name: "reads",
    run: async (store) => [
      (await store.node("a"))?.content,
      (await store.blame("b")).commit.message,
      (await store.memory()).size,
      (await Array.fromAsync(store.log())).length,
      (await store.changes()).length,
      (await Array.fromAsync(store.diff("dev"))).length,
    ],
    after: (_store, answer) => {
      assert.deepEqual(answer, ["a 0", "seed b", 3, 3, 1, 2]);
      return Promise.resolve();
    },
    none: () => Promise.resolve(),
  },
];

/** Whether this error may come of one fault of a kind. */
function checkError(error: unknown, fault: typeof FAULTS[number]): void {
  if (fault === "closed") {
    assert.ok(error instanceof Error && /closed handle/.test(error.message));
    return;
  }
  // A fault of one write is got over; only a read is not tried again.
  assert.ok(isMnemError(error), String(error));
  assert.equal(error.code, fault === "locked" ? "busy" : "store_io");
  assert.equal(error.outcome, "none");
}

for (const operation of OPERATIONS) {
  Deno.test(`${operation.name}: every fault at every storage call`, async () => {
    const calls = new Map<string, number>();
    for (const fault of FAULTS) {
      for (let place = 1;; place++) {
        const what = `${fault} at call ${place}`;
        if (!await withFault(operation, fault, place, what)) break;
        calls.set(fault, place);
      }
    }
    assert.equal(calls.size, FAULTS.length);
    assert.ok([...calls.values()].every((count) => count >= 1));
  });
}

Deno.test("making a store: every fault at every storage call", async () => {
  for (const fault of FAULTS) {
    for (let place = 1;; place++) {
      const kv = new MemoryKv();
      const driver = new FaultDriver(kv.open(), faultAt(place, fault));
      const open = () =>
        openStoreOn(new ClientErrors(driver), { ...CLOCK, create: true });
      const store = await open().catch((error) => {
        checkError(error, fault);
        return open();
      });
      const { fired } = driver;
      driver.arm(() => undefined);
      await driver.flush();
      await store.write([{ id: "x", content: 1 }], options);
      await once(await openStoreOn(kv.open()));
      if (fired === 0) break;
      assert.ok(place < 20);
    }
  }
});

/** Runs an operation on a fresh store with one fault; false if there is no such call. */
async function withFault(
  operation: Operation,
  fault: typeof FAULTS[number],
  place: number,
  what: string,
): Promise<boolean> {
  const kv = new MemoryKv();
  const seed = await openStoreOn(kv.open(), { ...CLOCK, create: true });
  await (operation.seed ?? threeNodes)(seed);
  const driver = new FaultDriver(kv.open());
  const store = await openStoreOn(new ClientErrors(driver), CLOCK);
  driver.arm(faultAt(place, fault));
  let answer: unknown;
  let error: unknown;
  try {
    answer = await operation.run(store);
  } catch (thrown) {
    error = thrown;
  }
  const { fired } = driver;
  driver.arm(() => undefined);
  await driver.flush();
  const other = await openStoreOn(kv.open(), CLOCK);
  try {
    if (error !== undefined) {
      checkError(error, fault);
      if (operation.none) await operation.none(other);
      else assert.equal(await timesIn(other), 0, "commits after an error");
      answer = await operation.run(store);
    }
    await operation.after(await openStoreOn(kv.open(), CLOCK), answer);
  } catch (cause) {
    throw new Error(`${operation.name}, ${what}`, { cause });
  }
  return fired > 0;
}
