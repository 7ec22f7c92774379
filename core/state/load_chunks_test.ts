import { deepEqual, equal, rejects } from "node:assert/strict";
import { MemoryChunks } from "../../tests/support/memory_chunks.ts";
import { entryOf } from "../../tests/support/tree_cases.ts";
import { buildTree } from "./build_tree.ts";
import { loadChunk, loadChunks } from "./load_chunks.ts";

Deno.test("loadChunks() answers in order, whether stored or at hand, in one read", async () => {
  const chunks = new MemoryChunks();
  const trees = ["a", "b", "c"].map((id) => buildTree([entryOf(id)]));
  const refs = trees.map((tree, i) => i === 1 ? tree.root : chunks.store(tree));
  const loaded = await loadChunks(chunks, refs.map((ref, n) => ({ ref, n })));
  deepEqual(loaded.map(({ n }) => n), [0, 1, 2]);
  deepEqual(loaded.map(({ chunk }) => chunk.id), refs.map(({ id }) => id));
  deepEqual([chunks.reads, chunks.chunksRead], [1, 2]);
});

Deno.test("loadChunk() reads nothing for a chunk at hand", async () => {
  const chunks = new MemoryChunks();
  const tree = buildTree([entryOf("a")]);
  equal(await loadChunk(chunks, tree.root), tree.root.at);
  equal(chunks.reads, 0);
  equal((await loadChunk(chunks, chunks.store(tree))).count, 1);
  equal(chunks.reads, 1);
});

Deno.test("loadChunk() refuses a source that answers too little", async () => {
  const chunks = new MemoryChunks();
  const root = chunks.store(buildTree([entryOf("a")]));
  const source = { read: () => Promise.resolve([]) };
  await rejects(loadChunk(source, root), /answers every reference/);
});
