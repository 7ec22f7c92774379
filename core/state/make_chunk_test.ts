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
import {
  emptyRoot,
  encodeIndex,
  encodeLeaf,
  makeIndex,
  makeLeaf,
  refTo,
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
