import { deepEqual, equal } from "node:assert/strict";
import { compareUtf8 } from "../object/utf8.ts";
import { MemoryChunks } from "../../tests/support/memory_chunks.ts";
import {
  Chance,
  randomId,
  randomModel,
  sortedEntries,
} from "../../tests/support/tree_cases.ts";
import { levelVectors, treeVectors } from "../../tests/support/tree_vectors.ts";
import { buildTree } from "./build_tree.ts";
import type { ChunkRef, ChunkSource, Entry } from "./chunk.ts";
import { type EntryRange, readRange } from "./read_range.ts";
import { trials } from "../../tests/support/trials.ts";

async function idsIn(
  source: ChunkSource,
  root: ChunkRef,
  range?: EntryRange,
): Promise<string[]> {
  const entries: Entry[] = await Array.fromAsync(
    readRange(source, root, range),
  );
  return entries.map(({ id }) => id);
}

/** A stored tree of 20,000 ids, n00000 to n19999. */
function largeTree(): { chunks: MemoryChunks; root: ChunkRef } {
  const entries = treeVectors()[5]?.entries ?? [];
  const chunks = new MemoryChunks();
  return { chunks, root: chunks.store(buildTree(entries)) };
}

Deno.test("readRange() yields the sorted ids that a filter keeps", async () => {
  let found = 0;
  for (let seed = 1; seed <= 200; seed += 200 / trials(200)) {
    const chance = new Chance(seed);
    const model = randomModel(chance, seed);
    const chunks = new MemoryChunks();
    const bits = chance.pick([1, 2, 5]);
    const tree = buildTree(sortedEntries(model), { bits });
    const root = chunks.store(tree);
    const all = sortedEntries(model).map(({ id }) => id);
    for (let i = 0; i < 10; i++) {
      const prefix = chance.pick([
        undefined,
        "",
        "a",
        "a/",
        "é",
        "\ue000",
        "～",
        "😀",
        "😀～1",
        "zz",
        chance.pick(all),
      ]);
      const after = chance.pick([
        undefined,
        "",
        chance.pick(all),
        randomId(chance, seed),
        prefix,
      ]);
      const limit = chance.pick([undefined, 0, 1, 7, 50, 1000]);
      const expected = all
        .filter((id) => prefix === undefined || id.startsWith(prefix))
        .filter((id) => after === undefined || compareUtf8(id, after) > 0)
        .slice(0, limit);
      const range = { prefix, after, limit };
      const about = `seed ${seed}, ${JSON.stringify(range)}`;
      deepEqual(await idsIn(chunks, root, range), expected, about);
      found += expected.length;
    }
    deepEqual(await idsIn(chunks, root), all);
    deepEqual(await idsIn(chunks, tree.root), all);
  }
  equal(found > trials(5000), true);
});

Deno.test("readRange() reads a whole state in few rounds, each chunk once", async () => {
  const { chunks, root } = largeTree();
  const ids = await idsIn(chunks, root);
  equal(ids.length, 20_000);
  equal(ids[12_345], "n12345");
  // 582 leaves: 64, 128, 256, and the last 134.
  deepEqual([chunks.reads, chunks.chunksRead], [2 + 4, 582 + 17 + 1]);
});

Deno.test("readRange() reads only what the limit needs", async () => {
  const { chunks, root } = largeTree();
  const ids = await idsIn(chunks, root, { limit: 50 });
  equal(ids.at(-1), "n00049");
  equal(chunks.reads, 3);
  equal(chunks.chunksRead < 8, true, `${chunks.chunksRead} chunks`);
  chunks.resetCounts();
  deepEqual(await idsIn(chunks, root, { limit: 0 }), []);
  equal(chunks.reads, 0);
});

Deno.test("readRange() skips what lies outside a prefix, and what comes before", async () => {
  const { chunks, root } = largeTree();
  equal((await idsIn(chunks, root, { prefix: "n123" })).length, 100);
  equal(chunks.reads, 3);
  equal(chunks.chunksRead < 12, true, `${chunks.chunksRead} chunks`);
  chunks.resetCounts();
  for (let n = 100; n < 19_000; n += 321) {
    const after = `n${String(n).padStart(5, "0")}`;
    chunks.resetCounts();
    const page = await idsIn(chunks, root, { after, limit: 20 });
    equal(page[0], `n${String(n + 1).padStart(5, "0")}`);
    equal(page.length, 20);
    // In one round a level, even where the page begins at the end of a leaf.
    equal(chunks.reads, 3, after);
    equal(chunks.chunksRead < 12, true, after);
  }
  // A prefix that starts a chunk needs nothing of the chunk before.
  for (const [id, level] of levelVectors()) {
    if (level === 0) continue;
    const small = buildTree(treeVectors()[4]?.entries ?? []);
    const smallRoot = chunks.store(small);
    chunks.resetCounts();
    deepEqual(await idsIn(chunks, smallRoot, { prefix: id }), [id]);
    deepEqual([chunks.reads, chunks.chunksRead], [3, 3], id);
  }
  chunks.resetCounts();
  deepEqual(await idsIn(chunks, root, { prefix: "o" }), []);
  equal(chunks.chunksRead <= 3, true);
});

Deno.test("readRange() stops reading when its reader stops", async () => {
  const { chunks, root } = largeTree();
  for await (const entry of readRange(chunks, root)) {
    if (entry.id === "n00100") break;
  }
  deepEqual([chunks.reads, chunks.chunksRead], [3, 1 + 17 + 64]);
});

Deno.test("readRange() of the empty tree yields nothing and reads nothing", async () => {
  const chunks = new MemoryChunks();
  deepEqual(await idsIn(chunks, chunks.store(buildTree([]))), []);
  equal(chunks.reads, 0);
});
