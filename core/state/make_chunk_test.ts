import { deepEqual, equal } from "node:assert/strict";
import { blake3 } from "@noble/hashes/blake3.js";
import { encode } from "cborg";
import { toHex } from "../object/hex.ts";
import {
  Chance,
  entryOf,
  originOf,
  randomModel,
  sortedEntries,
} from "../../tests/support/tree_cases.ts";
import type { Chunk } from "./chunk.ts";
import {
  emptyRoot,
  encodeIndex,
  encodeLeaf,
  makeIndex,
  makeLeaf,
  packedIds,
  refTo,
  type Remake,
  remakeIndex,
  remakeLeaf,
} from "./make_chunk.ts";

Deno.test("emptyRoot() is the empty state of the vectors", () => {
  const root = emptyRoot();
  equal(
    toHex(root.id),
    "d6f3970d8ebe9b9ed1a48d4433b2872b324aa84e97bab1cfbfa50a112a620295",
  );
  deepEqual([root.key, root.level, root.count], ["", 0, 0]);
});

Deno.test("encodeLeaf() writes the canonical map of ids, as another encoder does", () => {
  for (let seed = 1; seed <= 50; seed++) {
    const entries = sortedEntries(randomModel(new Chance(seed), seed * 3));
    const nodes = new Map(entries.map(({ id, object }) => [id, object]));
    const expected = encode({ kind: "state", nodes });
    equal(toHex(encodeLeaf(entries)), toHex(expected), `seed ${seed}`);
    equal(toHex(makeLeaf(entries).id), toHex(blake3(expected)));
  }
});

Deno.test("encodeIndex() writes level, count and children, as another encoder does", () => {
  for (let seed = 1; seed <= 50; seed++) {
    const entries = sortedEntries(randomModel(new Chance(seed), seed * 3));
    const children = entries.map((entry, i) => ({
      ...refTo(makeLeaf([entry])),
      count: i,
    }));
    const count = entries.length * (entries.length - 1) / 2;
    const nodes = new Map(children.map(({ key, id }) => [key, id]));
    const expected = encode({ kind: "state_index", level: 3, count, nodes });
    equal(toHex(encodeIndex(3, children)), toHex(expected), `seed ${seed}`);
    const index = makeIndex(3, children);
    equal(toHex(index.id), toHex(blake3(expected)));
    deepEqual([index.level, index.count], [3, count]);
  }
});

Deno.test("makeLeaf() gives one id whatever the origins", () => {
  const entry = entryOf("a");
  const other = { ...entry, changed: originOf(7), born: originOf(8) };
  deepEqual(makeLeaf([entry]).id, makeLeaf([other]).id);
  equal(makeLeaf([other]).entries[0], other);
});

Deno.test("refTo() takes the first key of a leaf and of an index chunk", () => {
  const leaf = makeLeaf([entryOf("é"), entryOf("😀")]);
  const ref = refTo(leaf);
  deepEqual([ref.key, ref.level, ref.count, ref.at], ["é", 0, 2, leaf]);
  const index = makeIndex(1, [ref]);
  const above = refTo(index);
  deepEqual([above.key, above.level, above.count, above.at], [
    "é",
    1,
    2,
    index,
  ]);
});

Deno.test("remakeLeaf() gives the ids of makeLeaf(), whichever of the leaves of one mould is revised", () => {
  for (let seed = 1; seed <= 50; seed++) {
    const chance = new Chance(seed);
    const entries = sortedEntries(randomModel(chance, 1 + seed));
    const leaves = [makeLeaf(entries)];
    for (let turn = 1; turn <= 20; turn++) {
      const before = chance.pick(leaves);
      const place = chance.below(entries.length);
      const next = before.entries.map((entry, i) =>
        i === place ? entryOf(entry.id, `${seed} ${turn}`) : entry
      );
      const leaf = remakeLeaf(next, revised(before, place));
      deepEqual(leaf.id, makeLeaf(next).id, `seed ${seed}, turn ${turn}`);
      equal(leaf.cast !== undefined, true);
      leaves.push(leaf);
    }
    for (const leaf of leaves.slice(1)) {
      const ids = leaf.entries.map(({ object }) => toHex(object)).join("");
      equal(toHex(packedIds(leaf)!), ids, `seed ${seed}`);
    }
  }
});

Deno.test("remakeIndex() gives the ids of makeIndex(), whichever of two is revised", () => {
  const [a, b] = [
    refTo(makeLeaf([entryOf("a")])),
    refTo(makeLeaf([entryOf("b")])),
  ];
  const other = { ...b, id: makeLeaf([entryOf("c")]).id };
  const whole = makeIndex(2, [a, b]);
  const first = remakeIndex([a, other], revised(whole, 1));
  const second = remakeIndex([a, b], revised(first, 1));
  const another = { ...a, id: other.id };
  const third = remakeIndex([another, b], revised(second, 0));
  equal(second.cast?.mould, first.cast?.mould);
  deepEqual(first.id, makeIndex(2, [a, other]).id);
  deepEqual(second.id, whole.id);
  deepEqual(third.id, makeIndex(2, [another, b]).id);
  // The mould holds the ids of the third by now.
  const fourth = remakeIndex([another, other], revised(first, 0));
  deepEqual(fourth.id, makeIndex(2, [another, other]).id);
});

function revised<C extends Chunk>(before: C, place: number): Remake<C> {
  return { before, places: [place], isSettled: true };
}
