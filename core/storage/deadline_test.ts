import assert from "node:assert/strict";
import { FaultDriver } from "../../tests/support/fault_driver.ts";
import { MnemError } from "../errors.ts";
import { type DeadlineTimer, inTime, withDeadline } from "./deadline.ts";
import type { Driver, Row } from "./driver.ts";

/** A timer that a test turns on by hand, and what it did. */
class HandTimer implements DeadlineTimer {
  time = 0;
  started = 0;
  #due: { at: number; callback: () => void; ref: boolean } | undefined;

  now(): number {
    return this.time;
  }

  start(callback: () => void, ms: number): ReturnType<DeadlineTimer["start"]> {
    assert.equal(this.#due, undefined, "one timer at a time");
    this.started++;
    const due = { at: this.time + ms, callback, ref: true };
    this.#due = due;
    return {
      ref: () => void (due.ref = true),
      unref: () => void (due.ref = false),
      stop: () => void (this.#due = undefined),
    };
  }

  /** Whether it would keep a process alive. */
  get holds(): boolean {
    return this.#due?.ref ?? false;
  }

  get isRunning(): boolean {
    return this.#due !== undefined;
  }

  turnTo(time: number): void {
    this.time = time;
    while (this.#due !== undefined && this.#due.at <= time) {
      const { callback } = this.#due;
      this.#due = undefined;
      callback();
    }
  }
}

/** A driver whose calls end when the test says so. */
class GatedDriver implements Driver {
  readonly name = "native";
  readonly gates: PromiseWithResolvers<void>[] = [];
  closed = 0;

  async getMany(): Promise<(Row | null)[]> {
    await this.#gate();
    return [null];
  }

  async *list(): AsyncGenerator<Row> {
    for (const at of [1, 2]) {
      await this.#gate();
      yield { key: [`${at}`], value: new Uint8Array(), versionstamp: "" };
    }
  }

  async commit(): Promise<{ ok: false }> {
    await this.#gate();
    return { ok: false };
  }

  close(): void {
    this.closed++;
  }

  #gate(): Promise<void> {
    const gate = Promise.withResolvers<void>();
    this.gates.push(gate);
    return gate.promise;
  }
}

function setUp(kind: "local" | "remote" = "local") {
  const inner = new GatedDriver();
  const timer = new HandTimer();
  const driver = withDeadline(inner, { location: "mem", kind, ms: 100, timer });
  return { inner, timer, driver };
}

async function thrownBy(call: Promise<unknown>): Promise<MnemError> {
  const error = await call.then(() => undefined, (error) => error);
  assert(error instanceof MnemError, `threw ${error}`);
  return error;
}

Deno.test("withDeadline() hands on what ends in time", async () => {
  const { inner, timer, driver } = setUp();
  assert.equal(driver.name, "native");
  const read = driver.getMany([["a"]]);
  const write = driver.commit({});
  timer.turnTo(99);
  for (const gate of inner.gates) gate.resolve();
  assert.deepEqual(await read, [null]);
  assert.deepEqual(await write, { ok: false });
  const failing = driver.getMany([["a"]]);
  inner.gates[2]?.reject(new RangeError("no"));
  await assert.rejects(failing, { name: "RangeError", message: "no" });
});

Deno.test("withDeadline() answers busy for a file, and the outcome of a commit is unknown", async () => {
  const { timer, driver } = setUp();
  const [read, write] = [driver.getMany([["a"]]), driver.commit({})];
  timer.turnTo(100);
  const late = await thrownBy(read);
  assert.deepEqual([late.code, late.outcome], ["busy", "none"]);
  assert.equal(
    late.message,
    'Cannot read store "mem": its file gave no answer in 100 ms',
  );
  const unknown = await thrownBy(write);
  assert.deepEqual([unknown.code, unknown.outcome], ["busy", "unknown"]);
  assert.equal(
    unknown.message,
    'Cannot write to store "mem": its file gave no answer in 100 ms',
  );
});

Deno.test("withDeadline() answers store_io for a server", async () => {
  const { timer, driver } = setUp("remote");
  const [read, write] = [driver.getMany([["a"]]), driver.commit({})];
  timer.turnTo(100);
  const late = await thrownBy(read);
  assert.deepEqual([late.code, late.outcome], ["store_io", "none"]);
  assert.match(late.message, /its server gave no answer/);
  const unknown = await thrownBy(write);
  assert.deepEqual([unknown.code, unknown.outcome], ["store_io", "unknown"]);
});

Deno.test("withDeadline() gives each call its own time", async () => {
  const { inner, timer, driver } = setUp();
  const first = driver.getMany([["a"]]);
  timer.turnTo(60);
  const second = driver.getMany([["b"]]);
  timer.turnTo(100);
  assert.equal((await thrownBy(first)).code, "busy");
  timer.turnTo(159);
  inner.gates[1]?.resolve();
  assert.deepEqual(await second, [null]);
  const third = driver.getMany([["c"]]);
  timer.turnTo(258);
  assert.equal(timer.holds, true);
  timer.turnTo(259);
  assert.equal((await thrownBy(third)).code, "busy");
});

Deno.test("withDeadline() bounds each step of a list, not the whole of it", async () => {
  const { inner, timer, driver } = setUp();
  const rows = driver.list({ prefix: ["a"] })[Symbol.asyncIterator]();
  const first = rows.next();
  timer.turnTo(90);
  inner.gates[0]?.resolve();
  assert.deepEqual((await first).value?.key, ["1"]);
  // The reader takes his time, which is no fault of the storage.
  timer.turnTo(500);
  const second = rows.next();
  timer.turnTo(599);
  assert.equal(timer.holds, true);
  timer.turnTo(600);
  assert.equal((await thrownBy(second)).code, "busy");
});

Deno.test("withDeadline() ends the list below when its reader stops early", async () => {
  let ended = false;
  async function* rows(): AsyncGenerator<Row> {
    try {
      while (true) {
        yield { key: ["a"], value: new Uint8Array(), versionstamp: "" };
      }
    } finally {
      ended = true;
    }
  }
  const inner = new GatedDriver();
  inner.list = rows;
  const driver = withDeadline(inner, { location: "mem", kind: "local" });
  for await (const row of driver.list({ prefix: [] })) {
    assert.deepEqual(row.key, ["a"]);
    break;
  }
  driver.close();
  assert.equal(ended, true);
});

Deno.test("withDeadline() holds the process only while a call is in flight", async () => {
  const { inner, timer, driver } = setUp();
  assert.equal(timer.isRunning, false);
  for (let at = 0; at < 50; at++) {
    const call = driver.getMany([["a"]]);
    assert.equal(timer.holds, true);
    inner.gates[at]?.resolve();
    await call;
    assert.equal(timer.holds, false);
  }
  assert.equal(timer.started, 1);
  driver.close();
  assert.equal(timer.isRunning, false);
  assert.equal(inner.closed, 1);
});

Deno.test("withDeadline() never closes a handle of which a call was late", async () => {
  const { inner, timer, driver } = setUp();
  const call = driver.getMany([["a"]]);
  timer.turnTo(100);
  await thrownBy(call);
  inner.gates[0]?.resolve();
  driver.close();
  assert.equal(inner.closed, 0);
  assert.equal(timer.isRunning, false);
});

Deno.test("withDeadline() passes calls on after one was late", async () => {
  const inner = new GatedDriver();
  const timer = new HandTimer();
  const never = Promise.withResolvers<void>();
  const faults = new FaultDriver(
    inner,
    ({ index }) => index === 1 ? { slow: never.promise } : undefined,
  );
  const driver = withDeadline(faults, {
    location: "mem",
    kind: "local",
    ms: 100,
    timer,
  });
  const late = driver.getMany([["a"]]);
  timer.turnTo(100);
  await thrownBy(late);
  const next = driver.getMany([["a"]]);
  inner.gates[0]?.resolve();
  assert.deepEqual(await next, [null]);
  never.resolve();
});

Deno.test("withDeadline() keeps time by the system's clock", async () => {
  const driver = withDeadline(new GatedDriver(), {
    location: "mem",
    kind: "local",
    ms: 1,
  });
  assert.match(
    (await thrownBy(driver.commit({}))).message,
    /no answer in 1 ms$/,
  );
  driver.close();
});

Deno.test("inTime() awaits a call for ten seconds", async () => {
  const timer = new HandTimer();
  const late = () => new RangeError("late");
  assert.equal(await inTime(Promise.resolve(7), late, { timer }), 7);
  await assert.rejects(
    inTime(Promise.reject(new Error("no")), late, { timer }),
    /no/,
  );
  assert.equal(timer.isRunning, false);
  const call = inTime(new Promise(() => {}), late, { timer });
  timer.turnTo(9_999);
  assert.equal(timer.isRunning, true);
  timer.turnTo(10_000);
  await assert.rejects(call, { name: "RangeError", message: "late" });
});
