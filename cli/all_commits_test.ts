import assert from "node:assert/strict";
import type { Commit } from "@mnem/core";
import fc from "fast-check";
import { inLogOrder } from "./all_commits.ts";

const SEED = 20_261_201;

function commit(id: string, timeMs: number, ...parents: string[]): Commit {
  return { id, parents, timeMs, state: "", message: "", author: "" };
}

function ids(commits: readonly Commit[]): string {
  return commits.map(({ id }) => id).join(" ");
}

Deno.test("inLogOrder() puts children first, then the newest, then the greater id", () => {
  const history = [
    commit("root", 9),
    commit("a", 1, "root"),
    commit("b", 2, "root"),
    commit("merge", 0, "a", "b"),
    commit("alone", 5),
    commit("tie2", 1, "root"),
  ];
  // The merge is older than its parents, and the root newer than its children.
  assert.equal(ids(inLogOrder(history)), "alone tie2 merge b a root");
  assert.equal(
    ids(inLogOrder(history.toReversed())),
    "alone tie2 merge b a root",
  );
  assert.deepEqual(inLogOrder([]), []);
});

Deno.test("inLogOrder() tells each commit once, after all its children", () => {
  const shapes = fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.nat(3)), {
    minLength: 1,
    maxLength: 40,
    size: "max",
  });
  let merges = 0;
  fc.assert(
    fc.property(shapes, (shape) => {
      const history = shape.map(([a, b, timeMs], i) => {
        const parents = [i - 1 - a, i - 1 - b].filter((place) => place >= 0);
        if (parents.length === 2) merges += 1;
        return commit(String(i), timeMs, ...new Set(parents.map(String)));
      });
      const ordered = inLogOrder(history);
      const place = new Map(ordered.map(({ id }, i) => [id, i]));
      assert.equal(place.size, history.length);
      for (const { id, parents } of history) {
        for (const parent of parents) {
          assert.ok((place.get(id) ?? 0) < (place.get(parent) ?? 0));
        }
      }
    }),
    { seed: SEED, numRuns: 200 },
  );
  assert.ok(merges > 500, `seed ${SEED}: ${merges} merges`);
});
