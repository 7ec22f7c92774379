import assert from "node:assert/strict";
import {
  Chance,
  entryOf,
  originOf,
  randomId,
} from "../../tests/support/tree_cases.ts";
import { isMnemError } from "../errors.ts";
import { CborReader } from "../object/cbor_reader.ts";
import { CborWriter } from "../object/cbor_writer.ts";
import { blake3 } from "../object/hash.ts";
import { compareUtf8, encodeUtf8 } from "../object/utf8.ts";
import {
  type Chunk,
  type ChunkRef,
  type Entry,
  type Origin,
  SELF,
} from "../state/chunk.ts";
import {
  makeIndex,
  makeLeaf,
  refTo,
  type Remake,
  remakeIndex,
  remakeLeaf,
} from "../state/make_chunk.ts";
import {
  addressOf,
  decodeAnyChunk,
  decodeChunk,
  encodeChunk,
  isNamed,
  readNull,
  readOrigin,
  type RecordHome,
  writeOrigin,
} from "./chunk_record.ts";

const SEED = 17;
const OWN = originOf(99);
const HOME: RecordHome = { self: OWN, pack: OWN.commit };
const PACKS = [OWN.commit, originOf(1).commit, "f".repeat(32)];

Deno.test("decodeChunk() reads what encodeChunk() wrote: leaves of random ids and origins", () => {
  const chance = new Chance(SEED);
  for (let i = 0; i < 300; i++) {
    const leaf = makeLeaf(randomEntries(chance, chance.pick([0, 1, 2, 40])));
    const record = encodeChunk(leaf, HOME);
    assert.deepEqual(
      decodeChunk(record, HOME, stored(leaf)),
      leaf,
      `seed ${SEED}, leaf ${i}`,
    );
  }
});

Deno.test("decodeChunk() reads what encodeChunk() wrote: index chunks of random children", () => {
  const chance = new Chance(SEED + 1);
  for (let i = 0; i < 300; i++) {
    const level = 1 + chance.below(3);
    const ids = randomIds(chance, chance.pick([1, 2, 40]));
    const index = makeIndex(
      level,
      ids.map((key, place): ChunkRef => ({
        key,
        id: blake3(encodeUtf8(`${key} ${place}`)),
        level: level - 1,
        count: 1 + chance.below(70_000),
        at: { pack: chance.pick(PACKS), part: chance.below(300), index: place },
      })),
    );
    const record = encodeChunk(index, HOME);
    assert.deepEqual(
      decodeChunk(record, HOME, stored(index)),
      index,
      `seed ${SEED + 1}, index ${i}`,
    );
  }
});

// Front-coding counts code points, and a pair of surrogates is never cut.
const NEIGHBOURS: readonly (readonly string[])[] = [
  ["", "a"],
  ["a", "aa", "aab", "ab", "b"],
  ["😀", "😁"],
  ["😀a", "😀b", "😁", "😁😀", "😁😁"],
  ["\u{1f600}", "\u{1f601}", "\u{1f900}", "\u{2f600}"],
  ["é", "éé", "～", "😀"],
  ["\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{10ffff}"],
  ["x\u{10000}y", "x\u{10000}z", "x\u{103ff}", "x\u{10400}"],
  ["a\0", "a\0b", "a\u0001"],
  ["a".repeat(5_000), "a".repeat(5_000) + "😀", "a".repeat(5_000) + "😁"],
];

for (const ids of NEIGHBOURS) {
  Deno.test(`encodeChunk() keeps ${JSON.stringify(ids.map((id) => id.slice(0, 9)))}`, () => {
    const leaf = makeLeaf(
      [...ids].sort(compareUtf8).map((id) => entryOf(id, id, OWN)),
    );
    const record = encodeChunk(leaf, HOME);
    const back = decodeChunk(record, HOME, stored(leaf));
    assert.ok("entries" in back);
    assert.deepEqual(back.entries.map(({ id }) => id), ids);
  });
}

Deno.test("encodeChunk() shares what neighbours have in common", () => {
  const long = "a".repeat(500);
  const leaf = makeLeaf(
    [`${long}1`, `${long}2`].map((id) => entryOf(id, id, OWN)),
  );
  assert.ok(encodeChunk(leaf, HOME).length < 2 * 32 + 501 + 50);
});

Deno.test("an origin that is the row's own is read as whatever owns the row", () => {
  const leaf = makeLeaf([
    entryOf("a", "a", SELF),
    entryOf("b", "b", OWN),
    entryOf("c", "c", originOf(3)),
  ]);
  const record = encodeChunk(leaf, HOME);
  const other = { self: originOf(50), pack: "0".repeat(32) };
  const back = decodeChunk(record, other, stored(leaf));
  assert.ok("entries" in back);
  assert.deepEqual(
    back.entries.map(({ changed, born }) => [changed, born]),
    [originOf(50), originOf(50), originOf(3)].map((origin) => [origin, origin]),
  );
  const unowned = decodeChunk(
    record,
    { self: undefined, pack: "" },
    stored(leaf),
  );
  assert.ok("entries" in unowned);
  assert.equal(unowned.entries[0]?.changed, SELF);
});

Deno.test("a child in the row's own pack moves with the row", () => {
  const leaf = makeLeaf([entryOf("a")]);
  const index = makeIndex(1, [
    { ...refTo(leaf), at: { pack: OWN.commit, part: 0, index: 2 } },
    {
      ...refTo(makeLeaf([entryOf("b")])),
      at: { pack: "e".repeat(32), part: 1, index: 0 },
    },
  ]);
  const moved = decodeChunk(encodeChunk(index, HOME), {
    ...HOME,
    pack: "d".repeat(32),
  }, stored(index));
  assert.ok("children" in moved);
  assert.deepEqual(moved.children.map((child) => addressOf(child)), [
    { pack: "d".repeat(32), part: 0, index: 2 },
    { pack: "e".repeat(32), part: 1, index: 0 },
  ]);
});

Deno.test("decodeChunk() refuses a chunk that is not the one named", () => {
  const leaf = makeLeaf([entryOf("a"), entryOf("b")]);
  const record = encodeChunk(leaf, HOME);
  const ref = stored(leaf);
  assert.deepEqual(decodeChunk(record, HOME, ref), leaf);
  const id = ref.id.slice();
  id[31]! ^= 1;
  for (
    const other of [{ ...ref, id }, { ...ref, level: 1 }, { ...ref, count: 3 }]
  ) {
    assert.throws(() => decodeChunk(record, HOME, other), isCorrupt);
  }
});

Deno.test("decodeAnyChunk() reads whichever chunk it is; isNamed() tells whether it is the one", () => {
  const leaf = makeLeaf([entryOf("a"), entryOf("b")]);
  const record = encodeChunk(leaf, HOME);
  assert.deepEqual(decodeAnyChunk(record, HOME), leaf);
  const ref = stored(leaf);
  assert.ok(isNamed(leaf, ref));
  for (
    const other of [{ ...ref, id: leaf.entries[0]!.object }, {
      ...ref,
      level: 1,
    }, { ...ref, count: 1 }]
  ) {
    assert.ok(!isNamed(leaf, other));
  }
  const grown = Uint8Array.of(...record, 0);
  assert.throws(() => decodeAnyChunk(grown, HOME), isCorrupt);
  assert.throws(() => decodeAnyChunk(record.slice(0, -1), HOME), isCorrupt);
});

Deno.test("decodeChunk() finds every flipped bit that changes an id or an object", () => {
  const chance = new Chance(SEED + 2);
  let silent = 0;
  for (let i = 0; i < 400; i++) {
    const entries = randomEntries(chance, 12);
    const leaf = makeLeaf(entries);
    const record = encodeChunk(leaf, HOME);
    const bit = chance.below(record.length * 8);
    record[bit >> 3]! ^= 1 << (bit & 7);
    try {
      const back = decodeChunk(record, HOME, stored(leaf));
      assert.ok("entries" in back);
      const ids = back.entries.map(({ id, object }) => ({ id, object }));
      assert.deepEqual(ids, entries.map(({ id, object }) => ({ id, object })));
      // Only an origin can have changed: the seal of the row is what guards those.
      silent++;
    } catch (error) {
      assert.ok(isCorrupt(error), `seed ${SEED + 2}, flip ${i}: ${error}`);
    }
  }
  assert.ok(silent > 0 && silent < 200, `${silent} origins were changed`);
});

Deno.test("decodeChunk() refuses records that are cut or make no sense", () => {
  const leaf = makeLeaf(["a", "aa", "b"].map((id) => entryOf(id)));
  const record = encodeChunk(leaf, HOME);
  for (let size = 0; size < record.length; size++) {
    assert.throws(
      () => decodeChunk(record.slice(0, size), HOME, stored(leaf)),
      isCorrupt,
    );
  }
  const longer = Uint8Array.from([...record, 0]);
  assert.throws(() => decodeChunk(longer, HOME, stored(leaf)), isCorrupt);
  // An id that shares more than the one before has, which no loop may follow; an origin that is not
  // in the dictionary.
  const none = Number.MAX_SAFE_INTEGER;
  for (const [shared, origin] of [[1, 0], [none, 0], [0, 1], [0, none]]) {
    const writer = new CborWriter();
    writer.array(4);
    writer.int(0);
    writer.array(1);
    writer.null();
    writer.array(4);
    writer.int(shared!);
    writer.text("a");
    writer.int(origin!);
    writer.int(0);
    writer.bytes(new Uint8Array(32));
    assert.throws(
      () => decodeChunk(writer.finish(), HOME, stored(leaf)),
      isCorrupt,
    );
  }
});

Deno.test("readOrigin() reads what writeOrigin() wrote", () => {
  const origin: Origin = {
    commit: "ab".repeat(16),
    timeMs: -5,
    generation: 2 ** 40,
  };
  for (
    const [given, self, expected] of [
      [origin, undefined, origin],
      [origin, origin, origin],
      [SELF, origin, origin],
      [SELF, undefined, SELF],
    ] as const
  ) {
    const writer = new CborWriter();
    writeOrigin(writer, given, self);
    assert.deepEqual(
      readOrigin(new CborReader(writer.finish()), self),
      expected,
    );
  }
});

Deno.test("readNull() passes over a null only", () => {
  const reader = new CborReader(Uint8Array.of(0xf6, 0x01));
  assert.equal(readNull(reader), true);
  assert.equal(readNull(reader), false);
  assert.equal(reader.readUint(), 1);
});

Deno.test("addressOf() holds a chunk that is not stored for a defect", () => {
  const leaf = makeLeaf([entryOf("a")]);
  assert.throws(() => addressOf(refTo(leaf)), /Broken rule/);
  const index = makeIndex(1, [refTo(leaf)]);
  assert.throws(() => encodeChunk(index, HOME), /Broken rule/);
});

function stored(chunk: Chunk): ChunkRef {
  return { ...refTo(chunk), at: { pack: "0".repeat(32), part: 0, index: 0 } };
}

function randomIds(chance: Chance, most: number): string[] {
  const ids = Array.from({ length: most }, () => {
    const emoji = chance.below(3) === 0
      ? String.fromCodePoint(0x1f600 + chance.below(40))
      : "";
    return randomId(chance, 30) + emoji;
  });
  return [...new Set(ids)].sort(compareUtf8);
}

function randomEntries(chance: Chance, most: number): Entry[] {
  const origins = [OWN, originOf(0), originOf(3), {
    ...originOf(4),
    timeMs: -1,
  }];
  return randomIds(chance, most).map((id) => ({
    id,
    object: blake3(encodeUtf8(id)),
    changed: chance.pick(origins),
    born: chance.pick(origins),
  }));
}

function isCorrupt(error: unknown): boolean {
  return isMnemError(error, "corrupt_store");
}

Deno.test("encodeChunk() writes chunks of one mould as it writes those without", () => {
  const chance = new Chance(SEED);
  for (let i = 0; i < 50; i++) {
    const entries = randomEntries(chance, 40);
    const place = i % entries.length;
    const whole = makeLeaf(entries);
    const first = remakeLeaf(entries, revised(whole, place));
    const next = entries.map((entry, at) =>
      at === place
        ? {
          ...entry,
          object: blake3(encodeUtf8(`new ${i}`)),
          changed: chance.pick(entries).born,
        }
        : entry
    );
    // The mould holds the ids of the second when the first is written.
    const second = remakeLeaf(next, revised(first, place));
    assert.equal(second.cast?.mould, first.cast?.mould);
    for (const leaf of [first, second, first, whole]) {
      checkRecord(leaf, makeLeaf(leaf.entries), `seed ${SEED}, leaf ${i}`);
    }
    const children = entries.map(({ id, object }): ChunkRef => ({
      key: id,
      id: object,
      level: 0,
      count: 1 + chance.below(300),
      at: { pack: chance.pick(PACKS), part: 0, index: chance.below(300) },
    }));
    const wholeIndex = makeIndex(1, children);
    const firstIndex = remakeIndex(children, revised(wholeIndex, place));
    const others = children.map((child, at) =>
      at === place
        ? {
          ...child,
          id: next[at]!.object,
          at: { pack: chance.pick(PACKS), part: 1, index: 3 },
        }
        : child
    );
    const secondIndex = remakeIndex(others, revised(firstIndex, place));
    assert.equal(secondIndex.cast?.mould, firstIndex.cast?.mould);
    for (const index of [firstIndex, secondIndex, firstIndex, wholeIndex]) {
      const fresh = makeIndex(1, index.children);
      checkRecord(index, fresh, `seed ${SEED}, index ${i}`);
    }
  }
});

/** A record holds the same as that of a chunk without a mould, and no more: its table may be in another order. */
function checkRecord(chunk: Chunk, fresh: Chunk, what: string): void {
  const record = encodeChunk(chunk, HOME);
  const expected = encodeChunk(fresh, HOME);
  assert.deepEqual(
    decodeAnyChunk(record, HOME),
    decodeAnyChunk(expected, HOME),
    what,
  );
  assert.equal(record.length, expected.length, what);
}

function revised<C extends Chunk>(before: C, place: number): Remake<C> {
  return { before, places: [place], isSettled: true };
}
