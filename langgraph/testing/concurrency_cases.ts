/**
 * Calls that are under way at the same time, as those of parallel nodes and threads are.
 *
 * @module
 */

import assert from "node:assert/strict";
import { topic } from "./store_case.ts";
import { keySet, valueOf } from "./stored_items.ts";

const CALLS = 40;
const ROUNDS = 60;
const READERS = 4;

/** Rules of calls at once. */
export const CONCURRENCY_CASES = topic("concurrency", {
  "no-put-is-lost": {
    rule: "of many puts at once none is lost",
    basis: "contract",
    seen: "https://github.com/shuruheel/mnestic/pull/17",
    async run({ store }) {
      const keys = Array.from({ length: CALLS }, (_, i) => `k${i}`);
      await Promise.all(keys.map((key) => store.put(["a"], key, { key })));
      const found = await store.search(["a"], { limit: CALLS + 1 });
      assert.deepEqual(keySet(found), [...keys].sort());
    },
  },
  "two-puts-of-one-key": {
    rule: "two puts of one new key at once leave one item, one of the two",
    basis: "contract",
    seen: "https://github.com/moorcheh-ai/memanto/pull/1721",
    async run({ store }) {
      for (let i = 0; i < 10; i++) {
        const key = `k${i}`;
        await Promise.all([1, 2].map((n) => store.put(["a"], key, { n })));
        assert.ok([1, 2].includes((await valueOf(store, ["a"], key))["n"]));
        assert.equal((await store.search(["a"], { limit: 99 })).length, i + 1);
      }
    },
  },
  "puts-and-deletes": {
    rule: "puts and deletes of different keys at once all take effect",
    basis: "contract",
    async run({ store }) {
      const keys = Array.from({ length: CALLS }, (_, i) => `k${i}`);
      for (const key of keys) await store.put(["a"], key, { old: true });
      await Promise.all(
        keys.map((key, i) =>
          i % 2 === 0
            ? store.delete(["a"], key)
            : store.put(["a"], key, { old: false })
        ),
      );
      const found = await store.search(["a"], { limit: CALLS });
      assert.deepEqual(
        keySet(found),
        keys.filter((_, i) => i % 2 === 1).sort(),
      );
      assert.ok(found.every(({ value }) => value["old"] === false));
    },
  },
  "reads-see-whole-batches": {
    rule: "a batch of gets never sees half of a batch of puts",
    basis: "choice",
    seen: "https://github.com/shuruheel/mnestic/pull/17",
    async run({ store }) {
      const keys = ["x", "y"];
      const write = (n: number) =>
        store.batch(
          keys.map((key) => ({ namespace: ["a"], key, value: { n } })),
        );
      await write(0);
      let done = false;
      const reader = async (_: unknown, reader: number) => {
        for (let turn = 0; !done; turn++) {
          // Readers fall out of step with the writer.
          for (let i = 0; i < (turn + reader) % 5; i++) await null;
          const read = await store.batch(
            keys.map((key) => ({ namespace: ["a"], key })),
          );
          const [x, y] = read.map((item) => item?.value["n"]);
          assert.equal(x, y, "half of a batch was read");
        }
      };
      const writer = async () => {
        try {
          for (let n = 1; n <= ROUNDS; n++) await write(n);
        } finally {
          done = true;
        }
      };
      const readers = Array.from({ length: READERS }, reader);
      const ends = await Promise.allSettled([writer(), ...readers]);
      for (const end of ends) if (end.status === "rejected") throw end.reason;
      assert.deepEqual(await valueOf(store, ["a"], "y"), { n: ROUNDS });
    },
  },
});
