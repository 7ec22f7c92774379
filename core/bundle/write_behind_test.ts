import assert from "node:assert/strict";
import { MemoryKv } from "../../tests/support/memory_kv.ts";
import { MnemError } from "../errors.ts";
import type { AtomicWrite, Driver } from "../storage/driver.ts";
import { frameRow } from "../storage/row.ts";
import { WriteBehind } from "./write_behind.ts";

/** A driver that says how many writes are on their way, and may fail one of them. */
class Slow implements Driver {
  readonly name = "native";
  readonly #inner: Driver;
  readonly #failing: number;
  writes = 0;
  most = 0;
  #now = 0;

  constructor(inner: Driver, failing = Infinity) {
    this.#inner = inner;
    this.#failing = failing;
  }

  getMany(...args: Parameters<Driver["getMany"]>) {
    return this.#inner.getMany(...args);
  }

  list(...args: Parameters<Driver["list"]>) {
    return this.#inner.list(...args);
  }

  async commit(write: AtomicWrite): ReturnType<Driver["commit"]> {
    this.most = Math.max(this.most, ++this.#now);
    // The rows are read late, as a slow client may.
    await new Promise((resolve) => setTimeout(resolve));
    this.#now--;
    if (++this.writes === this.#failing) {
      throw new MnemError("store_io", "the disk is full");
    }
    return await this.#inner.commit(write);
  }

  close(): void {
    this.#inner.close();
  }
}

function rowOf(i: number, bytes: number) {
  const key = ["n", `node ${i}`, new Uint8Array(16).fill(i)];
  return frameRow(key, new Uint8Array(bytes).fill(i), false);
}

Deno.test("WriteBehind writes every row once, few writes at a time, and reads what was set", async () => {
  const kv = new MemoryKv();
  const slow = new Slow(kv.open());
  const rows = new WriteBehind(slow);
  const expected = new Map<string, Uint8Array>();
  for (let i = 0; i < 3_000; i++) {
    const row = rowOf(i, i % 50 === 0 ? 150_000 : 100 + i % 700);
    for (const { key, value } of [...row.pieces, row]) {
      expected.set(JSON.stringify(key), value.slice());
    }
    await rows.set([row]);
    // The bytes of a row are the caller's again.
    row.value.fill(255);
  }
  const [last] = await rows.getMany([rowOf(2_999, 1).key]);
  assert.deepEqual(
    last?.value,
    expected.get(JSON.stringify(rowOf(2_999, 1).key)),
  );
  await rows.flush();
  assert.equal(kv.rows().length, expected.size);
  for (const { key, value } of kv.rows()) {
    assert.deepEqual(value, expected.get(JSON.stringify(key)));
  }
  assert.ok(slow.writes > 5, `${slow.writes} writes`);
  assert.ok(slow.most >= 2 && slow.most <= 6, `${slow.most} at a time`);
});

Deno.test("WriteBehind says at the next call that a write failed, and at every one after it", async () => {
  const rows = new WriteBehind(new Slow(new MemoryKv().open(), 2));
  const fails = (call: Promise<unknown>) =>
    assert.rejects(call, /the disk is full/);
  await fails((async () => {
    for (let i = 0; i < 20_000; i++) await rows.set([rowOf(i, 500)]);
  })());
  await fails(rows.flush());
  await fails(rows.getMany([rowOf(1, 1).key]));
  await fails(rows.commit({}));
});
