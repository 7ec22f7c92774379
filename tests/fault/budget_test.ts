/**
 * What cannot be written ends after five seconds, and says whether something may have been.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Store } from "@mnem/core";
import { isMnemError } from "@mnem/core";
import { withDeadline } from "../../core/storage/deadline.ts";
import type { AtomicWrite, Driver } from "../../core/storage/driver.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { checkHistory } from "../support/check_history.ts";
import { ClientErrors } from "../support/client_errors.ts";
import { fastClock } from "../support/fast_clock.ts";
import { type Fault, FaultDriver } from "../support/fault_driver.ts";
import { MemoryKv } from "../support/memory_kv.ts";

const LONG = "long ".repeat(14_000);

async function faultStore(): Promise<
  { kv: MemoryKv; driver: FaultDriver; store: Store; other: Store }
> {
  const kv = new MemoryKv();
  const other = await openStoreOn(kv.open(), { create: true });
  await other.write([{ id: "a", content: 0 }], { message: "seed" });
  await other.createBranch("dev");
  const driver = new FaultDriver(kv.open());
  const store = await openStoreOn(new ClientErrors(driver));
  return { kv, driver, store, other };
}

const many = Array.from(
  { length: 800 },
  (_, i) => ({ id: `n${i}`, content: i }),
);

const WRITES: readonly [string, (store: Store) => Promise<unknown>][] = [
  [
    "write",
    (store) => store.write([{ id: "a", content: 1 }], { message: "w" }),
  ],
  [
    "long",
    (store) => store.write([{ id: "a", content: LONG }], { message: "w" }),
  ],
  ["bulk", (store) => store.write(many, { message: "w" })],
  ["stage", (store) => store.stage.put("a", { content: 1 })],
  ["branch", (store) => store.createBranch("new")],
  ["delete", (store) => store.deleteBranch("dev")],
  ["switch", (store) => store.switchTo("dev")],
];

/** What comes of a write all of whose commits fail so. */
const ENDS: readonly [Fault, code: string, outcome: string][] = [
  ["locked", "busy", "none"],
  ["not_ok", "busy", "none"],
  ["refuse", "store_io", "unknown"],
];

for (const [fault, code, outcome] of ENDS) {
  Deno.test(`every commit fails (${fault}): ${code}, outcome ${outcome}`, async () => {
    for (const [name, write] of WRITES) {
      const { driver, store, other } = await faultStore();
      driver.arm(({ operation }) => operation === "commit" ? fault : undefined);
      const began = performance.now();
      let ended = began;
      using _clock = fastClock(500);
      await assert.rejects(write(store), (error) => {
        ended = performance.now();
        assert.ok(isMnemError(error), `${name}: ${error}`);
        // Nothing names the rows that come first, so that those are as good as not written.
        const isAhead = name === "long" || name === "bulk";
        const expected = isAhead ? "none" : outcome;
        assert.deepEqual([error.code, error.outcome], [code, expected], name);
        return true;
      });
      assert.ok(driver.fired > 3, `${name}: tried ${driver.fired} times`);
      assert.ok(ended - began < 15_000, `${name}: ${ended - began} ms`);
      driver.arm(() => undefined);
      const { messages } = await checkHistory(other.on("main"));
      assert.deepEqual(messages, ["seed"]);
      await write(store);
    }
  });
}

Deno.test("the time counts from the first final write: what waits in the queue has its own", async () => {
  const { driver, store } = await faultStore();
  let commits = 0;
  driver.arm(({ operation, write }) => {
    if (operation !== "commit") return undefined;
    commits++;
    // The first chain is never let through; what comes after it is.
    const isFirst = write?.sets?.some(({ key }) => key[1] === "first");
    return isFirst ? "locked" : undefined;
  });
  using _clock = fastClock(200);
  const first = store.write([{ id: "first", content: LONG.slice(0, 50_000) }], {
    message: "first",
  });
  // Too large to travel in the first chain.
  const others = Array.from(
    { length: 20 },
    (_, i) =>
      store.write([{ id: `n${i}`, content: LONG.slice(0, 50_000) + i }], {
        message: `${i}`,
      }),
  );
  const answers = await Promise.allSettled([first, ...others]);
  const failed = answers.filter(({ status }) => status === "rejected");
  assert.ok(failed.length >= 1 && failed.length < 16, `${failed.length}`);
  assert.equal(answers.at(-1)?.status, "fulfilled");
  assert.ok(commits > 3);
});

Deno.test("an answer lost once, then others are faster: it is known that nothing landed", async () => {
  const { driver, store, other } = await faultStore();
  let turn = 0;
  driver.arm(({ operation, nth }) => {
    if (operation === "commit") return nth === 1 ? "refuse" : "not_ok";
    turn++;
    return {
      slow: other.write([{ id: "b", content: turn }], { message: "faster" }),
    };
  });
  using _clock = fastClock(2_000);
  await assert.rejects(
    store.write([{ id: "a", content: 1 }], { message: "w" }),
    { code: "busy", outcome: "none" },
  );
});

Deno.test("an answer lost, and then the storage cannot be read: unknown", async () => {
  const { driver, store } = await faultStore();
  let lost = false;
  driver.arm(({ operation }) => {
    if (operation === "commit") {
      lost = true;
      return "refuse";
    }
    return lost ? "refuse" : undefined;
  });
  const calls = [1, 2].map((content) =>
    store.write([{ id: "a", content }], { message: `${content}` })
  );
  for (const answer of await Promise.allSettled(calls)) {
    assert.ok(answer.status === "rejected");
    assert.equal(answer.reason.code, "store_io");
    assert.equal(answer.reason.outcome, "unknown");
  }
});

/** Reads as the driver below, but its commits are never answered. */
class Unanswered implements Driver {
  readonly name = "native";
  readonly asked: AtomicWrite[] = [];
  readonly #inner: Driver;

  constructor(inner: Driver) {
    this.#inner = inner;
  }

  getMany(
    ...args: Parameters<Driver["getMany"]>
  ): ReturnType<Driver["getMany"]> {
    return this.#inner.getMany(...args);
  }

  list(...args: Parameters<Driver["list"]>): ReturnType<Driver["list"]> {
    return this.#inner.list(...args);
  }

  commit(write: AtomicWrite): ReturnType<Driver["commit"]> {
    this.asked.push(write);
    return Promise.withResolvers<never>().promise;
  }

  close(): void {}
}

Deno.test("a commit that is never answered: unknown, of a file busy and of a server store_io", async () => {
  for (
    const [kind, code] of [["local", "busy"], ["remote", "store_io"]] as const
  ) {
    const { kv } = await faultStore();
    const unanswered = new Unanswered(kv.open());
    const driver = withDeadline(unanswered, { location: "x", kind, ms: 5 });
    const store = await openStoreOn(driver);
    using _clock = fastClock(700);
    await assert.rejects(
      store.write([{ id: "a", content: 1 }], { message: "w" }),
      { code, outcome: "unknown" },
    );
    assert.ok(unanswered.asked.length > 1);
    // All of them were the same write, so that only one can ever land.
    for (const write of unanswered.asked) await kv.open().commit(write);
    const { messages } = await checkHistory(await openStoreOn(kv.open()));
    assert.deepEqual(messages, ["seed", "w"]);
    await store.close();
  }
});
