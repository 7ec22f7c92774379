import { deepEqual, equal, rejects } from "node:assert/strict";
import { blake3 } from "../object/hash.ts";
import { toHex } from "../object/hex.ts";
import { encodeUtf8 } from "../object/utf8.ts";
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
import { applyEdits, type TreeChange, type TreeEdit } from "./apply_edits.ts";
import { levelOf, type TreeOptions } from "./boundary.ts";
import { buildTree } from "./build_tree.ts";
import {
  type ChunkRef,
  type Entry,
  isLeaf,
  isStored,
  sameEntry,
} from "./chunk.ts";
import { trials } from "../../tests/support/trials.ts";

/** Every chunk of a tree in one line of text each: what two equal trees share. */
function shapeOf(chunks: MemoryChunks, root: ChunkRef): string[] {
  return chunks.levels(root).flat().map((ref) =>
    `${ref.level} "${ref.key}" ${ref.count} ${toHex(ref.id)}`
  );
}

/** All entries of a tree, read off its leaves. */
function entriesOf(chunks: MemoryChunks, root: ChunkRef): Entry[] {
  return (chunks.levels(root)[0] ?? []).flatMap((ref) => {
    const chunk = chunks.chunk(ref);
    return isLeaf(chunk) ? chunk.entries : [];
  });
}

/** The chunks of a tree by the hashes of their contents, origins and all. */
function contentsOf(chunks: MemoryChunks, root: ChunkRef): Set<string> {
  const contents = new Set<string>();
  const visit = (ref: ChunkRef): string => {
    const chunk = chunks.chunk(ref);
    const parts = isLeaf(chunk)
      ? chunk.entries.map((e) => [e.id, toHex(e.object), e.changed, e.born])
      : chunk.children.map(visit);
    const content = toHex(blake3(encodeUtf8(JSON.stringify(parts))));
    contents.add(content);
    return content;
  };
  visit(root);
  return contents;
}

/** A tree of 20,000 entries on three levels. */
function largeTree(): { chunks: MemoryChunks; root: ChunkRef; ids: string[] } {
  const entries =
    treeVectors().find((vector) => vector.entries.length === 20_000)?.entries ??
      [];
  const chunks = new MemoryChunks();
  const root = chunks.store(buildTree(entries));
  equal(root.level, 2);
  return { chunks, root, ids: entries.map(({ id }) => id) };
}

/** The same reference, its chunk at hand. */
function atHand(chunks: MemoryChunks, root: ChunkRef): ChunkRef {
  return { ...root, at: chunks.chunk(root) };
}

/** The history of one random tree, compared with a fresh build after every batch. */
async function playHistory(
  seed: number,
  options: { readonly bits: number },
): Promise<{ readonly grew: number; readonly shrank: number }> {
  const chance = new Chance(seed);
  const chunks = new MemoryChunks();
  let model = randomModel(chance, chance.pick([0, 3, 60, 300]));
  let root = chunks.store(buildTree(sortedEntries(model), options));
  let shape = shapeOf(chunks, root);
  let contents = contentsOf(chunks, root);
  let grew = 0;
  let shrank = 0;
  for (let turn = 1; turn <= 40; turn++) {
    const about = `seed ${seed}, bits ${options.bits}, turn ${turn}`;
    const edits = randomEdits(chance, model, { ...options, turn });
    const tree = await applyEdits(chunks, root, edits, options);
    const next = chunks.store(tree);
    model = editModel(model, edits);
    const expected = buildTree(sortedEntries(model), options);
    deepEqual(shapeOf(chunks, root), shape, `${about}: the old tree changed`);
    shape = shapeOf(chunks, expected.root);
    deepEqual(shapeOf(chunks, next), shape, about);
    checkEntries(entriesOf(chunks, next), sortedEntries(model), about);
    const old = contents;
    contents = contentsOf(chunks, next);
    const added = [...contents].filter((content) => !old.has(content));
    equal(tree.fresh.length, added.length, `${about}: fresh chunks`);
    checkFreshOrder(tree, about);
    if (next.level > root.level) grew++;
    if (next.level < root.level) shrank++;
    root = next;
  }
  return { grew, shrank };
}

function checkEntries(got: Entry[], expected: Entry[], about: string): void {
  equal(got.length, expected.length, about);
  for (const [i, entry] of expected.entries()) {
    const other = got[i];
    equal(other !== undefined && sameEntry(other, entry), true, about);
  }
}

/** Children come before parents, the root last. */
function checkFreshOrder(tree: TreeChange, about: string): void {
  if (tree.fresh.length > 0) equal(tree.fresh.at(-1), tree.root.at, about);
  const seen = new Set<unknown>();
  for (const chunk of tree.fresh) {
    for (const child of isLeaf(chunk) ? [] : chunk.children) {
      equal(isStored(child.at) || seen.has(child.at), true, about);
    }
    seen.add(chunk);
  }
}

for (const bits of [1, 2, 5]) {
  Deno.test(`applyEdits() equals a fresh build after random edits, fan-out ${2 ** bits}`, async () => {
    let grew = 0;
    let shrank = 0;
    for (let seed = 1; seed <= trials(20); seed++) {
      const history = await playHistory(1000 * bits + seed, { bits });
      grew += history.grew;
      shrank += history.shrank;
    }
    // The generator is worth something: trees rose and fell.
    equal(
      grew > trials(20) && shrank > trials(20),
      true,
      `grew ${grew}, shrank ${shrank}`,
    );
  });
}

/** Applies edits to a stored tree and compares with a fresh build. */
async function checkCase(
  ids: readonly string[],
  edits: readonly TreeEdit[],
  options: TreeOptions,
): Promise<{ reads: number; before: ChunkRef; after: ChunkRef }> {
  const model = new Map(ids.map((id) => [id, entryOf(id)]));
  const chunks = new MemoryChunks();
  const before = chunks.store(buildTree(sortedEntries(model), options));
  const tree = await applyEdits(chunks, before, edits, options);
  const reads = chunks.reads;
  const after = chunks.store(tree);
  const expected = buildTree(sortedEntries(editModel(model, edits)), options);
  deepEqual(shapeOf(chunks, after), shapeOf(chunks, expected.root));
  return { reads, before, after };
}

/** Two-digit ids, "10" to "99", of a level given fan-out 2. */
function idsOfLevel(test: (level: number) => boolean): string[] {
  return Array.from({ length: 90 }, (_, i) => String(10 + i))
    .filter((id) => test(levelOf(id, { bits: 1 })));
}

Deno.test("applyEdits() moves what a removed boundary leaves to the chunk before, under another parent", async () => {
  const options = { bits: 1 };
  const ids = idsOfLevel(() => true);
  const highest = idsOfLevel((level) => level >= 3);
  equal(highest.length > 2, true);
  for (const id of highest) {
    await checkCase(ids, [{ id, entry: null }], options);
  }
});

Deno.test("applyEdits() removes several boundaries in a row with all that is between", async () => {
  const ids = idsOfLevel(() => true);
  for (let from = 0; from < ids.length; from += 7) {
    for (const length of [2, 10, 50]) {
      const edits = ids.slice(from, from + length)
        .map((id) => ({ id, entry: null }));
      await checkCase(ids, edits, { bits: 1 });
    }
  }
});

Deno.test("applyEdits() inserts before the first key, whatever the level of either", async () => {
  const options = { bits: 1 };
  const ids = idsOfLevel(() => true);
  for (let from = 1; from < 30; from++) {
    const id = ids[from - 1] ?? "";
    const edits = [{ id, entry: entryOf(id) }];
    await checkCase(ids.slice(from), edits, options);
  }
});

Deno.test("applyEdits() removes the first key", async () => {
  const ids = idsOfLevel(() => true);
  for (let from = 0; from < 30; from++) {
    const edits = [{ id: ids[from] ?? "", entry: null }];
    await checkCase(ids.slice(from), edits, { bits: 1 });
  }
});

Deno.test("applyEdits() empties a tree into one fresh empty leaf, and fills it again", async () => {
  const ids = idsOfLevel(() => true);
  const edits = ids.map((id) => ({ id, entry: null }));
  const { before, after } = await checkCase(ids, edits, { bits: 1 });
  equal(before.level > 3, true);
  deepEqual([after.level, after.count], [0, 0]);
  const filled = await checkCase(
    [],
    ids.map((id) => ({ id, entry: entryOf(id) })),
    { bits: 1 },
  );
  equal(filled.after.level, before.level);
});

Deno.test("applyEdits() leaves no level with a single child on top", async () => {
  const options = { bits: 1 };
  // One high boundary at the right end carries several levels by itself.
  const [high = ""] = idsOfLevel((level) => level >= 4);
  const low = idsOfLevel((level) => level === 0).filter((id) => id < high);
  equal(low.length > 0, true);
  const { before, after } = await checkCase([...low, high], [
    { id: high, entry: null },
  ], options);
  equal(before.level > 4 - 1, true);
  equal(after.level, 0);
  // And by itself it is what is left, under chunks that were not touched.
  const rest = low.map((id) => ({ id, entry: null }));
  const left = await checkCase([...low, high], rest, options);
  equal(left.after.level, 0);
});

Deno.test("applyEdits() returns the root it was given when nothing changes", async () => {
  const chunks = new MemoryChunks();
  const entries = sortedEntries(randomModel(new Chance(5), 200));
  const root = chunks.store(buildTree(entries, { bits: 2 }));
  const same = entries.slice(3, 9).map((entry) => ({
    id: entry.id,
    entry: { ...entry, object: entry.object.slice() },
  }));
  for (const edits of [[], same, [{ id: "zz", entry: null }]]) {
    const tree = await applyEdits(chunks, root, edits, { bits: 2 });
    equal(tree.root, root);
    deepEqual(tree.fresh, []);
  }
  const empty = chunks.store(buildTree([]));
  const none = await applyEdits(chunks, empty, [{ id: "a", entry: null }]);
  equal(none.root, empty);
  deepEqual(none.fresh, []);
});

Deno.test("applyEdits() writes a chunk anew when only an origin changes", async () => {
  const chunks = new MemoryChunks();
  const root = chunks.store(buildTree([entryOf("a"), entryOf("b")]));
  const entry = { ...entryOf("a"), changed: originOf(9) };
  const tree = await applyEdits(chunks, root, [{ id: "a", entry }]);
  deepEqual(tree.root.id, root.id);
  equal(tree.fresh.length, 1);
  const [got] = entriesOf(chunks, tree.root);
  equal(got, entry);
});

Deno.test("applyEdits() reads one chunk a level for one edit, and one round each", async () => {
  const { chunks, root, ids } = largeTree();
  const hand = atHand(chunks, root);
  const places = [0, 1, 777, 10_000, ids.length - 1];
  for (const id of [...places.map((i) => ids[i] ?? ""), "a", "n05000x", "z"]) {
    chunks.resetCounts();
    const tree = await applyEdits(chunks, hand, [
      { id, entry: entryOf(id, "new value", originOf(2)) },
    ]);
    equal(tree.fresh.length >= 3, true);
    deepEqual([chunks.reads, chunks.chunksRead], [2, 2], id);
  }
  chunks.resetCounts();
  await applyEdits(chunks, root, [{ id: "z", entry: entryOf("z") }]);
  deepEqual([chunks.reads, chunks.chunksRead], [3, 3]);
});

Deno.test("applyEdits() reads the chunk before a removed boundary in the same rounds", async () => {
  const { chunks, root, ids } = largeTree();
  const hand = atHand(chunks, root);
  const levels = ids.map((id) => levelOf(id));
  for (const [level, chunksRead] of [[1, 3], [2, 4]]) {
    const id = ids[levels.indexOf(level ?? 0)] ?? "";
    chunks.resetCounts();
    await applyEdits(chunks, hand, [{ id, entry: null }]);
    deepEqual([chunks.reads, chunks.chunksRead], [2, chunksRead], id);
  }
});

Deno.test("applyEdits() reads all chunks of a level in one round", async () => {
  const { chunks, root, ids } = largeTree();
  const edits = ids.filter((_, i) => i % 400 === 0)
    .map((id) => ({ id, entry: entryOf(id, "new", originOf(2)) }));
  equal(edits.length, 50);
  await applyEdits(chunks, root, edits);
  equal(chunks.reads, 3);
});

Deno.test("applyEdits() goes on from a tree that is not stored yet", async () => {
  const { chunks, root, ids } = largeTree();
  const [id = ""] = ids;
  const put = (value: string) => [{ id, entry: entryOf(id, value) }];
  const first = await applyEdits(chunks, root, put("one"));
  chunks.resetCounts();
  const second = await applyEdits(chunks, first.root, put("two"));
  equal(chunks.reads, 0);
  chunks.store(first);
  const stored = chunks.store(second);
  equal(entriesOf(chunks, stored).length, ids.length);
  const model = new Map(ids.map((id) => [id, entryOf(id)]));
  const entries = sortedEntries(editModel(model, put("two")));
  deepEqual(stored.id, buildTree(entries).root.id);
});

Deno.test("applyEdits() refuses edits out of order, doubled, or with two ids", async () => {
  const { root } = buildTree([entryOf("a")]);
  const chunks = new MemoryChunks();
  const edit = (id: string) => ({ id, entry: entryOf(id) });
  equal(
    (await applyEdits(chunks, root, [edit("～"), edit("😀")])).root.count,
    3,
  );
  const wrong = [
    [edit("😀"), edit("～")],
    [edit("a"), edit("a")],
    [{ id: "a", entry: entryOf("b") }],
  ];
  for (const edits of wrong) {
    await rejects(applyEdits(chunks, root, edits), /Broken rule/);
  }
});
