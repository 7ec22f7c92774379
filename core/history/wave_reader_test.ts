import assert from "node:assert/strict";
import {
  randomGraph,
  SyntheticGraph,
} from "../../tests/support/synthetic_graph.ts";
import { Chance } from "../../tests/support/tree_cases.ts";
import { WaveReader } from "./wave_reader.ts";

const SEED = 97;

Deno.test("WaveReader.parents() gives the parents of every commit, in order", async () => {
  const chance = new Chance(SEED);
  const graph = randomGraph(chance, {
    size: 300,
    times: "skewed",
    mergeOneIn: 4,
    reach: 20,
  });
  const reader = new WaveReader(graph);
  for (const commit of graph.all.toReversed()) {
    assert.deepEqual(await reader.parents(commit), [...commit.parents]);
  }
});

Deno.test("WaveReader walks a chain in few rounds, and reads no commit twice", async () => {
  const chance = new Chance(SEED);
  const graph = new SyntheticGraph();
  for (let i = 0; i < 2_000; i++) graph.add(chance, graph.all.slice(-1), i);
  graph.reset();
  const reader = new WaveReader(graph);
  let at = graph.all.at(-1);
  for (; at?.parents.length; at = (await reader.parents(at))[0]);
  assert.equal(at, graph.all[0]);
  assert.ok(graph.rounds <= 60, `${graph.rounds} rounds`);
  assert.ok(graph.commitsRead < 2_000, `${graph.commitsRead} read`);
});
