/**
 * States around 1,024 nodes: below, one flat object in every store; above, a tree, or still one flat
 * object in a store of that form.
 *
 * @module
 */

import assert from "node:assert/strict";
import { blake3 } from "@noble/hashes/blake3.js";
import { encode } from "cborg";
import type { Edit, Store } from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { sortedIds } from "../support/naive_store.ts";
import { Chance } from "../support/tree_cases.ts";

const SEED = 7;
const BORDER = 1_024;

/** A node that has a number as its content. */
type Numbers = ReadonlyMap<string, number>;

/** One commit: what it sets, and what it removes. */
interface Step {
  readonly set: readonly (readonly [string, number])[];
  readonly remove: readonly string[];
}

Deno.test("history around 1,024 nodes: memory, states and origins hold in both forms", async () => {
  const [tree, flat] = [new MemoryKv(), new MemoryKv()];
  await using trees = await openStoreOn(tree.open(), { create: true });
  await using flats = await openStoreOn(flat.open(), {
    create: true,
    stateForm: "flat",
  });
  let numbers: Numbers = new Map();
  const written = new Map<string, number>();
  const sizes: number[] = [];
  for (const [turn, step] of steps().entries()) {
    const before = numbers;
    numbers = play(before, step);
    for (const { 0: id } of step.set) written.set(id, turn);
    sizes.push(numbers.size);
    for (const store of [trees, flats]) await write(store, step, turn);
    await checkState({ trees, flats }, numbers, turn);
    for (const store of [trees, flats]) {
      await checkMemory(store, numbers);
      await checkChanges(store, before, numbers);
    }
  }
  assert.ok(crossings(sizes) >= 6, `crosses the border: ${sizes}`);
  for (const kv of [tree, flat]) {
    await using again = await openStoreOn(kv.open());
    await checkMemory(again, numbers);
    const log = await Array.fromAsync(again.log());
    for (const [id, turn] of written) {
      if (!numbers.has(id) || turn % 5 !== 0) continue;
      const { commit } = await again.blame(id);
      assert.equal(commit.message, `turn ${turn}`, id);
    }
    assert.equal(log.length, sizes.length);
  }
});

/** Across the border in one step and in many, by sets, by removals and by both, and down to nothing. */
function steps(): Step[] {
  const chance = new Chance(SEED);
  const all = Array.from({ length: 1_400 }, (_, i) => idOf(i));
  const set = (from: number, to: number): Step => ({
    set: all.slice(from, to).map((id) => [id, chance.below(1_000)]),
    remove: [],
  });
  const remove = (from: number, to: number): Step => ({
    set: [],
    remove: all.slice(from, to),
  });
  const some = (): Step => ({
    set: Array.from({ length: 9 }, () => [chance.pick(all), 2_000]),
    remove: [],
  });
  return [
    set(0, 1_000),
    set(1_000, BORDER),
    set(BORDER, BORDER + 1),
    set(3, 9),
    remove(BORDER, BORDER + 1),
    set(BORDER, 1_250),
    some(),
    remove(0, 300),
    { set: [], remove: [] },
    set(0, 300),
    some(),
    { set: set(1_300, 1_400).set, remove: all.slice(100, 500) },
    some(),
    remove(0, 1_400),
    set(0, 1_400),
    some(),
    remove(0, 1_300),
  ].filter((step) => step.set.length + step.remove.length > 0);
}

function idOf(i: number): string {
  const head = ["n", "é", "～", "😀", "n/", "a".repeat(30)][i % 6];
  return `${head}${i}`;
}

function play(numbers: Numbers, { set, remove }: Step): Numbers {
  const next = new Map(numbers);
  for (const [id, value] of set) next.set(id, value);
  for (const id of remove) next.delete(id);
  return next;
}

async function write(store: Store, step: Step, turn: number): Promise<void> {
  const edits: Edit[] = [
    ...step.set.map(([id, content]) => ({ id, content })),
    ...step.remove.map((id) => ({ id, remove: true as const })),
  ];
  await store.write(edits, { message: `turn ${turn}`, timeMs: turn });
}

/** Ids of states: flat by an encoder and a hash that are not ours, trees by making them anew. */
async function checkState(
  { trees, flats }: { readonly trees: Store; readonly flats: Store },
  numbers: Numbers,
  turn: number,
): Promise<void> {
  const [inTree, inFlat] = [
    await trees.readCommit("HEAD"),
    await flats.readCommit("HEAD"),
  ];
  assert.equal(inFlat.state, flatId(numbers), `turn ${turn}`);
  if (numbers.size <= BORDER) return assert.equal(inTree.state, inFlat.state);
  assert.notEqual(inTree.state, inFlat.state);
  await using fresh = await openStoreOn(new MemoryKv().open(), {
    create: true,
  });
  await write(fresh, { set: [...numbers], remove: [] }, 0);
  assert.equal((await fresh.readCommit("HEAD")).state, inTree.state);
}

function flatId(numbers: Numbers): string {
  const nodes: { [id: string]: Uint8Array } = {};
  for (const [id, content] of numbers) {
    const node = { kind: "memory_node", id, content, content_kind: "note" };
    nodes[id] = blake3(encode(node));
  }
  return blake3(encode({ kind: "state", nodes })).toHex();
}

async function checkMemory(store: Store, numbers: Numbers): Promise<void> {
  const ids = sortedIds(numbers.keys());
  const expected = ids.map((id) => [id, numbers.get(id)]);
  const memory = await store.memory();
  assert.deepEqual(
    [...memory].map(([id, node]) => [id, node.content]),
    expected,
  );
  const prefix = "n/1";
  const listed = await Array.fromAsync(store.nodes({ prefix, limit: 70 }));
  assert.deepEqual(
    listed.map(({ id }) => id),
    ids.filter((id) => id.startsWith(prefix)).slice(0, 70),
  );
}

async function checkChanges(
  store: Store,
  before: Numbers,
  after: Numbers,
): Promise<void> {
  const ids = sortedIds(new Set([...before.keys(), ...after.keys()]))
    .filter((id) => before.get(id) !== after.get(id));
  const expected = ids.map((id) => [id, before.get(id), after.get(id)]);
  const told = (await store.changes()).map((change) => [
    change.id,
    change.old?.content,
    change.new?.content,
  ]);
  assert.deepEqual(told, expected);
}

function crossings(sizes: readonly number[]): number {
  return sizes.filter((size, i) =>
    i > 0 && (size > BORDER) !== (sizes[i - 1]! > BORDER)
  ).length;
}
