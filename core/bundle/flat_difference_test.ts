import assert from "node:assert/strict";
import { Chance } from "../../tests/support/tree_cases.ts";
import { blake3 } from "../object/hash.ts";
import { toHex } from "../object/hex.ts";
import { compareUtf8, encodeUtf8 } from "../object/utf8.ts";
import { encodeIndex } from "../state/make_chunk.ts";
import { flatImage } from "../state/flat_image.ts";
import { diffFlat, indexHead, mapFlat } from "./flat_difference.ts";
import { trials } from "../../tests/support/trials.ts";

const SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 1);

type State = ReadonlyMap<string, string>;

function flatOf(state: State): Uint8Array {
  const entries = [...state].sort(([a], [b]) => compareUtf8(a, b))
    .map(([id, value]) => ({ id, object: blake3(encodeUtf8(value)) }));
  return flatImage(entries).bytes;
}

function differencesOf(before: State | undefined, after: State) {
  const from = before && flatOf(before);
  return [...diffFlat(from, flatOf(after))].map(({ id, object }) =>
    [id, object === null ? null : toHex(object)] as const
  ).sort(([a], [b]) => compareUtf8(a, b));
}

/** By looking every id up. */
function naive(before: State, after: State) {
  const ids = [...new Set([...before.keys(), ...after.keys()])]
    .sort(compareUtf8);
  return ids.filter((id) => before.get(id) !== after.get(id)).map((id) => {
    const value = after.get(id);
    return [
      id,
      value === undefined ? null : toHex(blake3(encodeUtf8(value))),
    ] as const;
  });
}

Deno.test("diffFlat() finds what looking up every id finds", () => {
  const chance = new Chance(SEED);
  const ids = Array.from(
    { length: 60 },
    (_, i) =>
      chance.pick(["", "a", "é", "😀", "x".repeat(30), "～"]) +
      "y".repeat(i % 4) +
      i,
  );
  ids.push("", "x".repeat(300), "y".repeat(70_000));
  for (let run = 0; run < trials(200); run++) {
    const draw = () =>
      new Map(
        ids.filter(() => chance.below(3) > 0)
          .map((id) => [id, `${chance.below(2)}`] as const),
      );
    const [before, after] = [draw(), draw()];
    assert.deepEqual(differencesOf(before, after), naive(before, after));
    assert.deepEqual(differencesOf(undefined, after), naive(new Map(), after));
    assert.deepEqual(differencesOf(after, after), []);
    assert.deepEqual(differencesOf(after, new Map()), naive(after, new Map()));
  }
});

Deno.test("mapFlat() and indexHead() read what was encoded", () => {
  const object = new Uint8Array(32).fill(5);
  const children = ["a", "bb", "é"].map((key, i) => ({
    key,
    id: new Uint8Array(32).fill(i),
    level: 0,
    count: 100 + i,
    at: { pack: "", part: 0, index: 0 },
  }));
  const index = encodeIndex(3, children);
  assert.deepEqual(indexHead(index), { level: 3, count: 303 });
  assert.deepEqual(
    mapFlat(index, "state_index", (key, id) => [key, id[0]]),
    [["a", 0], ["bb", 1], ["é", 2]],
  );
  const { bytes } = flatImage([{ id: "n", object }]);
  assert.deepEqual(mapFlat(bytes, "state", (id, held) => [id, toHex(held)]), [[
    "n",
    toHex(object),
  ]]);
});
