import assert from "node:assert/strict";
import { kvDriver } from "../../core/storage/kv_driver.ts";
import {
  CountingDriver,
  noCounts,
  type StorageCounts,
} from "./counting_driver.ts";
import { FaultDriver } from "./fault_driver.ts";
import { tempFolder } from "./temp_folder.ts";

const NONE: StorageCounts = noCounts();

async function withCounter(
  run: (driver: CountingDriver) => Promise<void>,
): Promise<void> {
  await using folder = await tempFolder();
  using kv = await Deno.openKv(`${folder.path}/kv.db`);
  await run(new CountingDriver(kvDriver(kv, "native", { location: "mem" })));
}

const sets = (count: number, bytes: number) =>
  Array.from(
    { length: count },
    (_, at) => ({
      key: ["n", `${at}`.padStart(4, "0")],
      value: new Uint8Array(bytes),
    }),
  );

Deno.test("CountingDriver counts rows and bytes by operation", async () => {
  await withCounter(async (driver) => {
    assert.deepEqual(driver.counts, NONE);
    await driver.commit({ sets: sets(3, 10) });
    await driver.commit({
      deletes: [["n", "0000"], ["n", "none"]],
      sets: sets(0, 0),
    });
    await driver.commit({
      checks: [{ key: ["n", "0001"], versionstamp: null }],
      sets: sets(3, 10),
    });
    await driver.getMany([["n", "0001"], ["n", "none"]]);
    const rows = await Array.fromAsync(driver.list({ prefix: ["n"] }));
    assert.equal(rows.length, 2);
    const counts: StorageCounts = {
      rounds: 5,
      getManys: 1,
      lists: 1,
      commits: 3,
      refused: 1,
      keysAsked: 2,
      rowsRead: 3,
      bytesRead: 30,
      rowsSet: 3,
      bytesSet: 30,
      rowsDeleted: 2,
    };
    assert.deepEqual(driver.counts, counts);
    driver.reset();
    assert.deepEqual(driver.counts, NONE);
  });
});

Deno.test("CountingDriver counts calls that wait together as one round", async () => {
  await withCounter(async (driver) => {
    await Promise.all([
      driver.getMany([["a"]]),
      driver.getMany([["b"]]),
      driver.commit({}),
    ]);
    assert.equal(driver.counts.rounds, 1);
    await driver.getMany([["a"]]);
    await driver.getMany([["b"]]);
    assert.equal(driver.counts.rounds, 3);
  });
});

Deno.test("CountingDriver counts a call that waits for one of two as a round", async () => {
  const answers = new Map<string, () => void>();
  const rows = (key: string) =>
    new Promise<[]>((answer) => answers.set(key, () => answer([])));
  await withCounter(async (inner) => {
    const driver = new CountingDriver(
      Object.assign(Object.create(inner), {
        getMany: ([[key]]: readonly [readonly [string]]) => rows(key),
      }),
    );
    const quick = driver.getMany([["a"]]).then(() => driver.getMany([["b"]]));
    const slow = driver.getMany([["c"]]);
    answers.get("a")?.();
    while (!answers.has("b")) await Promise.resolve();
    // That one of the first two is still in flight hides nothing.
    assert.equal(driver.counts.rounds, 2);
    answers.get("c")?.();
    await slow;
    assert.equal(driver.counts.rounds, 2);
    const beside = driver.getMany([["d"]]);
    assert.equal(driver.counts.rounds, 2, "beside b, after c");
    answers.get("b")?.();
    answers.get("d")?.();
    await Promise.all([quick, beside]);
    const last = driver.getMany([["e"]]);
    assert.equal(driver.counts.rounds, 3);
    driver.reset();
    answers.get("e")?.();
    await last;
    const fresh = driver.getMany([["f"]]);
    assert.equal(driver.counts.rounds, 1, "what was asked before the reset");
    answers.get("f")?.();
    await fresh;
  });
});

Deno.test("CountingDriver counts a round for each batch of a list", async () => {
  await withCounter(async (driver) => {
    for (let at = 0; at < 1_200; at += 600) {
      await driver.commit({ sets: sets(1_200, 1).slice(at, at + 600) });
    }
    const rounds: number[] = [];
    for (const limit of [1, 500, 501, 1_000, 1_200, 5_000]) {
      driver.reset();
      await Array.fromAsync(driver.list({ prefix: ["n"] }, { limit }));
      assert.equal(driver.counts.rowsRead, Math.min(limit, 1_200));
      rounds.push(driver.counts.rounds);
    }
    assert.deepEqual(rounds, [1, 1, 2, 2, 3, 3]);
  });
});

Deno.test("CountingDriver is in flight no longer after a call that failed", async () => {
  await withCounter(async (driver) => {
    const failing = new CountingDriver(new FaultDriver(driver, () => "refuse"));
    await assert.rejects(failing.commit({ sets: sets(3, 1) }));
    await assert.rejects(failing.getMany([["a"]]));
    assert.equal(failing.counts.rounds, 2);
    assert.equal(failing.counts.rowsSet, 0);
    assert.equal(driver.counts.commits, 0);
  });
});
