import { deepEqual, equal, notEqual, throws } from "node:assert/strict";
import { FLAT_ENTRIES_MAX } from "../limits.ts";
import { toHex } from "../object/hex.ts";
import { MemoryChunks } from "../../tests/support/memory_chunks.ts";
import {
  Chance,
  entryOf,
  randomModel,
  sortedEntries,
} from "../../tests/support/tree_cases.ts";
import { treeVectors } from "../../tests/support/tree_vectors.ts";
import { levelOf } from "./boundary.ts";
import { buildTree } from "./build_tree.ts";
import { isLeaf } from "./chunk.ts";
import { flatImage } from "./flat_image.ts";
import { trials } from "../../tests/support/trials.ts";

Deno.test("buildTree() gives the trees of the vectors", async (t) => {
  const vectors = treeVectors();
  equal(vectors.length, 9);
  for (const vector of vectors) {
    await t.step(vector.name, () => {
      const chunks = new MemoryChunks();
      const root = chunks.store(buildTree(vector.entries));
      const perLevel = chunks.levels(root).map((level) => level.length);
      equal(toHex(root.id), vector.treeRoot);
      equal(root.level, vector.rootLevel);
      deepEqual(perLevel, vector.chunksPerLevel);
      equal(root.count, vector.entries.length);
    });
  }
});

Deno.test("flatImage() and buildTree() give the two ids between which the state's size decides", () => {
  const sizes: number[] = [];
  for (const { entries, stateId } of treeVectors()) {
    const flat = toHex(flatImage(entries).id);
    const tree = toHex(buildTree(entries).root.id);
    const isFlat = entries.length <= FLAT_ENTRIES_MAX;
    equal(isFlat ? flat : tree, stateId, `${entries.length} entries`);
    if (entries.length > 1) notEqual(flat, tree);
    sizes.push(entries.length);
  }
  equal(sizes.includes(1024) && sizes.includes(1025), true);
});

Deno.test("buildTree() cuts chunks where the definition says", () => {
  for (let seed = 1; seed <= 300; seed += 300 / trials(300)) {
    const options = { bits: [1, 2, 5][seed % 3] ?? 5 };
    const entries = sortedEntries(randomModel(new Chance(seed), seed));
    const { root, fresh } = buildTree(entries, options);
    const chunks = new MemoryChunks();
    const levels = chunks.levels(root);
    const about = `seed ${seed}, bits ${options.bits}`;
    equal(levels.at(-1)?.length, 1, about);
    equal(levels.length === 1 || (levels.at(-2)?.length ?? 0) > 1, true, about);
    equal(fresh.length, levels.flat().length, about);
    equal(fresh.at(-1), root.at, about);
    // What is expected: the keys of a level are cut where one has a higher level than this.
    let keys = entries.map(({ id }) => id);
    for (const [level, refs] of levels.entries()) {
      const starts = keys.filter((key, i) =>
        i === 0 || levelOf(key, options) > level
      );
      deepEqual(refs.map(({ key }) => key), starts, about);
      const inside = refs.flatMap((ref) => {
        const chunk = chunks.chunk(ref);
        return isLeaf(chunk)
          ? chunk.entries.map(({ id }) => id)
          : chunk.children.map(({ key }) => key);
      });
      deepEqual(inside, keys, about);
      keys = starts;
    }
  }
});

Deno.test("buildTree() lists children before their parents", () => {
  const entries = treeVectors().at(-1)?.entries ?? [];
  const { fresh } = buildTree(entries, { bits: 2 });
  const seen = new Set<unknown>();
  for (const chunk of fresh) {
    if (!isLeaf(chunk)) {
      equal(chunk.children.every(({ at }) => seen.has(at)), true);
    }
    seen.add(chunk);
  }
  equal(fresh.some((chunk) => chunk.level > 3), true);
});

Deno.test("buildTree() makes one empty leaf of nothing", () => {
  const { root, fresh } = buildTree([]);
  deepEqual([root.level, root.count, root.key], [0, 0, ""]);
  deepEqual(fresh, [root.at]);
});

Deno.test("buildTree() refuses entries out of order and doubled ids", () => {
  const [low, high] = [entryOf("～"), entryOf("😀")];
  equal(buildTree([low, high]).root.count, 2);
  throws(() => buildTree([high, low]), /unique and in bytewise order/);
  throws(() => buildTree([low, low]), /unique and in bytewise order/);
});
