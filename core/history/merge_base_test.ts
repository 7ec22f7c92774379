import assert from "node:assert/strict";
import {
  type GraphShape,
  randomGraph,
  type SyntheticCommit,
  SyntheticGraph,
} from "../../tests/support/synthetic_graph.ts";
import { Chance } from "../../tests/support/tree_cases.ts";
import { isAncestor } from "./ancestry.ts";
import { forkOf, mergeBases } from "./merge_base.ts";
import { trials } from "../../tests/support/trials.ts";

const SEED = 71;

const SHAPES: readonly GraphShape[] = [
  { size: 40, times: "skewed", mergeOneIn: 2, reach: 5 },
  { size: 60, times: "equal", mergeOneIn: 3, reach: 8 },
  { size: 60, times: "ordered", mergeOneIn: 6, reach: 40 },
  { size: 80, times: "skewed", mergeOneIn: 15, reach: 4 },
];

function ancestorsOf(commit: SyntheticCommit): Set<SyntheticCommit> {
  const seen = new Set<SyntheticCommit>();
  const waiting = [commit];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (!seen.has(at)) waiting.push(...at.parents);
    seen.add(at);
  }
  return seen;
}

/** Common ancestors that led to no other one. */
function basesOf(a: SyntheticCommit, b: SyntheticCommit): string[] {
  const others = ancestorsOf(b);
  const common = [...ancestorsOf(a)].filter((commit) => others.has(commit));
  const below = new Set(
    common.flatMap((commit) =>
      commit.parents.flatMap((one) => [...ancestorsOf(one)])
    ),
  );
  return common.filter((commit) => !below.has(commit))
    .map(({ commit }) => commit.id).sort();
}

const idsOf = (commits: readonly SyntheticCommit[]) =>
  commits.map(({ commit }) => commit.id);

Deno.test("mergeBases() and isAncestor() agree with sets of ancestors, from both sides", async () => {
  const chance = new Chance(SEED);
  let several = 0;
  let none = 0;
  for (let turn = 0; turn < trials(40); turn++) {
    const graph = randomGraph(chance, SHAPES[turn % SHAPES.length]!);
    for (let i = 0; i < 60; i++) {
      const [a, b] = [chance.pick(graph.all), chance.pick(graph.all)];
      const what = `seed ${SEED}, turn ${turn}, pair ${i}`;
      const expected = basesOf(a, b);
      assert.deepEqual(idsOf(await mergeBases(graph, a, b)), expected, what);
      assert.deepEqual(idsOf(await mergeBases(graph, b, a)), expected, what);
      assert.equal(await isAncestor(graph, a, b), ancestorsOf(b).has(a), what);
      if (expected.length > 1) several++;
      if (expected.length === 0) none++;
    }
  }
  assert.ok(
    several > trials(40) && none > trials(40),
    `${several} criss-cross, ${none} unrelated`,
  );
});

Deno.test("forkOf() is the deepest commit that both first-parent chains share", async () => {
  const chance = new Chance(SEED);
  const chainOf = (at: SyntheticCommit): SyntheticCommit[] => {
    const [first] = at.parents;
    return first === undefined ? [at] : [at, ...chainOf(first)];
  };
  for (let turn = 0; turn < trials(20); turn++) {
    const graph = randomGraph(chance, SHAPES[turn % SHAPES.length]!);
    for (let i = 0; i < 40; i++) {
      const [a, b] = [chance.pick(graph.all), chance.pick(graph.all)];
      const others = new Set(chainOf(b));
      const expected = chainOf(a).find((commit) => others.has(commit)) ?? null;
      assert.equal(await forkOf(graph, a, b), expected, `seed ${SEED}`);
    }
  }
});

/** Goes on from a commit by so many, with merges of short sides spread over them. */
function line(
  graph: SyntheticGraph,
  from: SyntheticCommit,
  { length, merges, side }: { length: number; merges: number; side: number },
): SyntheticCommit {
  const chance = new Chance(graph.all.length);
  const every = merges === 0 ? Infinity : Math.floor(length / merges);
  let at = from;
  for (let i = 1; i <= length; i++) {
    const parents = [at];
    if (i % every === 0) {
      let other = at.parents[0] ?? at;
      for (let j = 0; j < side; j++) other = graph.add(chance, [other], i);
      parents.push(other);
    }
    at = graph.add(chance, parents, i);
  }
  return at;
}

for (const fork of [1, 100, 5_000]) {
  Deno.test(`mergeBases() 1,000 commits apart, the fork at ${fork}: rounds`, async () => {
    for (const side of [1, 3, 100]) {
      for (
        const [left, right] of [[0, 0], [1, 0], [1, 1], [5, 0], [5, 5], [
          20,
          20,
        ]] as const
      ) {
        const graph = new SyntheticGraph();
        const root = graph.add(new Chance(SEED), [], 0);
        const base = line(graph, root, { length: fork, merges: 0, side });
        const a = line(graph, base, { length: 1_000, merges: left, side });
        const b = line(graph, base, { length: 1_000, merges: right, side });
        graph.reset();
        const found = await mergeBases(graph, a, b);
        assert.deepEqual(idsOf(found), [base.commit.id]);
        const most = 16 + 2 * (left + right);
        assert.ok(
          graph.rounds <= most,
          `${graph.rounds} rounds, ${left} + ${right} merges of ${side}`,
        );
      }
    }
  });
}

Deno.test("mergeBases() of lines that merged each other: rounds", async () => {
  const graph = new SyntheticGraph();
  const chance = new Chance(SEED);
  const root = graph.add(chance, [], 0);
  let [a, b] = [root, root];
  for (let i = 0; i < 5; i++) {
    const ahead = [
      line(graph, a, { length: 100, merges: 0, side: 0 }),
      line(graph, b, { length: 100, merges: 0, side: 0 }),
    ] as const;
    a = graph.add(chance, ahead, i);
    b = graph.add(chance, [ahead[1], ahead[0]], i);
  }
  a = line(graph, a, { length: 500, merges: 0, side: 0 });
  b = line(graph, b, { length: 500, merges: 0, side: 0 });
  const expected = basesOf(a, b);
  assert.equal(expected.length, 2);
  graph.reset();
  assert.deepEqual(idsOf(await mergeBases(graph, a, b)), expected);
  assert.ok(graph.rounds <= 16 + 2 * 2, `${graph.rounds} rounds`);
});
