import assert from "node:assert/strict";
import { SyntheticGraph } from "../../tests/support/synthetic_graph.ts";
import { Chance } from "../../tests/support/tree_cases.ts";
import { ancestorAt, childSkips, firstParentRun } from "./skip_list.ts";

const SEED = 41;

Deno.test("childSkips() joins the first two of one size", () => {
  const graph = chainOf(8);
  const sizes = graph.all.map(({ skips }) => skips.map(({ size }) => size));
  assert.deepEqual(sizes, [[], [1], [1, 1], [3], [1, 3], [1, 1, 3], [3, 3], [
    7,
  ]]);
  const depths = graph.all.map(({ skips }) => skips.map(({ depth }) => depth));
  assert.deepEqual(depths, [[], [0], [1, 0], [2], [3, 2], [4, 3, 2], [5, 2], [
    6,
  ]]);
  const [root] = graph.all;
  assert.deepEqual(childSkips(root!), [
    { commit: root!.commit.id.slice(0, 32), depth: 0, size: 1 },
  ]);
});

Deno.test("the skip lists of 5,000 commits name their ancestors, the parent first, few of them", () => {
  const { all } = chainOf(5_000);
  for (const { skips, depth } of all) {
    assert.equal(skips[0]?.depth, depth === 0 ? undefined : depth - 1);
    for (const skip of skips) {
      assert.equal(skip.commit, all[skip.depth]!.commit.id.slice(0, 32));
    }
    assert.deepEqual(
      skips.map((skip) => skip.depth),
      skips.map((skip) => skip.depth).toSorted((a, b) => b - a),
    );
    assert.ok(skips.length <= 13, `${skips.length} entries at ${depth}`);
    assert.equal(skips.reduce((sum, { size }) => sum + size, 0), depth);
  }
});

Deno.test("ancestorAt() finds any ancestor of 5,000 commits in few steps", async () => {
  const chance = new Chance(SEED);
  const graph = chainOf(5_000);
  for (let i = 0; i < 2_000; i++) {
    const from = chance.below(5_000);
    const depth = i < 10 ? i % 2 * from : chance.below(from + 1);
    graph.reset();
    const found = await ancestorAt(graph, graph.all[from]!, depth);
    assert.equal(
      found,
      graph.all[depth],
      `seed ${SEED}: ${depth} from ${from}`,
    );
    assert.ok(
      graph.rounds <= 24,
      `${graph.rounds} rounds from ${from} to ${depth}`,
    );
  }
});

Deno.test("ancestorAt() follows first parents through merges", async () => {
  const chance = new Chance(SEED);
  const graph = new SyntheticGraph();
  const main = [graph.add(chance, [], 0)];
  for (let i = 1; i < 300; i++) {
    const side = graph.add(chance, [main[i - 1]!], i);
    const parents = i % 3 === 0 ? [main[i - 1]!, side] : [main[i - 1]!];
    main.push(graph.add(chance, parents, i));
  }
  for (let depth = 0; depth < 300; depth++) {
    assert.equal(await ancestorAt(graph, main[299]!, depth), main[depth]);
  }
});

Deno.test("ancestorAt() refuses a depth below the root", async () => {
  const graph = chainOf(3);
  await assert.rejects(ancestorAt(graph, graph.all[2]!, -1), RangeError);
});

Deno.test("firstParentRun() gives the newest so many, in a few waves", async () => {
  const graph = chainOf(2_000);
  for (const from of [0, 1, 2, 31, 777, 1_999]) {
    for (const count of [1, 2, 3, 32, 1_000, 5_000]) {
      graph.reset();
      const run = await firstParentRun(graph, graph.all[from]!, count);
      const expected = graph.all.slice(Math.max(0, from - count + 1), from + 1);
      assert.deepEqual(
        run.map(({ depth }) => depth),
        expected.map(({ depth }) => depth).toReversed(),
      );
      assert.ok(run.every((commit) => graph.all[commit.depth] === commit));
      assert.ok(
        graph.rounds <= 24,
        `${graph.rounds} rounds for ${count} from ${from}`,
      );
      assert.ok(graph.commitsRead < run.length, "and reads none twice");
    }
  }
});

Deno.test("firstParentRun() fails where a commit is missing", async () => {
  const graph = chainOf(50);
  const broken = new SyntheticGraph();
  await assert.rejects(
    firstParentRun(broken, graph.all[49]!, 10),
    /not in the graph/,
  );
});

function chainOf(length: number): SyntheticGraph {
  const chance = new Chance(SEED);
  const graph = new SyntheticGraph();
  for (let i = 0; i < length; i++) {
    graph.add(chance, graph.all.slice(-1), i);
  }
  return graph;
}
