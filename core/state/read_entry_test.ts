import { deepEqual, equal } from "node:assert/strict";
import { MemoryChunks } from "../../tests/support/memory_chunks.ts";
import {
  Chance,
  entryOf,
  randomId,
  randomModel,
  sortedEntries,
} from "../../tests/support/tree_cases.ts";
import { treeVectors } from "../../tests/support/tree_vectors.ts";
import { buildTree } from "./build_tree.ts";
import { readEntries, readEntry } from "./read_entry.ts";

Deno.test("readEntry() finds what is there and nothing else", async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const chance = new Chance(seed);
    const model = randomModel(chance, 5 * seed);
    const chunks = new MemoryChunks();
    const bits = chance.pick([1, 2, 5]);
    const tree = buildTree(sortedEntries(model), { bits });
    const root = chunks.store(tree);
    let missing = 0;
    for (let i = 0; i < 50; i++) {
      const id = i % 2 === 0
        ? chance.pick([...model.keys()])
        : randomId(chance, 10 * seed);
      const expected = model.get(id);
      if (expected === undefined) missing++;
      const about = `seed ${seed}, id "${id}"`;
      equal(await readEntry(chunks, root, id), expected, about);
      // A tree that is not stored reads alike.
      equal(await readEntry(chunks, tree.root, id), expected, about);
    }
    equal(missing > 0 && missing < 50, true);
    const ids = [...model.keys(), "none", ...model.keys()];
    const found = await readEntries(chunks, root, ids);
    deepEqual([...found.values()], sortedEntries(model), `seed ${seed}`);
  }
});

Deno.test("readEntry() finds the empty id, and nothing in the empty tree", async () => {
  const chunks = new MemoryChunks();
  const entry = entryOf("");
  equal(await readEntry(chunks, buildTree([entry]).root, ""), entry);
  equal(await readEntry(chunks, buildTree([]).root, ""), undefined);
  equal(await readEntry(chunks, buildTree([entry]).root, "a"), undefined);
});

Deno.test("readEntries() answers in order of the ids, each once, with one read a level", async () => {
  const entries = treeVectors()[5]?.entries ?? [];
  equal(entries.length, 20_000);
  const chunks = new MemoryChunks();
  const root = chunks.store(buildTree(entries));
  const wanted = entries.filter((_, i) => i % 777 === 0);
  const ids = wanted.map(({ id }) => id).reverse();
  const found = await readEntries(chunks, root, [...ids, "none", ...ids]);
  deepEqual([...found.keys()], wanted.map(({ id }) => id));
  for (const entry of wanted) equal(found.get(entry.id), entry);
  equal(chunks.reads, 3);
  // The root, 15 or fewer of 17 in the middle, and a leaf for each id.
  equal(chunks.chunksRead <= 1 + 17 + wanted.length + 1, true);
});

Deno.test("readEntry() takes one read of one chunk a level, readEntries() of nothing none", async () => {
  const entries = treeVectors()[5]?.entries ?? [];
  const chunks = new MemoryChunks();
  const root = chunks.store(buildTree(entries));
  equal(await readEntry(chunks, root, "n12345"), entries[12_345]);
  deepEqual([chunks.reads, chunks.chunksRead], [3, 3]);
  chunks.resetCounts();
  equal((await readEntries(chunks, root, [])).size, 0);
  equal(chunks.reads, 0);
});
