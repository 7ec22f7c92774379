import assert from "node:assert/strict";
import type {
  AtomicWrite,
  Driver,
  Row,
  RowRange,
} from "../../core/storage/driver.ts";
import { type Fault, faultAt, FaultDriver } from "./fault_driver.ts";

/** Remembers what it was asked to write. */
class Log implements Driver {
  readonly name = "native";
  readonly written: string[] = [];
  reads = 0;

  getMany(): Promise<(Row | null)[]> {
    this.reads++;
    return Promise.resolve([null]);
  }

  async *list(_range: RowRange): AsyncGenerator<Row> {
    this.reads++;
    for (const key of ["x", "y"]) {
      yield { key: [key], value: new Uint8Array(), versionstamp: "" };
    }
  }

  commit(write: AtomicWrite): Promise<{ ok: true; versionstamp: string }> {
    this.written.push(...(write.sets ?? []).map(({ key }) => String(key[0])));
    return Promise.resolve({ ok: true, versionstamp: "1" });
  }

  close(): void {}
}

const set = (key: string): AtomicWrite => ({
  sets: [{ key: [key], value: new Uint8Array() }],
});
const failed = { code: "store_io", outcome: "unknown" };

Deno.test("FaultDriver does nothing before it is armed", async () => {
  const log = new Log();
  const driver = new FaultDriver(log);
  await driver.commit(set("a"));
  await driver.getMany([["a"]]);
  assert.equal((await Array.fromAsync(driver.list({ prefix: [] }))).length, 2);
  assert.deepEqual([driver.calls, driver.fired, log.written], [3, 0, ["a"]]);
  driver.arm(faultAt(1, "refuse"));
  assert.equal(driver.calls, 0);
  await assert.rejects(driver.commit(set("b")), failed);
  assert.deepEqual([driver.calls, driver.fired, log.written], [1, 1, ["a"]]);
});

Deno.test("FaultDriver can fail at each call of an operation, until none is left", async () => {
  const outcomes: string[] = [];
  for (let place = 1;; place++) {
    const log = new Log();
    const driver = new FaultDriver(log, faultAt(place, "lose"));
    try {
      await driver.getMany([["a"]]);
      await driver.commit(set("a"));
      await driver.commit(set("b"));
    } catch {
      outcomes.push(log.written.join());
    }
    if (driver.fired === 0) break;
  }
  assert.deepEqual(outcomes, ["", "a", "a,b"]);
});

const faults: readonly [
  fault: Fault,
  error: object,
  done: readonly string[],
][] = [
  ["refuse", failed, []],
  ["lose", failed, ["a"]],
  ["late", failed, []],
  ["locked", { name: "TypeError", message: "database is locked" }, []],
  ["overdue", { code: "busy", outcome: "unknown" }, []],
  ["closed", { name: "Error", message: /closed handle/ }, []],
];

Deno.test("FaultDriver fails a commit as told", async () => {
  for (const [fault, error, done] of faults) {
    const log = new Log();
    const driver = new FaultDriver(log, faultAt(1, fault, "commit"));
    await driver.getMany([["a"]]);
    await assert.rejects(driver.commit(set("a")), error);
    assert.deepEqual(log.written, done, String(fault));
  }
});

Deno.test("FaultDriver fails a read as told, and its outcome is none", async () => {
  for (const fault of ["refuse", "lose", "late", "not_ok"] as const) {
    const log = new Log();
    const driver = new FaultDriver(log, faultAt(2, fault));
    await driver.getMany([["a"]]);
    await assert.rejects(Array.fromAsync(driver.list({ prefix: [] })), {
      code: "store_io",
      outcome: "none",
    });
    assert.equal(log.reads, fault === "lose" ? 2 : 1);
  }
});

Deno.test("FaultDriver answers a commit as if a check had failed", async () => {
  const log = new Log();
  const driver = new FaultDriver(log, faultAt(2, "not_ok", "commit"));
  assert.equal((await driver.commit(set("a"))).ok, true);
  assert.deepEqual(await driver.commit(set("b")), { ok: false });
  assert.deepEqual(log.written, ["a"]);
});

Deno.test("FaultDriver does a late commit after the next call, or when it is flushed", async () => {
  const log = new Log();
  const driver = new FaultDriver(log, faultAt(1, "late"));
  await assert.rejects(driver.commit(set("a")), failed);
  await driver.commit(set("b"));
  assert.deepEqual(log.written, ["b", "a"]);
  driver.arm(faultAt(1, "overdue"));
  await assert.rejects(driver.commit(set("c")), { code: "busy" });
  assert.deepEqual(log.written, ["b", "a"]);
  await driver.flush();
  await driver.flush();
  assert.deepEqual(log.written, ["b", "a", "c"]);
});

Deno.test("FaultDriver does a slow call when the test lets it", async () => {
  const log = new Log();
  const gate = Promise.withResolvers<void>();
  const driver = new FaultDriver(log, faultAt(1, { slow: gate.promise }));
  const slow = driver.commit(set("a"));
  await driver.commit(set("b"));
  assert.deepEqual(log.written, ["b"]);
  gate.resolve();
  await slow;
  assert.deepEqual(log.written, ["b", "a"]);
});
