import assert from "node:assert/strict";
import {
  randomGraph,
  type SyntheticCommit,
  SyntheticGraph,
} from "../../tests/support/synthetic_graph.ts";
import { Chance } from "../../tests/support/tree_cases.ts";
import { writtenIn } from "./written_in.ts";

const SEED = 83;

function ancestorsOf(commit: SyntheticCommit): Set<SyntheticCommit> {
  return new Set([
    commit,
    ...commit.parents.flatMap((one) => [...ancestorsOf(one)]),
  ]);
}

/** By the words of FORMAT.md. */
function expectedOf(
  found: SyntheticCommit,
  holds: (commit: SyntheticCommit) => boolean,
): SyntheticCommit {
  const [ours, side] = found.parents;
  if (ours === undefined || side === undefined || !holds(side)) return found;
  const known = ancestorsOf(ours);
  if (known.has(side)) return found;
  let earliest = side;
  for (let at = side.parents[0]; at; at = at.parents[0]) {
    if (known.has(at) || !holds(at)) break;
    earliest = at;
  }
  return expectedOf(earliest, holds);
}

Deno.test("writtenIn() follows merges as by hand, over random graphs and answers", async () => {
  const chance = new Chance(SEED);
  let moved = 0;
  for (let turn = 0; turn < 200; turn++) {
    const graph = randomGraph(chance, {
      size: 25,
      times: "skewed",
      mergeOneIn: 2,
      reach: 4,
    });
    const answers = new Set(graph.all.filter(() => chance.below(4) > 0));
    for (const found of graph.all) {
      const [ours] = found.parents;
      if (!answers.has(found) || ours && answers.has(ours)) continue;
      const expected = expectedOf(found, (commit) => answers.has(commit));
      const actual = await writtenIn(
        graph,
        found,
        (commit) => Promise.resolve(answers.has(commit)),
      );
      assert.equal(actual, expected, `seed ${SEED}, turn ${turn}`);
      if (expected !== found) moved++;
    }
  }
  assert.ok(moved > 100, `${moved} began on another side`);
});

Deno.test("writtenIn() of a side of 1,000 commits: rounds", async () => {
  const chance = new Chance(SEED);
  const graph = new SyntheticGraph();
  const root = graph.add(chance, [], 0);
  let side = root;
  for (let i = 0; i < 1_000; i++) side = graph.add(chance, [side], i);
  const ours = graph.add(chance, [root], 1);
  const found = graph.add(chance, [ours, side], 2);
  graph.reset();
  const actual = await writtenIn(
    graph,
    found,
    ({ depth }) => Promise.resolve(depth >= 990),
  );
  assert.equal(actual.depth, 990);
  assert.ok(graph.rounds <= 80, `${graph.rounds} rounds`);
});
