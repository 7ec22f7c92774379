import assert from "node:assert/strict";
import { logOf } from "../../tests/support/naive_store.ts";
import {
  type GraphShape,
  randomGraph,
  type SyntheticCommit,
  SyntheticGraph,
} from "../../tests/support/synthetic_graph.ts";
import { Chance } from "../../tests/support/tree_cases.ts";
import { firstParentLog, fullLog } from "./log.ts";

const SEED = 47;

for (const times of ["ordered", "equal", "skewed"] as const) {
  Deno.test(`fullLog() tells children before parents, the newest free first: ${times} times`, async () => {
    const chance = new Chance(SEED);
    for (let i = 0; i < 120; i++) {
      const shape: GraphShape = {
        size: 1 + chance.below(40),
        times,
        mergeOneIn: chance.pick([1, 2, 6, 1_000]),
        reach: chance.pick([1, 2, 5, 40]),
      };
      const graph = randomGraph(chance, shape);
      const from = graph.all.at(-1)!;
      const told = await Array.fromAsync(fullLog(graph, from));
      const expected = logOf(naive(from)).map(({ id }) => id);
      assert.deepEqual(
        told.map(({ commit }) => commit.id),
        expected,
        `seed ${SEED}, graph ${i}`,
      );
    }
  });
}

Deno.test("fullLog() lets ties go by id, descending", async () => {
  const graph = new SyntheticGraph();
  const chance = new Chance(SEED);
  const root = graph.add(chance, [], 5);
  const sides = [0, 1].map(() => graph.add(chance, [root], 5));
  const merge = graph.add(chance, sides, 5);
  const [low, high] = sides.map(({ commit }) => commit.id).sort();
  const told = await Array.fromAsync(fullLog(graph, merge));
  assert.deepEqual(told.map(({ commit }) => commit.id), [
    merge.commit.id,
    high,
    low,
    root.commit.id,
  ]);
});

Deno.test("fullLog() tells a parent of the future after its child", async () => {
  const graph = new SyntheticGraph();
  const chance = new Chance(SEED);
  const root = graph.add(chance, [], 9_000);
  const old = graph.add(chance, [root], 1);
  const fresh = graph.add(chance, [root], 5_000);
  const merge = graph.add(chance, [old, fresh], 0);
  const told = await Array.fromAsync(fullLog(graph, merge));
  assert.deepEqual(told, [merge, fresh, old, root]);
});

Deno.test("fullLog() reads no more than it needs for the first of many", async () => {
  const chance = new Chance(SEED);
  const graph = new SyntheticGraph();
  const main: SyntheticCommit[] = [graph.add(chance, [], 0)];
  for (let i = 1; i < 3_000; i++) {
    const before = main.at(-1)!;
    const parents = i % 10 === 0
      ? [before, graph.add(chance, [before], i)]
      : [before];
    main.push(graph.add(chance, parents, i));
  }
  graph.reset();
  const told: SyntheticCommit[] = [];
  for await (const commit of fullLog(graph, main.at(-1)!)) {
    if (told.push(commit) === 20) break;
  }
  assert.equal(told.length, 20);
  assert.ok(graph.rounds <= 15, `${graph.rounds} rounds`);
  assert.ok(graph.commitsRead < 300, `${graph.commitsRead} commits`);
  graph.reset();
  assert.equal(
    (await Array.fromAsync(fullLog(graph, main.at(-1)!))).length,
    graph.all.length,
  );
  assert.ok(graph.rounds < 900, `${graph.rounds} rounds for everything`);
});

Deno.test("firstParentLog() is the chain, however much is wanted", async () => {
  const chance = new Chance(SEED);
  const graph = randomGraph(chance, {
    size: 400,
    times: "skewed",
    mergeOneIn: 3,
    reach: 3,
  });
  const from = graph.all.at(-1)!;
  const chain: SyntheticCommit[] = [];
  for (
    let at: SyntheticCommit | undefined = from;
    at !== undefined;
    at = at.parents[0]
  ) {
    chain.push(at);
  }
  assert.ok(chain.length > 40, `${chain.length} commits`);
  for (const most of [undefined, 1, 2, 31, 1_000]) {
    assert.deepEqual(
      await Array.fromAsync(firstParentLog(graph, from, most)),
      chain,
    );
  }
});

Deno.test("firstParentLog() reads ahead in waves that grow, and only what is wanted at first", async () => {
  const graph = new SyntheticGraph();
  const chance = new Chance(SEED);
  for (let i = 0; i < 5_000; i++) graph.add(chance, graph.all.slice(-1), i);
  const from = graph.all.at(-1)!;
  const take = async (count: number, most?: number) => {
    graph.reset();
    let told = 0;
    for await (const _ of firstParentLog(graph, from, most)) {
      if (++told === count) break;
    }
    return { rounds: graph.rounds, read: graph.commitsRead };
  };
  assert.deepEqual(await take(1, 1), { rounds: 0, read: 0 });
  assert.ok((await take(5, 5)).read <= 5);
  const some = await take(20, 20);
  assert.ok(some.read <= 20 && some.rounds <= 8, JSON.stringify(some));
  const all = await take(5_000);
  assert.ok(all.read <= 5_000 && all.rounds <= 160, JSON.stringify(all));
});

interface NaiveGraphCommit {
  readonly id: string;
  readonly timeMs: number;
  readonly parents: NaiveGraphCommit[];
}

/** All that led to a commit, as the naive log takes it. */
function naive(from: SyntheticCommit): NaiveGraphCommit[] {
  const made = new Map<string, NaiveGraphCommit>();
  const visit = (
    { commit: { id, timeMs }, parents }: SyntheticCommit,
  ): NaiveGraphCommit => {
    const known = made.get(id);
    if (known !== undefined) return known;
    const commit: NaiveGraphCommit = { id, timeMs, parents: [] };
    made.set(id, commit);
    commit.parents.push(...parents.map(visit));
    return commit;
  };
  visit(from);
  return [...made.values()];
}
