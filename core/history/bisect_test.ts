import assert from "node:assert/strict";
import {
  type SyntheticCommit,
  SyntheticGraph,
} from "../../tests/support/synthetic_graph.ts";
import { Chance } from "../../tests/support/tree_cases.ts";
import { bisectChain, scanChain } from "./bisect.ts";

const SEED = 53;

Deno.test("bisectChain() finds the only change, at any place and from any good commit", async () => {
  const graph = chainOf(40);
  for (let first = 0; first < 40; first++) {
    for (let goodDepth = -1; goodDepth < first; goodDepth++) {
      const asked = new Set<number>();
      const found = await bisectChain(
        graph,
        { bad: graph.all[39]!, goodDepth },
        ({ depth }) => {
          assert.ok(!asked.has(depth) && depth > goodDepth && depth < 39);
          asked.add(depth);
          return Promise.resolve(depth >= first);
        },
      );
      assert.equal(found.commit, graph.all[first]);
      assert.deepEqual(found.flips, [graph.all[first]]);
      assert.ok(asked.size <= 11, `${asked.size} of 40 were asked`);
    }
  }
});

Deno.test("bisectChain() asks the logarithm of the history", async () => {
  const graph = chainOf(20_000);
  graph.reset();
  let asked = 0;
  const found = await bisectChain(graph, {
    bad: graph.all.at(-1)!,
    goodDepth: -1,
  }, ({ depth }) => {
    asked++;
    return Promise.resolve(depth >= 12_345);
  });
  assert.equal(found.commit.depth, 12_345);
  // At most twice the logarithm, one commit read for each.
  assert.ok(asked <= 29, `${asked} asked`);
  assert.ok(graph.rounds <= 29, `${graph.rounds} rounds`);
});

Deno.test("bisectChain() finds one of several changes", async () => {
  const chance = new Chance(SEED);
  const graph = chainOf(60);
  for (let i = 0; i < 200; i++) {
    const answers = graph.all.map(() => chance.below(2) === 0);
    answers[59] = true;
    const { commit, flips } = await bisectChain(graph, {
      bad: graph.all[59]!,
      goodDepth: -1,
    }, ({ depth }) => Promise.resolve(answers[depth]!));
    assert.equal(answers[commit.depth], true, `seed ${SEED}, turn ${i}`);
    assert.ok(
      commit.depth === 0 || !answers[commit.depth - 1],
      `seed ${SEED}, turn ${i}`,
    );
    assert.deepEqual(flips, [commit]);
  }
});

Deno.test("scanChain() finds the first commit and every change, oldest first", async () => {
  const chance = new Chance(SEED);
  const graph = chainOf(50);
  for (let i = 0; i < 200; i++) {
    const answers = graph.all.map(() => chance.below(3) === 0);
    answers[49] = true;
    const goodDepth = chance.below(49) - 1;
    if (goodDepth >= 0) answers[goodDepth] = false;
    const asked: number[] = [];
    const { commit, flips } = await scanChain(graph, {
      bad: graph.all[49]!,
      goodDepth,
    }, ({ depth }) => {
      asked.push(depth);
      return Promise.resolve(answers[depth]!);
    });
    const range = graph.all.slice(goodDepth + 1);
    const expected = range.filter(({ depth }) =>
      answers[depth] !== (depth > goodDepth + 1 && answers[depth - 1])
    );
    assert.deepEqual(flips, expected, `seed ${SEED}, turn ${i}`);
    assert.equal(commit, range.find(({ depth }) => answers[depth]));
    assert.deepEqual(asked, range.map(({ depth }) => depth));
  }
});

for (const search of [bisectChain, scanChain]) {
  Deno.test(`${search.name}() passes on what the test throws`, async () => {
    const graph = chainOf(10);
    const failing = (_: SyntheticCommit): Promise<boolean> =>
      Promise.reject(new Error("mine"));
    await assert.rejects(
      search(graph, { bad: graph.all[9]!, goodDepth: -1 }, failing),
      /mine/,
    );
  });
}

function chainOf(length: number): SyntheticGraph {
  const chance = new Chance(SEED);
  const graph = new SyntheticGraph();
  for (let i = 0; i < length; i++) graph.add(chance, graph.all.slice(-1), i);
  return graph;
}
