import { deepEqual, equal, throws } from "node:assert/strict";
import { encode } from "cborg";
import { blake3 } from "@noble/hashes/blake3.js";
import { toHex } from "../object/hex.ts";
import {
  Chance,
  editModel,
  entryOf,
  randomEdits,
  randomModel,
  sortedEntries,
} from "../../tests/support/tree_cases.ts";
import { treeVectors } from "../../tests/support/tree_vectors.ts";
import type { Entry } from "./chunk.ts";
import { flatImage, spliceFlat } from "./flat_image.ts";
import { makeLeaf } from "./make_chunk.ts";
import { trials } from "../../tests/support/trials.ts";

/** The flat object as another encoder writes it. */
function encodeFlat(model: ReadonlyMap<string, Entry>): Uint8Array {
  const nodes = new Map([...model].map(([id, { object }]) => [id, object]));
  return encode({ kind: "state", nodes });
}

Deno.test("flatImage() gives the flat ids of the vectors", () => {
  const vectors = treeVectors();
  equal(vectors.length, 9);
  for (const { name, entries, flatId } of vectors) {
    equal(toHex(flatImage(entries).id), flatId, name);
  }
});

Deno.test("flatImage() of few entries is the leaf that holds them", () => {
  for (const size of [0, 1, 23, 24, 25]) {
    const entries = sortedEntries(
      new Map(Array.from({ length: size }, (_, i) => {
        const id = `n${i}`;
        return [id, entryOf(id)];
      })),
    );
    equal(entries.length, size);
    deepEqual(flatImage(entries).id, makeLeaf(entries).id, `${size}`);
  }
});

Deno.test("spliceFlat() equals a fresh encoding after random edits, and leaves the old image as it was", () => {
  const counts = new Set<number>();
  for (let seed = 1; seed <= 25; seed += 25 / trials(25)) {
    const chance = new Chance(seed);
    // Around 23, 24, 255 and 256 entries the head of the map changes its length.
    let model = randomModel(chance, chance.pick([0, 24, 60, 256, 300]));
    let image = flatImage(sortedEntries(model));
    for (let turn = 1; turn <= 30; turn++) {
      const about = `seed ${seed}, turn ${turn}`;
      const edits = randomEdits(chance, model, { bits: 1, turn });
      const before = toHex(image.bytes);
      const next = spliceFlat(
        image,
        edits.map(({ id, entry }) => ({ id, object: entry?.object ?? null })),
      );
      model = editModel(model, edits);
      const expected = encodeFlat(model);
      equal(toHex(next.bytes), toHex(expected), about);
      equal(toHex(next.id), toHex(blake3(expected)), about);
      equal(next.starts.length, model.size, about);
      equal(toHex(image.bytes), before, about);
      image = next;
      counts.add(model.size > 255 ? 2 : model.size > 23 ? 1 : 0);
    }
  }
  equal(counts.size, 3);
});

Deno.test("spliceFlat() returns the image itself when nothing is to be removed", () => {
  const image = flatImage([entryOf("a"), entryOf("c")]);
  equal(spliceFlat(image, [{ id: "b", object: null }]), image);
  equal(spliceFlat(image, []), image);
  const less = spliceFlat(image, [{ id: "a", object: null }]);
  deepEqual(less.id, flatImage([entryOf("c")]).id);
});

Deno.test("spliceFlat() grows one image over the border of 1,024 entries and back", () => {
  const vectors = treeVectors();
  const small = vectors.find(({ entries }) => entries.length === 1024);
  const large = vectors.find(({ entries }) => entries.length === 1025);
  const last = large?.entries.at(-1);
  if (small === undefined || large === undefined || last === undefined) {
    throw new Error("no vectors at the border");
  }
  const image = flatImage(small.entries);
  const grown = spliceFlat(image, [last]);
  equal(toHex(grown.id), large.flatId);
  const shrunk = spliceFlat(grown, [{ id: last.id, object: null }]);
  equal(toHex(shrunk.id), small.flatId);
});

Deno.test("spliceFlat() refuses edits out of order", () => {
  const image = flatImage([]);
  const edits = [entryOf("～"), entryOf("😀")];
  equal(spliceFlat(image, edits).starts.length, 2);
  throws(() => spliceFlat(image, edits.toReversed()), /bytewise order/);
});

Deno.test("spliceFlat() revises ids that are there, and leaves the old image as it was", () => {
  const ids = ["a", "b", "cc", "ddd"];
  const model = new Map(ids.map((id) => [id, entryOf(id)]));
  const image = flatImage(sortedEntries(model));
  const before = toHex(image.bytes);
  for (const revised of [["a"], ["b", "ddd"], ids]) {
    const next = new Map(model);
    for (const id of revised) next.set(id, entryOf(id, `new ${id}`));
    const edits = revised.map((id) => ({ id, object: next.get(id)!.object }));
    const spliced = spliceFlat(image, edits);
    equal(toHex(spliced.bytes), toHex(encodeFlat(next)), revised.join());
    equal(toHex(image.bytes), before);
    deepEqual(spliced.starts, image.starts);
  }
});
