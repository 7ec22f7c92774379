import assert from "node:assert/strict";
import { Chance } from "../../tests/support/tree_cases.ts";
import { ByteCache } from "./byte_cache.ts";

const SEED = 5;

Deno.test("ByteCache forgets what was not used for the longest time", () => {
  const cache = new ByteCache<string>(10);
  cache.set("a", "A", 4);
  cache.set("b", "B", 4);
  assert.equal(cache.get("a"), "A");
  cache.set("c", "C", 4);
  assert.equal(cache.get("b"), undefined);
  assert.equal(cache.get("a"), "A");
  assert.equal(cache.get("c"), "C");
  assert.equal(cache.bytes, 8);
});

Deno.test("ByteCache holds no value larger than itself, and drops the one before it", () => {
  const cache = new ByteCache<string>(10);
  cache.set("a", "A", 10);
  assert.equal(cache.get("a"), "A");
  cache.set("a", "too large", 11);
  assert.equal(cache.get("a"), undefined);
  assert.equal(cache.bytes, 0);
});

Deno.test("ByteCache counts a value that is set again once", () => {
  const cache = new ByteCache<string>(10);
  cache.set("a", "A", 6);
  cache.set("a", "B", 3);
  assert.equal(cache.get("a"), "B");
  assert.equal(cache.bytes, 3);
  cache.delete("a");
  cache.delete("a");
  assert.equal(cache.bytes, 0);
});

Deno.test("ByteCache is a list of the last used, cut at its bound", () => {
  const chance = new Chance(SEED);
  const cache = new ByteCache<number>(50);
  let model: { name: string; value: number; bytes: number }[] = [];
  for (let i = 0; i < 3_000; i++) {
    const name = String(chance.below(12));
    const there = model.find((slot) => slot.name === name);
    model = model.filter((slot) => slot !== there);
    const kind = chance.below(5);
    if (kind === 0) cache.delete(name);
    else if (kind < 3) {
      assert.equal(cache.get(name), there?.value, `seed ${SEED}, step ${i}`);
      if (there !== undefined) model.push(there);
    } else {
      const bytes = chance.below(60);
      cache.set(name, i, bytes);
      if (bytes <= 50) model.push({ name, value: i, bytes });
      while (sum(model) > 50) model.shift();
    }
    assert.equal(cache.bytes, sum(model), `seed ${SEED}, step ${i}`);
  }
});

Deno.test("ByteCache forgets one of many as fast as one of few", () => {
  const [few, many] = [1_000, 100_000].map(evictionMs);
  // About 3, since a larger map is slower by itself; walking over what is gone makes it 80 and more.
  assert.ok(
    many! < few! * 15,
    `${many} ms in a large cache, ${few} in a small`,
  );
});

/** The fastest of some runs that each forget 1,000 values. */
function evictionMs(slots: number): number {
  const cache = new ByteCache<number>(slots);
  for (let i = 0; i < 2 * slots; i++) cache.set(`filled ${i}`, i, 1);
  const runs = Array.from({ length: 7 }, (_, run) => {
    const startMs = performance.now();
    for (let i = 0; i < 1_000; i++) cache.set(`run ${run} ${i}`, i, 1);
    return performance.now() - startMs;
  });
  assert.equal(cache.bytes, slots);
  return Math.min(...runs);
}

function sum(slots: readonly { readonly bytes: number }[]): number {
  return slots.reduce((all, { bytes }) => all + bytes, 0);
}
