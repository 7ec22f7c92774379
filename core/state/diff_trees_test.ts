import { deepEqual, equal } from "node:assert/strict";
import { MemoryChunks } from "../../tests/support/memory_chunks.ts";
import {
  Chance,
  editModel,
  entryOf,
  originOf,
  randomEdits,
  randomModel,
  sortedEntries,
} from "../../tests/support/tree_cases.ts";
import { treeVectors } from "../../tests/support/tree_vectors.ts";
import { toHex } from "../object/hex.ts";
import { compareUtf8 } from "../object/utf8.ts";
import { applyEdits } from "./apply_edits.ts";
import { levelOf } from "./boundary.ts";
import { buildTree } from "./build_tree.ts";
import { type ChunkRef, type Entry, sameId } from "./chunk.ts";
import { diffTrees, type EntryDiff } from "./diff_trees.ts";
import { emptyRoot } from "./make_chunk.ts";
import { trials } from "../../tests/support/trials.ts";

type Model = ReadonlyMap<string, Entry>;

/** The differences of two models, by brute force. */
function diffModels(a: Model, b: Model): EntryDiff[] {
  return [...new Set([...a.keys(), ...b.keys()])].sort(compareUtf8)
    .map((id) => ({ id, old: a.get(id) ?? null, new: b.get(id) ?? null }))
    .filter((diff) =>
      diff.old === null || diff.new === null ||
      !sameId(diff.old.object, diff.new.object)
    );
}

/** Compares by identity of the entries: they are those of the trees, origins and all. */
function checkDiffs(
  got: readonly EntryDiff[],
  expected: readonly EntryDiff[],
  about: string,
): void {
  deepEqual(got.map(({ id }) => id), expected.map(({ id }) => id), about);
  for (const [i, diff] of expected.entries()) {
    equal(got[i]?.old, diff.old, `${about}, old of "${diff.id}"`);
    equal(got[i]?.new, diff.new, `${about}, new of "${diff.id}"`);
  }
}

/** The number of chunks that only one of two trees has. */
function unsharedOf(chunks: MemoryChunks, a: ChunkRef, b: ChunkRef): number {
  const [before, after] = [a, b].map((root) =>
    new Set(
      chunks.levels(root).flat().map((ref) => `${ref.level} ${toHex(ref.id)}`),
    )
  );
  if (before === undefined || after === undefined) return 0;
  return before.symmetricDifference(after).size;
}

Deno.test("diffTrees() equals the difference of the maps", async () => {
  let found = 0;
  let heights = 0;
  for (let seed = 1; seed <= trials(300); seed++) {
    const chance = new Chance(seed);
    const options = { bits: chance.pick([1, 2, 5]), turn: 2000 };
    const chunks = new MemoryChunks();
    const a = randomModel(chance, chance.pick([0, 5, 100, 300]));
    // Neighbours, or two states that have little to do with each other.
    const b = chance.below(3) === 0
      ? randomModel(chance, chance.pick([0, 5, 300]))
      : editModel(a, randomEdits(chance, a, options));
    const before = chunks.store(buildTree(sortedEntries(a), options));
    const after = chunks.store(buildTree(sortedEntries(b), options));
    const expected = diffModels(a, b);
    const about = `seed ${seed}, bits ${options.bits}`;
    const got = await Array.fromAsync(diffTrees(chunks, before, after));
    checkDiffs(got, expected, about);
    equal(chunks.chunksRead, unsharedOf(chunks, before, after), about);
    const back = await Array.fromAsync(diffTrees(chunks, after, before));
    checkDiffs(back, diffModels(b, a), `${about}, back`);
    found += expected.length;
    if (before.level !== after.level) heights++;
  }
  equal(
    found > trials(3_000) && heights > trials(30),
    true,
    `${found}, ${heights}`,
  );
});

Deno.test("diffTrees() equals the difference of the maps beyond one wave of chunks", async () => {
  for (let seed = 1; seed <= 5; seed++) {
    const chance = new Chance(seed);
    const options = { bits: 1 };
    const chunks = new MemoryChunks();
    const a = randomModel(chance, 2000);
    // Half of it gone at random, or a state of its own, or one of its parts.
    const kinds = [
      () => new Map([...a].filter(() => chance.below(2) === 0)),
      () => randomModel(chance, chance.pick([40, 2000])),
      () => new Map([...a].filter(([id]) => !id.startsWith("a"))),
      () => new Map([...a].filter(([id], i) => id >= "a/" || i % 5 === 0)),
    ];
    const b = kinds[seed % 4]?.() ?? a;
    const before = chunks.store(buildTree(sortedEntries(a), options));
    const after = chunks.store(buildTree(sortedEntries(b), options));
    equal((chunks.levels(before)[0]?.length ?? 0) > 700, true);
    const got = await Array.fromAsync(diffTrees(chunks, before, after));
    checkDiffs(got, diffModels(a, b), `seed ${seed}`);
    const unshared = unsharedOf(chunks, before, after);
    equal(chunks.chunksRead, unshared, `seed ${seed}: chunks read`);
    const back = await Array.fromAsync(diffTrees(chunks, after, before));
    checkDiffs(back, diffModels(b, a), `seed ${seed}, back`);
  }
});

/** A stored tree of 20,000 ids, n00000 to n19999. */
function largeTree(): { chunks: MemoryChunks; root: ChunkRef; model: Model } {
  const entries = treeVectors()[5]?.entries ?? [];
  const chunks = new MemoryChunks();
  const root = chunks.store(buildTree(entries));
  return { chunks, root, model: new Map(entries.map((e) => [e.id, e])) };
}

Deno.test("diffTrees() of neighbours reads two chunks a level, in one round", async () => {
  const { chunks, root } = largeTree();
  const entry = entryOf("n07777", "new", originOf(2));
  const edits = [{ id: entry.id, entry }];
  const next = chunks.store(await applyEdits(chunks, root, edits));
  chunks.resetCounts();
  const diffs = await Array.fromAsync(diffTrees(chunks, root, next));
  deepEqual(diffs.map((diff) => diff.new), [entry]);
  deepEqual([chunks.reads, chunks.chunksRead], [3, 6]);
  chunks.resetCounts();
  const [a, b] = [root, next].map((ref) => ({ ...ref, at: chunks.chunk(ref) }));
  if (a === undefined || b === undefined) throw new Error("two roots");
  equal((await Array.fromAsync(diffTrees(chunks, a, b))).length, 1);
  deepEqual([chunks.reads, chunks.chunksRead], [2, 4]);
});

Deno.test("diffTrees() of many scattered changes takes one round a level", async () => {
  const { chunks, root, model } = largeTree();
  const edits = [...model.keys()].filter((_, i) => i % 200 === 0)
    .map((id) => ({ id, entry: entryOf(id, "new", originOf(2)) }));
  const next = chunks.store(await applyEdits(chunks, root, edits));
  chunks.resetCounts();
  const diffs = await Array.fromAsync(diffTrees(chunks, root, next));
  deepEqual(diffs.map(({ id }) => id), edits.map(({ id }) => id));
  equal(chunks.reads, 3);
});

Deno.test("diffTrees() reads nothing of what trees of different height share", async () => {
  const { chunks, root, model } = largeTree();
  // A boundary of level 3 to the right of all lifts the root, and the old root is a child.
  let n = 0;
  while (levelOf(`z${n}`) < 3) n++;
  const entry = entryOf(`z${n}`);
  const edits = [{ id: entry.id, entry }];
  const next = chunks.store(await applyEdits(chunks, root, edits));
  equal(next.level > root.level, true);
  equal(next.count, model.size + 1);
  chunks.resetCounts();
  const diffs = await Array.fromAsync(diffTrees(chunks, root, next));
  checkDiffs(diffs, [{ id: entry.id, old: null, new: entry }], "higher");
  equal(chunks.chunksRead <= 2 * (next.level + 1), true);
});

Deno.test("diffTrees() ignores origins, and reads nothing of equal trees", async () => {
  const { chunks, root, model } = largeTree();
  const entries = sortedEntries(model).map((entry) => ({
    ...entry,
    changed: originOf(5),
  }));
  const other = chunks.store(buildTree(entries));
  chunks.resetCounts();
  deepEqual(await Array.fromAsync(diffTrees(chunks, root, other)), []);
  equal(chunks.reads, 0);
  // Where a neighbour differs, so that the leaf is read, too.
  const [first] = entries;
  if (first === undefined) throw new Error("no entries");
  const edits = [{ id: first.id, entry: entryOf(first.id, "new") }];
  const next = chunks.store(await applyEdits(chunks, other, edits));
  const diffs = await Array.fromAsync(diffTrees(chunks, root, next));
  deepEqual(diffs.map(({ id }) => id), [first.id]);
});

Deno.test("diffTrees() with the empty tree yields everything, in waves", async () => {
  const { chunks, root, model } = largeTree();
  const entries = sortedEntries(model);
  const added = entries.map((entry) => ({
    id: entry.id,
    old: null,
    new: entry,
  }));
  const gained = await Array.fromAsync(diffTrees(chunks, emptyRoot(), root));
  checkDiffs(gained, added, "all added");
  // 582 leaves: 256, 256, 70.
  equal(chunks.reads, 1 + 1 + 3);
  const lost = await Array.fromAsync(diffTrees(chunks, root, emptyRoot()));
  deepEqual(lost.map((diff) => diff.old), entries);
  chunks.resetCounts();
  for await (const _ of diffTrees(chunks, emptyRoot(), root)) break;
  equal(chunks.reads, 3);
});
