import assert from "node:assert/strict";
import { CallOrder } from "./call_order.ts";

/** A call that says when it begins and ends by itself or fails. */
function held(log: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const call = async () => {
    log.push(`${name} begins`);
    await promise;
    log.push(`${name} ends`);
    return name;
  };
  return { call, end: resolve, fail: reject };
}

/** Lets everything run that can. */
function settle(): Promise<void> {
  return new Promise((done) => setTimeout(done, 0));
}

Deno.test("run() lets calls run beside each other", async () => {
  const log: string[] = [];
  const order = new CallOrder();
  const [a, b] = [held(log, "a"), held(log, "b")];
  const both = [order.run(a.call), order.run(b.call)];
  await settle();
  assert.deepEqual(log, ["a begins", "b begins"]);
  b.end();
  a.end();
  assert.deepEqual(await Promise.all(both), ["a", "b"]);
});

Deno.test("runAlone() waits for those before it, and those after it wait", async () => {
  const log: string[] = [];
  const order = new CallOrder();
  const calls = ["a", "b"].map((name) => held(log, name));
  const first = calls.map(({ call }) => order.run(call));
  const [one, two, after] = ["one", "two", "after"].map((name) =>
    held(log, name)
  );
  assert.ok(one !== undefined && two !== undefined && after !== undefined);
  const alone = [order.runAlone(one.call), order.runAlone(two.call)];
  const last = order.run(after.call);
  await settle();
  assert.deepEqual(log.splice(0), ["a begins", "b begins"]);
  calls[0]?.end();
  await settle();
  assert.deepEqual(log.splice(0), ["a ends"]);
  calls[1]?.end();
  await settle();
  assert.deepEqual(log.splice(0), ["b ends", "one begins"]);
  one.end();
  await settle();
  assert.deepEqual(log.splice(0), ["one ends", "two begins"]);
  two.end();
  await settle();
  assert.deepEqual(log.splice(0), ["two ends", "after begins"]);
  after.end();
  await Promise.all([...first, ...alone, last]);
});

Deno.test("a call that fails fails for its caller alone", async () => {
  const log: string[] = [];
  const order = new CallOrder();
  const [a, b] = [held(log, "a"), held(log, "b")];
  const failed = [order.run(a.call), order.runAlone(b.call)];
  const next = order.run(() => Promise.resolve("next"));
  const broken = new Error("broken");
  a.fail(broken);
  b.fail(broken);
  for (const each of failed) await assert.rejects(each, broken);
  assert.equal(await next, "next");
  assert.deepEqual(log, ["a begins", "b begins"]);
});
