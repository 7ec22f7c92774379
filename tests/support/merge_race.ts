/**
 * A merge and a writer that meet on one branch, each on a handle of its own.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Store } from "@mnem/core";

/** How the races ended. */
export interface RaceCounts {
  /** The merge saw what was written: both landed. */
  merged: number;
  /** The merge saw a new conflict. */
  conflicts: number;
}

/**
 * Races so many times. In each round the writer writes a node that the merged branch writes too, or
 * another one; both must land, or the merge must report the conflict that the write made.
 */
export async function raceMerges(
  one: Store,
  two: Store,
  rounds: number,
): Promise<RaceCounts> {
  const counts: RaceCounts = { merged: 0, conflicts: 0 };
  await one.write([{ id: "x", content: "start" }], { message: "start" });
  for (let i = 0; i < rounds; i++) {
    const side = `side-${i}`;
    await one.createBranch(side);
    const theirs = await one.on(side).write([
      { id: "x", content: `side ${i}` },
      { id: `theirs ${i}`, content: i },
    ], { message: side });
    // So that it is never a fast-forward.
    await one.write([{ id: "own", content: i }], { message: "own" });
    const id = i % 2 === 0 ? "x" : "y";
    const [merge, write] = await Promise.all([
      one.merge(side),
      two.write([{ id, content: `writer ${i}` }], { message: `writer ${i}` }),
    ]);
    await checkRound(one, { i, id, merge, write, theirs: theirs.commit! });
    counts[merge.status === "conflicts" ? "conflicts" : "merged"]++;
  }
  return counts;
}

async function checkRound(
  store: Store,
  { i, id, merge, write, theirs }: {
    readonly i: number;
    readonly id: string;
    readonly merge: Awaited<ReturnType<Store["merge"]>>;
    readonly write: Awaited<ReturnType<Store["write"]>>;
    readonly theirs: string;
  },
): Promise<void> {
  const log = await Array.fromAsync(store.log({ limit: 10 }));
  const ids = log.map((commit) => commit.id);
  assert.equal(ids.filter((one) => one === write.commit).length, 1);
  const written = await store.node(id);
  if (merge.status === "conflicts") {
    assert.equal(id, "x", "only the same node conflicts");
    const [conflict, ...rest] = merge.conflicts;
    assert.deepEqual([conflict?.id, rest.length], ["x", 0]);
    assert.equal(conflict?.ours?.content, `writer ${i}`);
    assert.equal(conflict?.theirs?.content, `side ${i}`);
    assert.ok(!ids.includes(theirs));
    return assert.equal(written?.content, `writer ${i}`);
  }
  assert.equal(merge.status, "merged");
  assert.equal(ids.filter((one) => one === merge.commit).length, 1);
  assert.ok(ids.includes(theirs));
  assert.equal((await store.node(`theirs ${i}`))?.content, i);
  assert.equal(written?.content, `writer ${i}`);
  if (id !== "x") assert.equal((await store.node("x"))?.content, `side ${i}`);
}
