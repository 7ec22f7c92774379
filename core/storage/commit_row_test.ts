import assert from "node:assert/strict";
import {
  Chance,
  originOf as numbered,
  randomId,
} from "../../tests/support/tree_cases.ts";
import { isMnemError, type MnemErrorCode } from "../errors.ts";
import { CborWriter } from "../object/cbor_writer.ts";
import { encodeCommit } from "../object/commit.ts";
import { blake3 } from "../object/hash.ts";
import { toHex } from "../object/hex.ts";
import { encodeUtf8 } from "../object/utf8.ts";
import {
  commitOf,
  type CommitRow,
  decodeCommitRow,
  decodeMetaBlock,
  encodeChangeList,
  encodeCommitRow,
  encodeMetaBlock,
  type ListedChange,
  originOf,
} from "./commit_row.ts";

const SEED = 23;

Deno.test("decodeMetaBlock() reads what encodeMetaBlock() wrote", () => {
  const chance = new Chance(SEED);
  for (let i = 0; i < 300; i++) {
    const row = randomRow(chance);
    const short = row.commit.id.slice(0, 32);
    assert.deepEqual(
      decodeMetaBlock(encodeMetaBlock(row), short),
      row,
      `seed ${SEED}, row ${i}`,
    );
  }
});

Deno.test("decodeMetaBlock() refuses a commit of another id", () => {
  const row = randomRow(new Chance(SEED));
  const meta = encodeMetaBlock(row);
  const short = row.commit.id.slice(0, 32);
  assert.equal(decodeMetaBlock(meta, short).commit.id, row.commit.id);
  assert.throws(
    () => decodeMetaBlock(meta, "0".repeat(32)),
    isCode("corrupt_store"),
  );
  const place = meta.findIndex((_, at) => sameAt(meta, row.bytes, at));
  for (const at of [place + 3, place + row.bytes.length - 1]) {
    const changed = meta.slice();
    changed[at]! ^= 1;
    assert.throws(
      () => decodeMetaBlock(changed, short),
      isCode("corrupt_store"),
    );
  }
});

Deno.test("decodeMetaBlock() refuses blocks that are cut or grown", () => {
  const row = randomRow(new Chance(SEED + 1));
  const meta = encodeMetaBlock(row);
  const short = row.commit.id.slice(0, 32);
  for (let size = 0; size < meta.length; size++) {
    assert.throws(
      () => decodeMetaBlock(meta.slice(0, size), short),
      isCode("corrupt_store"),
    );
  }
  const grown = Uint8Array.from([...meta, 0xf6]);
  assert.throws(() => decodeMetaBlock(grown, short), isCode("corrupt_store"));
});

Deno.test("decodeMetaBlock() refuses a form that is none, and a root of another size", () => {
  const row = { ...randomRow(new Chance(SEED + 2)), changes: null };
  const meta = encodeMetaBlock(row);
  const short = row.commit.id.slice(0, 32);
  // The last two items: the form, and a null for the change list.
  const form = meta.length - 2;
  assert.deepEqual([meta[form], meta[form + 1]], [
    row.form === "flat" ? 0 : 1,
    0xf6,
  ]);
  for (const number of [2, 3, 23]) {
    const other = meta.slice();
    other[form] = number;
    assert.throws(() => decodeMetaBlock(other, short), isCode("corrupt_store"));
  }
  const root = meta.lastIndexOf(0x87);
  assert.ok(root > row.bytes.length);
  for (const head of [0x86, 0x88]) {
    const other = meta.slice();
    other[root] = head;
    assert.throws(() => decodeMetaBlock(other, short), isCode("corrupt_store"));
  }
});

Deno.test("decodeMetaBlock() answers format_version to an object of a later kind", () => {
  const writer = new CborWriter();
  writer.map(1);
  writer.text("kind");
  writer.text("wormhole");
  const bytes = writer.finish();
  const row = { ...randomRow(new Chance(SEED)), bytes };
  const short = toHex(blake3(bytes)).slice(0, 32);
  assert.throws(
    () => decodeMetaBlock(encodeMetaBlock(row), short),
    isCode("format_version"),
  );
});

Deno.test("decodeCommitRow() reads what encodeCommitRow() wrote", () => {
  for (const count of [0, 1, 30]) {
    const records = Array.from(
      { length: count },
      (_, i) => Uint8Array.of(i, 7),
    );
    const meta = Uint8Array.of(1, 2, 3);
    assert.deepEqual(decodeCommitRow(encodeCommitRow(meta, records)), {
      meta,
      records,
    });
  }
});

Deno.test("decodeCommitRow() answers format_version to a later layout, corrupt_store to none", () => {
  const later = encodeCommitRow(Uint8Array.of(1), []);
  later[1] = 2;
  assert.throws(() => decodeCommitRow(later), isCode("format_version"));
  for (
    const bytes of [
      [],
      [0x80],
      [0x81, 0x01],
      [0x82, 0x01],
      [0x83, 0x01, 0x40],
      [0x82, 0x01, 0x40, 0x40],
      [0xa0],
    ]
  ) {
    assert.throws(
      () => decodeCommitRow(Uint8Array.from(bytes)),
      isCode("corrupt_store"),
    );
  }
});

Deno.test("originOf() is short id, time and generation", () => {
  const row = randomRow(new Chance(SEED));
  assert.deepEqual(originOf(row), {
    commit: row.commit.id.slice(0, 32),
    timeMs: row.commit.timeMs,
    generation: row.generation,
  });
});

Deno.test("commitOf() gives a copy, parents too", () => {
  const row = randomRow(new Chance(SEED));
  const copy = commitOf(row);
  assert.deepEqual(copy, row.commit);
  assert.notEqual(copy, row.commit);
  assert.notEqual(copy.parents, row.commit.parents);
});

Deno.test("encodeChangeList() grows with the list", () => {
  const chance = new Chance(SEED);
  assert.equal(encodeChangeList([]).length, 1);
  const change = randomChange(chance);
  assert.ok(
    encodeChangeList([change, change]).length >
      encodeChangeList([change]).length,
  );
});

function randomRow(chance: Chance): CommitRow {
  const ids = (count: number) =>
    Array.from(
      { length: count },
      () => toHex(blake3(Uint8Array.of(chance.below(256)))),
    );
  const fields = {
    parents: ids(chance.below(3)),
    state: toHex(blake3(encodeUtf8(randomId(chance, 9)))),
    message: chance.pick(["", "é😀", "message"]),
    author: chance.pick(["", "agent"]),
    timeMs: chance.pick([0, -1, 1_757_000_000_000, 2 ** 52]),
  };
  const bytes = encodeCommit(fields);
  const id = toHex(blake3(bytes));
  const pack = chance.pick([id.slice(0, 32), numbered(7).commit]);
  return {
    commit: { id, ...fields },
    bytes,
    generation: chance.below(100_000),
    depth: chance.below(100_000),
    mergeDepth: chance.pick([null, 0, 70_000]),
    skips: ids(chance.below(8)).map((skip, i) => ({
      commit: skip.slice(0, 32),
      depth: chance.below(300),
      size: 2 ** i,
    })),
    root: {
      key: randomId(chance, 40),
      id: blake3(Uint8Array.of(chance.below(256))),
      level: chance.below(5),
      count: chance.below(2_000),
      at: { pack, part: chance.below(3), index: chance.below(40) },
    },
    form: chance.pick(["flat", "tree"]),
    changes: chance.below(3) === 0
      ? null
      : Array.from({ length: chance.below(5) }, () => randomChange(chance)),
  };
}

function randomChange(chance: Chance): ListedChange {
  const object = () => blake3(Uint8Array.of(chance.below(256)));
  const isNew = chance.below(2) === 0;
  return {
    id: randomId(chance, 9),
    object: chance.below(2) === 0 ? null : object(),
    old: isNew ? null : object(),
    oldOrigin: isNew ? null : numbered(chance.below(50)),
  };
}

function sameAt(bytes: Uint8Array, part: Uint8Array, at: number): boolean {
  return part.every((byte, i) => bytes[at + i] === byte);
}

function isCode(code: MnemErrorCode): (error: unknown) => boolean {
  return (error) => isMnemError(error, code);
}
