import assert from "node:assert/strict";
import {
  randomGraph,
  type SyntheticCommit,
  SyntheticGraph,
} from "../../tests/support/synthetic_graph.ts";
import { Chance } from "../../tests/support/tree_cases.ts";
import { isAncestor } from "./ancestry.ts";
import { trials } from "../../tests/support/trials.ts";

const SEED = 43;

Deno.test("isAncestor() is what a walk over everything says, on random graphs", async () => {
  const chance = new Chance(SEED);
  let yes = 0;
  let byMerge = 0;
  for (let i = 0; i < trials(60); i++) {
    const graph = randomGraph(chance, {
      size: 1 + chance.below(60),
      times: "equal",
      mergeOneIn: chance.pick([1, 2, 5]),
      reach: chance.pick([2, 4, 60]),
    });
    for (const descendant of graph.all) {
      const ancestors = allBelow(descendant);
      for (const ancestor of graph.all) {
        const expected = ancestors.has(ancestor);
        const said = await isAncestor(graph, ancestor, descendant);
        assert.equal(said, expected, `seed ${SEED}, graph ${i}`);
        if (expected) yes++;
        if (expected && !chain(descendant).includes(ancestor)) byMerge++;
      }
    }
  }
  assert.ok(
    yes > trials(1_000) && byMerge > trials(300),
    `${yes} led, ${byMerge} by a merge`,
  );
});

Deno.test("isAncestor() needs few rounds through a merge over 2,000 commits", async () => {
  const chance = new Chance(SEED);
  const graph = new SyntheticGraph();
  const root = graph.add(chance, [], 0);
  const line = (from: SyntheticCommit, count: number) => {
    let at = from;
    for (let i = 0; i < count; i++) at = graph.add(chance, [at], i);
    return at;
  };
  const early = line(root, 10);
  const side = line(early, 1_000);
  const main = line(root, 500);
  const merge = graph.add(chance, [main, side], 0);
  const head = line(merge, 1_000);
  graph.reset();
  assert.equal(await isAncestor(graph, early, head), true);
  assert.equal(await isAncestor(graph, root, head), true);
  assert.ok(graph.rounds < 100, `${graph.rounds} rounds`);
  assert.equal(await isAncestor(graph, head, early), false);
});

function allBelow(commit: SyntheticCommit): Set<SyntheticCommit> {
  const seen = new Set<SyntheticCommit>();
  const visit = (at: SyntheticCommit) => {
    if (seen.has(at)) return;
    seen.add(at);
    at.parents.forEach(visit);
  };
  visit(commit);
  return seen;
}

function chain(commit: SyntheticCommit): SyntheticCommit[] {
  const [first] = commit.parents;
  return first === undefined ? [commit] : [commit, ...chain(first)];
}
