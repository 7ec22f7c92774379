import assert from "node:assert/strict";
import {
  randomGraph,
  SyntheticGraph,
} from "../../tests/support/synthetic_graph.ts";
import { Chance } from "../../tests/support/tree_cases.ts";
import { WaveReader } from "./wave_reader.ts";

const SEED = 71;

Deno.test("parents() gives the parents of any commit, in order, each read once", async () => {
  const chance = new Chance(SEED);
  for (let i = 0; i < 40; i++) {
    const graph = randomGraph(chance, {
      size: 60,
      times: "equal",
      mergeOneIn: 2,
      reach: chance.pick([2, 60]),
    });
    const reader = new WaveReader(graph);
    for (
      const commit of [...graph.all].sort((a, b) => b.generation - a.generation)
    ) {
      assert.deepEqual(
        await reader.parents(commit),
        commit.parents,
        `seed ${SEED}, graph ${i}`,
      );
    }
    assert.ok(
      graph.commitsRead <= graph.all.length,
      `${graph.commitsRead} commits`,
    );
  }
});

Deno.test("parents() reads ahead: a walk of 5,000 commits takes few rounds, its beginning few commits", async () => {
  const chance = new Chance(SEED);
  const graph = new SyntheticGraph();
  for (let i = 0; i < 5_000; i++) graph.add(chance, graph.all.slice(-1), i);
  const reader = new WaveReader(graph);
  let at = graph.all.at(-1)!;
  const walk = async (count: number) => {
    for (let i = 0; i < count; i++) [at] = [(await reader.parents(at))[0]!];
  };
  await walk(20);
  assert.ok(graph.commitsRead < 200, `${graph.commitsRead} commits`);
  await walk(4_979);
  assert.equal(at, graph.all[0]);
  assert.ok(graph.rounds < 60, `${graph.rounds} rounds`);
});

Deno.test("parents() fails where one is missing", async () => {
  const chance = new Chance(SEED);
  const graph = new SyntheticGraph();
  const child = graph.add(chance, [graph.add(chance, [], 0)], 0);
  await assert.rejects(
    new WaveReader(new SyntheticGraph()).parents(child),
    /not in the graph/,
  );
});
