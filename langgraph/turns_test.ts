import assert from "node:assert/strict";
import { Turns } from "./turns.ts";

/** Calls that end when they are told to, and say when they begin and end. */
class Calls {
  readonly told: string[] = [];
  readonly #ends = new Map<string, PromiseWithResolvers<string>>();

  call(name: string): () => Promise<string> {
    const end = Promise.withResolvers<string>();
    this.#ends.set(name, end);
    return async () => {
      this.told.push(`${name} begins`);
      return await end.promise;
    };
  }

  async end(name: string): Promise<void> {
    this.told.push(`${name} ends`);
    this.#ends.get(name)?.resolve(name);
    await idle();
  }

  async fail(name: string): Promise<void> {
    this.told.push(`${name} fails`);
    this.#ends.get(name)?.reject(new Error(name));
    await idle();
  }
}

/** All that can go on has gone on. */
async function idle(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve();
}

Deno.test("Turns keeps writes in order, and reads between them", async () => {
  const turns = new Turns();
  const calls = new Calls();
  const all = [
    turns.write(calls.call("w1")),
    turns.read(calls.call("r1")),
    turns.read(calls.call("r2")),
    turns.write(calls.call("w2")),
    turns.read(calls.call("r3")),
  ];
  await idle();
  assert.deepEqual(calls.told, ["w1 begins"]);
  await calls.end("w1");
  assert.deepEqual(calls.told.slice(2), ["r1 begins", "r2 begins"]);
  await calls.end("r1");
  assert.equal(calls.told.at(-1), "r1 ends");
  await calls.end("r2");
  assert.equal(calls.told.at(-1), "w2 begins");
  await calls.end("w2");
  await calls.end("r3");
  assert.deepEqual(calls.told.slice(-3), ["w2 ends", "r3 begins", "r3 ends"]);
  assert.deepEqual(await Promise.all(all), ["w1", "r1", "r2", "w2", "r3"]);
});

Deno.test("Turns makes one write after the other", async () => {
  const turns = new Turns();
  const calls = new Calls();
  const all = [turns.write(calls.call("w1")), turns.write(calls.call("w2"))];
  await idle();
  assert.deepEqual(calls.told, ["w1 begins"]);
  await calls.end("w1");
  assert.deepEqual(calls.told, ["w1 begins", "w1 ends", "w2 begins"]);
  await calls.end("w2");
  assert.deepEqual(await Promise.all(all), ["w1", "w2"]);
});

Deno.test("Turns goes on after a call that failed", async () => {
  const turns = new Turns();
  const calls = new Calls();
  const write = turns.write(calls.call("w1"));
  const read = turns.read(calls.call("r1"));
  const last = turns.write(calls.call("w2"));
  await calls.fail("w1");
  await calls.fail("r1");
  await calls.end("w2");
  await assert.rejects(write, { message: "w1" });
  await assert.rejects(read, { message: "r1" });
  assert.equal(await last, "w2");
});
