/**
 * The gates hold for the store as it is, and fail when it does more: each planted fault is one that
 * somebody could make.
 *
 * @module
 */

import assert from "node:assert/strict";
import { tempFolder } from "../support/temp_folder.ts";
import { ByteCache } from "../../core/storage/byte_cache.ts";
import type { Driver } from "../../core/storage/driver.ts";
import type { Wrap } from "./bench_store.ts";
import { commitBench } from "./commit_bench.ts";
import type { BenchScale, Figure } from "./figure.ts";
import { type Gate, judge, nameOf, SHORT_SLACK } from "./gate_rules.ts";
import { GATES } from "./gates.ts";
import { recallBench } from "./recall_bench.ts";
import {
  type ServerCall,
  serverMemory,
  serverOf,
} from "./server_memory_bench.ts";
import { StorePool } from "./store_pool.ts";

const SCALE: BenchScale = {
  // More than one object holds, so that there is a way down.
  nodes: [1_100],
  commits: 4,
  questions: 2,
  histories: [100, 200],
  runs: 1,
  processes: [],
  short: true,
};
// In so short a run a ratio means nothing.
const COUNTS = GATES.filter(({ kind }) => kind === "count");

/** What fails of the counts of commits and reads, over storage with something planted in it. */
async function failures(wrap?: Wrap): Promise<string[]> {
  await using stores = new StorePool(wrap);
  const context = { scale: SCALE, stores };
  const figures = [
    ...await recallBench(context),
    ...await commitBench(context),
  ];
  const verdicts = judge(figures, COUNTS, SCALE);
  assert.ok(verdicts.length >= 3, "nothing was judged");
  return verdicts.filter(({ holds }) => !holds).map(({ line }) => line);
}

/** A driver in which one call is another. */
function plant(driver: Driver, calls: Partial<Driver>): Driver {
  return {
    name: driver.name,
    getMany: (keys) => driver.getMany(keys),
    list: (range, options) => driver.list(range, options),
    commit: (write) => driver.commit(write),
    close: () => driver.close(),
    ...calls,
  };
}

Deno.test("the gates hold for the store as it is", async () => {
  assert.deepEqual(await failures(), []);
});

Deno.test("the gates fail for a row more in each commit", async () => {
  let planted = 0;
  const failed = await failures((driver) =>
    plant(driver, {
      commit: (write) => {
        const row = { key: ["zz-planted", `${planted++}`], value: ROW };
        return driver.commit({ ...write, sets: [...write.sets ?? [], row] });
      },
    })
  );
  assert.deepEqual(failed, [
    "FAIL commit-hot rows at 1100: 4, must be exactly 3",
  ]);
});

Deno.test("the gates fail for a read more before each commit", async () => {
  const failed = await failures((driver) =>
    plant(driver, {
      commit: async (write) => {
        await driver.getMany([["HEAD"]]);
        return await driver.commit(write);
      },
    })
  );
  assert.deepEqual(failed, [
    "FAIL commit-hot rounds at 1100: 2, must be exactly 1",
  ]);
});

Deno.test("the gates fail for a cache that each commit empties", async () => {
  const { set } = ByteCache.prototype;
  const held: [cache: ByteCache<unknown>, name: string][] = [];
  ByteCache.prototype.set = function (name, value, bytes) {
    held.push([this, name]);
    set.call(this, name, value, bytes);
  };
  try {
    const failed = await failures((driver) =>
      plant(driver, {
        commit: async (write) => {
          const answer = await driver.commit(write);
          for (const [cache, name] of held.splice(0)) cache.delete(name);
          return answer;
        },
      })
    );
    assert.equal(failed.length, 1, failed.join("\n"));
    assert.match(failed[0]!, /^FAIL commit-hot rounds at 1100: [2-9],/);
  } finally {
    ByteCache.prototype.set = set;
  }
});

const ROW = new Uint8Array(8);

/** Which values of the memory of a server fail, after calls that each put something into its caches. */
async function memoryFailures(module?: URL): Promise<string[]> {
  await using folder = await tempFolder();
  const spread = Array.from({ length: 700 }, (_, i): ServerCall => [
    "remember",
    { id: `node-${i}`, content: i },
  ]);
  const values = await serverMemory(serverOf(`${folder.path}/mem`, module), {
    hot: spread.slice(0, 1),
    spread,
  });
  const verdicts = judge(
    [{ bench: "mcp-memory", size: spread.length, values }],
    GATES,
    SCALE,
  );
  return verdicts.filter(({ holds }) => !holds)
    .map(({ gate }) => gate.value);
}

Deno.test({
  name: "the gates fail for a server whose caches forget nothing",
  // Elsewhere nothing tells the memory of another process.
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const planted = new URL("./unbounded_server.ts", import.meta.url);
    const [asItIs, unbounded] = await Promise.all([
      memoryFailures(),
      memoryFailures(planted),
    ]);
    assert.deepEqual(asItIs, []);
    assert.deepEqual(unbounded, ["spread_mb", "peak_mb"]);
  },
});

function figure(size: number, value: number): Figure {
  return { bench: "b", size, values: { v: value } };
}

function verdictsOf(
  figures: readonly Figure[],
  gate: Omit<Gate, "bench" | "value">,
  short: boolean,
): boolean[] {
  return judge(figures, [{ ...gate, bench: "b", value: "v" }], { short })
    .map(({ holds }) => holds);
}

Deno.test("judge() holds a count exactly in a short run, and a ratio loosely", () => {
  const count = { kind: "count", bound: { exactly: 3 } } as const;
  assert.deepEqual(verdictsOf([figure(1, 3)], count, true), [true]);
  assert.deepEqual(verdictsOf([figure(1, 4)], count, true), [false]);
  assert.deepEqual(verdictsOf([figure(1, 2)], count, true), [false]);
  const most = { kind: "count", bound: { most: 3 } } as const;
  assert.deepEqual(verdictsOf([figure(1, 4)], most, true), [false]);
  const ratio = { kind: "ratio", bound: { most: 2 } } as const;
  assert.deepEqual(verdictsOf([figure(1, 2.1)], ratio, false), [false]);
  assert.deepEqual(verdictsOf([figure(1, 2 * SHORT_SLACK)], ratio, true), [
    true,
  ]);
  assert.deepEqual(verdictsOf([figure(1, 2 * SHORT_SLACK + 1)], ratio, true), [
    false,
  ]);
  const least = { kind: "ratio", bound: { least: 3 } } as const;
  assert.deepEqual(verdictsOf([figure(1, 2.9)], least, false), [false]);
  assert.deepEqual(verdictsOf([figure(1, 3 / SHORT_SLACK)], least, true), [
    true,
  ]);
});

Deno.test("judge() bounds a time in a long run alone", () => {
  const time = { kind: "time", bound: { most: 25 } } as const;
  assert.deepEqual(verdictsOf([figure(1, 26)], time, false), [false]);
  assert.deepEqual(verdictsOf([figure(1, 25)], time, false), [true]);
  assert.deepEqual(verdictsOf([figure(1, 26)], time, true), []);
});

Deno.test("judge() takes a bound for each size, and compares the ends", () => {
  const perSize = {
    kind: "count",
    bound: { most: { 10: 1, 100: 2 } },
  } as const;
  const figures = [figure(10, 2), figure(100, 2), figure(1_000, 9)];
  assert.deepEqual(verdictsOf(figures, perSize, false), [false, true]);
  const bound = { most: 4 };
  const more = { kind: "count", ends: "more", bound } as const;
  assert.deepEqual(verdictsOf(figures, more, false), [false]);
  const divided = { kind: "ratio", ends: "divided", bound } as const;
  assert.deepEqual(verdictsOf(figures, divided, false), [false]);
  assert.deepEqual(verdictsOf(figures.slice(0, 2), divided, false), [true]);
  // One size has no other end.
  assert.deepEqual(verdictsOf([figure(10, 9)], divided, false), []);
});

Deno.test("judge() does not let a gate pass whose value is gone", () => {
  const gone = { bench: "b", size: 1, values: { w: 1 } };
  const count = { kind: "count", bound: { exactly: 1 } } as const;
  assert.deepEqual(verdictsOf([gone], count, true), [false]);
  // A bench that was not run is not judged.
  assert.deepEqual(verdictsOf([{ ...gone, bench: "c" }], count, true), []);
});

Deno.test("nameOf() tells whose figures they are", () => {
  assert.equal(nameOf({ bench: "commit-hot" }), "commit-hot");
  assert.equal(nameOf({ bench: "peers", of: "git" }), "peers:git");
});
