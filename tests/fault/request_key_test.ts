/**
 * A request with a key, made again after whatever went wrong with the first call, is made once.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Store } from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { checkVerified } from "../support/check_verified.ts";
import { ClientErrors } from "../support/client_errors.ts";
import { type Fault, faultAt, FaultDriver } from "../support/fault_driver.ts";
import { faultStore } from "../support/fault_store.ts";
import { runWithKeys } from "../support/keyed_run.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { reportFigures } from "../support/report_figures.ts";
import { seededRun } from "../support/seeded_run.ts";

const SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 1);
const FAULTS = [
  "refuse",
  "lose",
  "late",
  "locked",
  "not_ok",
  "closed",
] as const satisfies readonly Fault[];
const CLOCK = { clock: () => 1_700_000_000_000, author: "tester" };
const said = { message: "the call", timeMs: 5, key: "call-1" };
const many = Array.from({ length: 710 }, (_, i) => ({
  id: `n${i}`,
  content: i,
}));

/** A request, on a store with the nodes a and b, and a branch that has another b. */
interface Operation {
  readonly name: string;
  readonly seed?: (store: Store) => Promise<unknown>;
  readonly run: (store: Store) => Promise<unknown>;
  /** How many commits it makes. */
  readonly commits: number;
  /** What is done to it; everything, unless it says else. */
  readonly faults?: readonly typeof FAULTS[number][];
}

const OPERATIONS: readonly Operation[] = [
  {
    name: "write",
    run: (store) => store.write([{ id: "a", content: 1 }], said),
    commits: 1,
  },
  {
    name: "write that changes nothing",
    run: (store) => store.write([{ id: "a", content: 0 }], said),
    commits: 0,
  },
  {
    name: "removal",
    run: (store) => store.write([{ id: "a", remove: true }], said),
    commits: 1,
  },
  {
    name: "bulk write",
    run: (store) => store.write([{ id: "a", content: 1 }, ...many], said),
    commits: 1,
    faults: ["lose", "late"],
  },
  {
    name: "value in pieces",
    run: (store) =>
      store.write([{ id: "a", content: "long ".repeat(14_000) }], said),
    commits: 1,
  },
  {
    name: "chain of writes, two of them one request",
    run: async (store) => {
      const write = (id: string, key: string) =>
        store.write([{ id, content: id }], { ...said, key });
      const [one, two, again] = await Promise.all([
        write("a", "1"),
        write("c", "2"),
        write("a", "1"),
      ]);
      assert.deepEqual(again, one);
      return [one, two];
    },
    commits: 2,
  },
  {
    name: "merge",
    run: (store) => store.merge("side", { ...said, strategy: "theirs" }),
    commits: 1,
  },
  {
    name: "fast-forward",
    seed: (store) => store.on("side").merge("main"),
    run: (store) => store.merge("side", said),
    commits: 0,
  },
  {
    name: "merge of what is merged",
    seed: (store) => store.merge("side"),
    run: (store) => store.merge("side", said),
    commits: 0,
  },
  {
    name: "revert",
    run: (store) => store.revert("HEAD", said),
    commits: 1,
  },
  {
    name: "stage.commit",
    seed: (store) => store.stage.put("a", { content: 1 }),
    run: (store) => store.stage.commit(said),
    commits: 1,
  },
];

Deno.test("a request with a key, made again after every fault at every storage call, is made once", async (t) => {
  let faults = 0;
  for (const operation of OPERATIONS) {
    await t.step(operation.name, async () => {
      const before = faults;
      const { faults: kinds = FAULTS } = operation;
      for (const fault of kinds) {
        for (let place = 1;; place++, faults++) {
          try {
            if (!await once(operation, fault, place)) break;
          } catch (cause) {
            throw new Error(`${fault} at call ${place}`, { cause });
          }
          assert.ok(place < 100);
        }
      }
      assert.ok(faults >= before + 2 * kinds.length);
    });
  }
  reportFigures("request-keys-fault-by-fault", { faults, madeTwice: 0 });
});

/** Makes a request with one fault, and again, with a newer value of others in between; false if there is no such call. */
async function once(
  { seed, run, commits }: Operation,
  fault: typeof FAULTS[number],
  place: number,
): Promise<boolean> {
  const kv = new MemoryKv();
  const other = await openStoreOn(kv.open(), { ...CLOCK, create: true });
  await other.write([{ id: "a", content: 0 }, { id: "b", content: 0 }], {
    message: "seed",
  });
  await other.createBranch("side");
  await other.on("side").write([{ id: "b", content: "side" }], {
    message: "side",
  });
  await other.write([{ id: "c", content: 0 }], { message: "seed c" });
  await seed?.(other);
  const driver = new FaultDriver(kv.open());
  driver.arm(faultAt(0, "refuse"));
  const store = await openStoreOn(new ClientErrors(driver), CLOCK);
  driver.arm(faultAt(place, fault));
  const first = await run(store).catch(() => undefined);
  const { fired } = driver;
  driver.arm(() => undefined);
  // What is late comes before the second call, or after it.
  if (place % 2 === 0) await driver.flush();
  const landed = (await times(other)) > 0;
  if (landed || first !== undefined) {
    await other.write([{ id: "a", content: "newer" }], { message: "newer" });
  }
  const again = await run(await openStoreOn(kv.open(), CLOCK));
  if (first !== undefined) assert.deepEqual(again, first);
  await driver.flush();
  assert.deepEqual(await run(other), again);
  assert.equal(await times(other), commits);
  if (landed) assert.equal((await other.node("a"))?.content, "newer");
  await checkVerified(other);
  return fired > 0;
}

async function times(store: Store): Promise<number> {
  const log = await Array.fromAsync(store.log());
  return log.filter(({ message }) => message === said.message).length;
}

Deno.test("a commit that another request made too is the answer to both, and both keys are kept", async () => {
  const { driver, store, other } = await faultStore();
  const edits = [{ id: "a", content: 1 }];
  const twin = { message: "twin", timeMs: 7, author: "one" };
  let made = false;
  driver.arm(({ operation, nth }) => {
    if (operation !== "commit" || nth > 1) return undefined;
    const ready = other.write(edits, { ...twin, key: "theirs" });
    made = true;
    return { slow: ready };
  });
  const ours = await store.write(edits, { ...twin, key: "ours" });
  assert.ok(made);
  const theirs = await other.write(edits, { ...twin, key: "theirs" });
  assert.deepEqual(ours, theirs);
  await other.write([{ id: "a", content: "newer" }], { message: "newer" });
  assert.deepEqual(await other.write(edits, { ...twin, key: "ours" }), ours);
  assert.equal((await other.node("a"))?.content, "newer");
  await checkVerified(other);
});

Deno.test("a commit that is stored on another branch is adopted with its key", async () => {
  const { store, other } = await faultStore();
  await other.createBranch("side");
  const edits = [{ id: "a", content: 1 }];
  const twin = { message: "twin", timeMs: 7, author: "one", key: "k" };
  const side = await other.on("side").write(edits, twin);
  const main = await store.write(edits, twin);
  assert.deepEqual(main, side);
  await other.write([{ id: "a", content: "newer" }], { message: "newer" });
  assert.deepEqual(await other.write(edits, twin), main);
  assert.equal((await other.node("a"))?.content, "newer");
  await checkVerified(other);
});

Deno.test("a key that left its row before the answer was looked for is kept again", async () => {
  const { kv, driver, store, other } = await faultStore();
  const edits = [{ id: "a", content: 1 }];
  let lost = false;
  driver.arm(({ operation, nth }) => {
    if (operation === "commit" && nth === 1) {
      lost = true;
      return "lose";
    }
    if (!lost) return undefined;
    lost = false;
    // As if so many others had come since; and one of them wrote a newer value.
    for (const { key } of kv.rows()) {
      if (key[0] === "k" && key.length === 3) kv.remove(key);
    }
    const newer = other.write([{ id: "a", content: "newer" }], {
      message: "newer",
      key: "newer",
    });
    return { slow: newer };
  });
  const first = await store.write(edits, said);
  assert.equal(driver.fired, 2);
  assert.deepEqual(await other.write(edits, said), first);
  assert.equal((await other.node("a"))?.content, "newer");
  assert.equal(await times(other), 1);
  await checkVerified(other);
});

Deno.test("requests at random, each made until it is answered, while storage fails: none is made twice", async () => {
  const all = {
    committed: 0,
    unchanged: 0,
    repeated: 0,
    failed: 0,
    unknown: 0,
  };
  for (let seed = SEED; seed < SEED + 10; seed++) {
    await seededRun(seed, async () => {
      const counts = await runWithKeys({
        seed,
        handles: 2,
        requests: 25,
        percent: 12,
        twins: seed % 2 === 0,
      });
      for (const [name, count] of Object.entries(counts)) {
        all[name as keyof typeof all] += count; // the names of one object
      }
    });
  }
  assert.ok(
    Object.values(all).every((count) => count > 0),
    JSON.stringify(all),
  );
  reportFigures("request-keys-random-faults", {
    ...all,
    madeTwice: 0,
  });
});
