import assert from "node:assert/strict";
import { collector, heapKeeper } from "./heap_keeper.ts";
import {
  ANSWERS_BETWEEN_LOOKS,
  RESIDENT_BYTES_FREE,
  RESIDENT_GROWTH_BYTES,
} from "./limits.ts";

/** A process of a size that a test sets; a collection leaves it at `leaves`. */
class SizedProcess {
  size = 0;
  leaves = 0;
  looks = 0;
  collections = 0;
  readonly #answered = heapKeeper({
    resident: () => {
      this.looks += 1;
      return this.size;
    },
    collect: () => {
      this.collections += 1;
      this.size = this.leaves;
    },
  });

  /** Answers until the process was looked at, at a size; returns the collections so far. */
  at(size: number): number {
    this.size = size;
    for (let i = 0; i < ANSWERS_BETWEEN_LOOKS; i++) this.#answered();
    return this.collections;
  }
}

const FULL = RESIDENT_BYTES_FREE + RESIDENT_GROWTH_BYTES;

Deno.test("heapKeeper() looks now and then, and collects once a process has grown much", () => {
  const it = new SizedProcess();
  it.leaves = RESIDENT_BYTES_FREE - 5;
  assert.equal(it.at(FULL - 1), 0);
  assert.equal(it.looks, 1);
  assert.equal(it.at(FULL), 1);
  assert.equal(it.at(FULL - 1), 1);
  assert.equal(it.at(FULL), 2);
});

Deno.test("heapKeeper() counts from what a collection left, and from less once there is less", () => {
  const it = new SizedProcess();
  it.leaves = FULL;
  assert.equal(it.at(FULL), 1);
  const next = FULL + RESIDENT_GROWTH_BYTES;
  assert.equal(it.at(next - 1), 1);
  assert.equal(it.at(next), 2);
  // What was held is held no more.
  assert.equal(it.at(0), 2);
  assert.equal(it.at(FULL - 1), 2);
  assert.equal(it.at(FULL), 3);
});

Deno.test("collector() is there on this host, and collects", async () => {
  const collect = collector();
  assert.ok(collect);
  const [kept, garbage] = [{}, new WeakRef({})];
  const ours = new WeakRef(kept);
  // What a task has touched is there until it ends.
  await new Promise((resolve) => setTimeout(resolve, 0));
  collect();
  assert.equal(garbage.deref(), undefined);
  assert.equal(ours.deref(), kept);
});
