/**
 * Random batches, played on two stores at once: every answer is the same. Against LangGraph's own store
 * in memory where it is right, and against a plain model for all that ours promises.
 *
 * Where ours is meant to differ from `InMemoryStore`, and how its plays keep out of the way (that it
 * does so is held by the kit, as a deviation with its reason):
 *
 * - it hands out its own objects, and changes those that it answered: its gets are copied before the
 *   puts of their batch, and everything after it
 * - puts of one batch meet when labels and key join alike: the second of two such puts is left out
 * - a put answers null, not undefined: no answer of a put is compared
 * - a namespace stays listed when its last item is gone, and by deletes: such are taken out of its map
 *   after each batch
 * - namespaces are sorted by locale, not by bytes: labels are lower case letters, which stand alike
 * - items stand namespace by namespace: a search of several asks for all, and is compared without order
 * - items of one batch stand as they were put, not by id: puts are given in the order of their ids
 * - every put moves updatedAt: times are compared with the model alone
 * - filters with objects, lists, inherited names, or ranges over what is no number; unknown operators;
 *   queries; limits below 0; the empty namespace in get; values that are no JSON; keys that are no text:
 *   are asked of the model alone
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  InMemoryStore,
  type Item,
  type ListNamespacesOperation,
  type MatchCondition,
  type Operation,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from "@langchain/langgraph-checkpoint";
import { MnemosyneStore, toId } from "@mnem/langgraph";
import { openStoreOn } from "../../core/store/open_store.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { anyOperations, commitCount } from "../support/langgraph_store.ts";
import { PlainStore } from "../support/plain_store.ts";
import { Chance } from "../support/tree_cases.ts";
import { trials } from "../support/trials.ts";

const FIRST_SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 1);
const HISTORIES = trials(15);
const STEPS = 60;

/** What random operations are made of. */
interface Words {
  readonly namespaces: readonly (readonly string[])[];
  readonly keys: readonly string[];
  readonly badLabels: readonly unknown[];
  value(chance: Chance): unknown;
  filter(chance: Chance): Item["value"];
  search(chance: Chance): Partial<SearchOperation>;
  /** Namespaces that a search may look into. */
  readonly prefixes: readonly (readonly string[])[];
}

const NAMES = ["s", "t", "u"];

const REFERENCE: Words = {
  namespaces: [
    ["a"],
    ["a", "b"],
    ["a", "b", "c"],
    ["a", "c"],
    ["ab"],
    ["b", "a"],
    ["u", "x"],
    ["langgraph", "m"],
  ],
  keys: ["c", "b:c", "plan", "a/b", "", "é", "%"],
  badLabels: ["", "a.b", "a:b", "a\0"],
  prefixes: [
    [],
    ["a"],
    ["a", "b"],
    ["a", "b", "c"],
    ["a", "c"],
    ["ab"],
    ["b", "a"],
    ["u"],
    ["*"],
    ["nobody"],
  ],
  value: (chance) => ({
    ...chance.below(4) > 0 && { x: chance.below(6) - 2 },
    ...chance.below(4) > 0 && { s: chance.pick([...NAMES, null]) },
    ...chance.below(3) > 0 && { b: chance.below(2) === 0 },
  }),
  filter(chance) {
    const x = chance.below(6) - 2;
    const s = chance.pick([...NAMES, null]);
    return {
      ...chance.below(2) > 0 && {
        x: chance.pick([
          x,
          { $gt: x },
          { $gte: x, $lt: x + 2 },
          { $lte: x },
          { $ne: x },
          { $in: [x, x + 1] },
        ]),
      },
      ...chance.below(2) > 0 && {
        s: chance.pick([s, { $eq: s }, { $ne: s }, { $nin: [s, "u"] }]),
      },
      ...chance.below(4) === 0 && { b: chance.below(2) === 0 },
    };
  },
  search: (chance) => ({ limit: chance.below(5), offset: chance.below(3) }),
};

const LABELS = [
  "a",
  "b",
  "ab",
  "~",
  "~1",
  "*",
  "%",
  "É",
  "\u{1f600}",
  "\uffff",
];

const EVERYTHING: Words = {
  namespaces: [
    ...LABELS.map((label) => [label]),
    ...LABELS.map((label) => ["a", label]),
    ["a", "b", "c"],
    ["a", "b", "c", "d"],
    ["langgraph", "x"],
  ],
  keys: ["", "k", "a:b", "~", "~1", "\0", "*", "é", "\u{1f600}", "__proto__"],
  badLabels: ["", "a.b", "a:b", "a\0", 1, null, undefined],
  prefixes: [[], ["a"], ["a", "b"], ["~"], ["*"], ["%"], ["nobody"], ["é"]],
  value: (chance) =>
    chance.below(40) === 0
      ? chance.pick([5, "text", [1], undefined, { x: 1n }, { x: NaN }, {
        x: new Map(),
      }, { x: [undefined] }])
      : Object.fromEntries(
        ["x", "y", "é", "a.b", "__proto__"].filter(() => chance.below(2) > 0)
          .map((name) => [name, content(chance, 2)]),
      ),
  filter: (chance) => {
    const name = chance.pick([
      "x",
      "y",
      "é",
      "a.b",
      "constructor",
      "__proto__",
    ]);
    const than = content(chance, 1);
    const operator = chance.pick([..."eq ne gt gte lt lte".split(" ")]);
    return Object.fromEntries([[
      name,
      chance.pick([
        than,
        { [`$${operator}`]: than },
        { $gte: than, $ne: content(chance, 1) },
        { $in: [than, content(chance, 1)] },
        { $nin: [than, null] },
        chance.pick([{ $regex: "a" }, { $in: "a" }, undefined, {}]),
      ]),
    ]]);
  },
  search: (chance) => ({
    ...chance.below(2) > 0 && {
      limit: chance.pick([0, 1, 2, 3, 50, 50, 50, -1, 1.5]),
    },
    ...chance.below(3) === 0 && { offset: chance.pick([0, 1, 2, 9, -1]) },
    ...chance.below(4) === 0 && {
      query: chance.pick([
        "a",
        "GREEN",
        "é",
        "~1",
        "{",
        '"',
        "x",
        ":",
        "nobody",
      ]),
    },
  }),
};

function content(chance: Chance, depth: number): unknown {
  const leaves = [
    null,
    true,
    false,
    0,
    -0,
    1,
    2.5,
    10,
    "",
    "a",
    "b",
    "10",
    "Green",
    "\u{10000}",
    "\uffff",
    'say "hi"',
    new Date(0),
  ];
  const kind = depth === 0 ? 0 : chance.below(6);
  if (kind === 1) return [content(chance, depth - 1), content(chance, 0)];
  if (kind === 2) return { x: content(chance, depth - 1), é: 1 };
  if (kind === 3) return chance.pick([[], {}, { x: undefined }, { $eq: 1 }]);
  return chance.pick(leaves);
}

/** A batch of one to six operations, at most one of which is bad. */
function randomBatch(chance: Chance, words: Words): Operation[] {
  const operations = Array.from(
    { length: 1 + chance.below(6) },
    () => randomOperation(chance, words),
  );
  if (chance.below(12) > 0) return operations;
  const namespace = ["a", chance.pick(words.badLabels)];
  const [bad] = anyOperations(chance.pick([
    { namespace, key: "k" },
    { namespace, key: "k", value: { x: 1 } },
    { namespace: [], key: "k", value: { x: 1 } },
    { namespacePrefix: namespace },
  ]));
  return [...operations, ...bad === undefined ? [] : [bad]];
}

function randomOperation(chance: Chance, words: Words): Operation {
  const namespace = [...chance.pick(words.namespaces)];
  const key = chance.pick(words.keys);
  const kind = chance.below(20);
  if (kind < 9) {
    const [put] = anyOperations({ namespace, key, value: words.value(chance) });
    if (put !== undefined) return put;
  }
  if (kind < 11) return { namespace, key, value: null };
  if (kind < 14) return { namespace, key };
  if (kind < 17) {
    return {
      namespacePrefix: [...chance.pick(words.prefixes)],
      ...words.search(chance),
      ...chance.below(2) > 0 && { filter: words.filter(chance) },
    };
  }
  return randomList(chance, words);
}

function randomList(chance: Chance, words: Words): ListNamespacesOperation {
  const conditions = Array.from({ length: chance.below(3) }, () => {
    const whole = chance.pick(words.namespaces);
    const matchType = chance.pick(["prefix", "suffix"] as const);
    const length = chance.below(whole.length) + 1;
    const path = matchType === "prefix"
      ? whole.slice(0, length)
      : whole.slice(-length);
    const labels = path.map((label) => chance.below(3) === 0 ? "*" : label);
    return { matchType, path: labels } satisfies MatchCondition;
  });
  return {
    matchConditions: conditions,
    ...chance.below(2) > 0 && { maxDepth: 1 + chance.below(3) },
    limit: chance.pick([0, 1, 2, 5, 100, 100]),
    offset: chance.pick([0, 0, 0, 1, 3]),
  };
}

/** One of two stores: its answers to a batch, or the name of its error. */
type Side = (batch: Operation[]) => Promise<unknown>;

/** Plays a history on two stores. */
async function play(
  options: {
    readonly batches: () => Operation[];
    readonly sides: readonly [Side, Side];
    readonly seen: Map<string, number>;
  },
): Promise<void> {
  const count = (what: string) =>
    options.seen.set(what, (options.seen.get(what) ?? 0) + 1);
  for (let step = 0; step < STEPS; step++) {
    const batch = options.batches();
    const told = `step ${step}: ${Deno.inspect(batch, { depth: 9 })}`;
    const [ours, theirs] = await Promise.all(
      options.sides.map((side) => side(structuredClone(batch))),
    );
    if (Array.isArray(ours)) {
      assert.deepEqual(ours, theirs, told);
      for (const [i, one] of batch.entries()) count(kindOf(one, ours[i]));
    } else {
      // Of several that are bad, any may be the one that is told.
      assert.ok(typeof theirs === "string", told);
      assert.ok(reasons(batch).includes(`${ours}`), told);
      count(`refused: ${ours}`);
    }
  }
}

/** The names of the errors of all operations that are bad, each by itself. */
function reasons(batch: Operation[]): string[] {
  const model = new PlainStore(() => 0);
  const parts = batch.flatMap((one): Operation[] => {
    if (!("namespacePrefix" in one)) return [one];
    const { namespacePrefix, ...rest } = one;
    return [
      { namespacePrefix },
      ...Object.entries(rest).map(([name, part]) => ({
        namespacePrefix: [],
        [name]: part,
      })),
    ];
  });
  return parts.flatMap((one) => {
    try {
      model.refuse(one);
      return [];
    } catch (error) {
      return error instanceof Error ? [error.name] : [];
    }
  });
}

/** What an operation came to: histories in which some of it never comes prove nothing of it. */
function kindOf(one: Operation, result: unknown): string {
  if ("value" in one) return one.value === null ? "delete" : "put";
  if ("key" in one) return result === null ? "get of nothing" : "get";
  const kind = "namespacePrefix" in one
    ? one.filter === undefined ? "search" : "filter"
    : "list";
  return Array.isArray(result) && result.length > 0 ? kind : `${kind} of none`;
}

/** The results of a call, or the name of its error. */
async function answered(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    return error instanceof Error ? error.name : error;
  }
}

const KINDS = [
  "put",
  "delete",
  "get",
  "get of nothing",
  "search",
  "search of none",
  "filter",
  "filter of none",
  "list",
  "list of none",
  "refused: InvalidNamespaceError",
];

async function eachSeed(
  run: (seed: number, seen: Map<string, number>) => Promise<void>,
): Promise<ReadonlyMap<string, number>> {
  const seen = new Map<string, number>();
  for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
    try {
      await run(seed, seen);
    } catch (error) {
      throw new Error(`seed ${seed}: MNEM_TEST_SEED=${seed} plays it first`, {
        cause: error,
      });
    }
  }
  return seen;
}

Deno.test("random batches: every answer is that of InMemoryStore, but where it is meant not to be", async () => {
  const seen = await eachSeed(async (seed, seen) => {
    const chance = new Chance(seed);
    await using store = await openStoreOn(new MemoryKv().open(), {
      create: true,
    });
    const memory = new MnemosyneStore(store);
    const reference = copyingGets(new InMemoryStore());
    await play({
      seen,
      batches: () => fairBatch(randomBatch(chance, REFERENCE)),
      sides: [
        (batch) =>
          answered(async () => withoutTimes(batch, await memory.batch(batch))),
        (batch) =>
          answered(async () => {
            const copies = structuredClone(await reference.batch(batch));
            dropEmptyNamespaces(reference);
            return withoutTimes(batch, copies);
          }),
      ],
    });
  });
  assertSeen(seen, KINDS);
});

/** Leaves out what is meant to differ from `InMemoryStore`. */
function fairBatch(batch: Operation[]): Operation[] {
  const joined = new Map<string, string>();
  const fair = batch.filter((one) => {
    if (!("value" in one)) return true;
    const id = toId(one.namespace, one.key);
    const name = [...one.namespace, one.key].join(":");
    if (!joined.has(name)) joined.set(name, id);
    return joined.get(name) === id;
  }).map((one) =>
    "namespacePrefix" in one && spans(one.namespacePrefix)
      ? { ...one, limit: 1_000, offset: 0 }
      : one
  );
  const puts = fair.filter((one): one is PutOperation => "value" in one)
    .map((put, place) => ({ put, place, id: bytesOf(put) }))
    .sort((a, b) => a.id < b.id ? -1 : a.id > b.id ? 1 : a.place - b.place);
  let next = 0;
  return fair.map((one) => "value" in one ? puts[next++]?.put ?? one : one);
}

function bytesOf({ namespace, key }: PutOperation): string {
  const bytes = new TextEncoder().encode(toId(namespace, key));
  return String.fromCharCode(...bytes);
}

/** Whether a prefix may find items of several namespaces. */
function spans(prefix: readonly string[]): boolean {
  const below = REFERENCE.namespaces.filter((one) =>
    prefix.every((label, i) => one[i] === label)
  );
  return below.length > 1;
}

/** Answers as they are compared: no times, no order across namespaces, no answer of a put. */
function withoutTimes(
  batch: readonly Operation[],
  results: readonly unknown[],
): unknown[] {
  return batch.map((one, i) => {
    const result = results[i];
    if ("value" in one) return result ?? null;
    if (!Array.isArray(result)) return bare(result);
    const list = result.map(bare);
    return "namespacePrefix" in one && spans(one.namespacePrefix)
      ? list.sort((a, b) => JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
      : list;
  });
}

/** An item without its times, and its place first: by it items are sorted. Anything else as it is. */
function bare(answer: unknown): unknown {
  if (!isItem(answer)) return answer;
  const { namespace, key, value, score } = answer;
  assert.equal(score, undefined);
  return { namespace, key, value };
}

function isItem(answer: unknown): answer is SearchItem {
  return typeof answer === "object" && answer !== null && "key" in answer;
}

/** The items that its get answers are those that the puts of the same batch change. */
function copyingGets(store: InMemoryStore): InMemoryStore {
  const get: (one: Operation) => Item | null = Reflect.get(
    store,
    "getOperation",
  );
  const copy = (one: Operation) => structuredClone(get.call(store, one));
  return Object.assign(store, { getOperation: copy });
}

function dropEmptyNamespaces(store: InMemoryStore): void {
  const data: Map<string, Map<string, Item>> = Reflect.get(store, "data");
  for (const [name, items] of data) if (items.size === 0) data.delete(name);
}

Deno.test("random batches: every answer, time, order and commit is that of a plain model", async () => {
  const seen = await eachSeed(async (seed, seen) => {
    const chance = new Chance(seed + 1_000);
    let nowMs = 1_000;
    await using store = await openStoreOn(new MemoryKv().open(), {
      create: true,
      clock: () => nowMs,
    });
    const memory = new MnemosyneStore(store);
    const model = new PlainStore(() => nowMs);
    await play({
      seen,
      batches: () => {
        nowMs += chance.below(3);
        return randomBatch(chance, EVERYTHING);
      },
      sides: [
        (batch) => answered(() => memory.batch(batch)),
        (batch) => answered(() => model.batch(batch)),
      ],
    });
    assert.equal(await commitCount(store), model.changes);
  });
  assertSeen(seen, [
    ...KINDS,
    "refused: TypeError",
    "refused: RangeError",
  ]);
});

function assertSeen(
  seen: ReadonlyMap<string, number>,
  kinds: readonly string[],
): void {
  for (const kind of kinds) {
    assert.ok(
      (seen.get(kind) ?? 0) >= trials(10),
      `${kind}: ${seen.get(kind)}`,
    );
  }
}
