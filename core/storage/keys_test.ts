import assert from "node:assert/strict";
import { blake3 } from "../object/hash.ts";
import { encodeUtf8 } from "../object/utf8.ts";
import { MemoryKv } from "../../tests/support/memory_kv.ts";
import { Chance } from "../../tests/support/tree_cases.ts";
import { assertKey } from "./budget.ts";
import type { Key } from "./driver.ts";
import {
  commitKey,
  commitsRange,
  HEAD_KEY,
  lastPartHex,
  META_KEY,
  nodeKey,
  nodesRange,
  partKey,
  pieceKey,
  refKey,
  REFS_RANGE,
  removalKey,
  removalsRange,
  STAGE_MARK_KEY,
  STAGED_RANGE,
  stagedKey,
  versionsRange,
} from "./keys.ts";

const ID = "0123456789abcdef0123456789abcdef".repeat(2);
const ID16 = Uint8Array.from(
  [
    1,
    0x23,
    0x45,
    0x67,
    0x89,
    0xab,
    0xcd,
    0xef,
    1,
    0x23,
    0x45,
    0x67,
    0x89,
    0xab,
    0xcd,
    0xef,
  ],
);
const OBJECT = blake3(encodeUtf8("object"));
const LONG_ID = "a".repeat(1_025);

const TABLE: readonly (readonly [string, Key, Key])[] = [
  ["META_KEY", META_KEY, ["meta"]],
  ["HEAD_KEY", HEAD_KEY, ["HEAD"]],
  ["STAGE_MARK_KEY", STAGE_MARK_KEY, ["S"]],
  ["refKey()", refKey("é/b"), ["r", "é/b"]],
  ["commitKey() of an id", commitKey(ID), ["c", ID16]],
  ["commitKey() of a short id", commitKey(ID.slice(0, 32)), ["c", ID16]],
  ["partKey()", partKey(ID.slice(0, 32), 258), [
    "p",
    ID16,
    Uint8Array.of(0, 0, 1, 2),
  ]],
  ["pieceKey()", pieceKey(ID16, 1), ["x", ID16, Uint8Array.of(0, 0, 0, 1)]],
  ["stagedKey()", stagedKey("é"), ["s", "é"]],
  ["nodeKey()", nodeKey("é", OBJECT), ["n", "é", OBJECT.slice(0, 16)]],
  ["nodeKey() of no text", nodeKey("", OBJECT), ["n", "", OBJECT.slice(0, 16)]],
  ["nodeKey() of 1,024 bytes", nodeKey("é".repeat(512), OBJECT), [
    "n",
    "é".repeat(512),
    OBJECT.slice(0, 16),
  ]],
  ["nodeKey() of more", nodeKey(LONG_ID, OBJECT), [
    "N",
    blake3(encodeUtf8(LONG_ID)),
    OBJECT.slice(0, 16),
  ]],
  ["nodeKey() with NUL", nodeKey("\0", OBJECT), [
    "N",
    blake3(encodeUtf8("\0")),
    OBJECT.slice(0, 16),
  ]],
  ["removalKey()", removalKey("é", ID), ["d", "é", ID16]],
  ["removalKey() with NUL", removalKey("\0", ID), [
    "D",
    blake3(encodeUtf8("\0")),
    ID16,
  ]],
];

for (const [name, key, expected] of TABLE) {
  Deno.test(`${name} is as the format says`, () => {
    assert.deepEqual(key, expected);
    assertKey(key);
  });
}

Deno.test("lastPartHex() gives the bytes at the end of a key", () => {
  assert.equal(lastPartHex(commitKey(ID)), ID.slice(0, 32));
  assert.equal(lastPartHex(refKey("main")), "");
});

Deno.test("commitsRange() holds exactly the commits that begin so", async () => {
  const kv = new MemoryKv();
  const ids = [
    "0".repeat(32),
    "0".repeat(31) + "1",
    "00ff" + "0".repeat(28),
    "0f" + "0".repeat(30),
    "f".repeat(32),
    "fffe" + "f".repeat(28),
    "1234" + "5".repeat(28),
  ];
  for (const id of ids) kv.put(commitKey(id), new Uint8Array());
  kv.put(["c\u0001"], new Uint8Array());
  kv.put(["d", "x", ID16], new Uint8Array());
  const digits = ids.flatMap((id) =>
    [0, 1, 2, 3, 4, 5, 31, 32].map((n) => id.slice(0, n))
  );
  for (const prefix of [...digits, "abc"]) {
    const rows = await Array.fromAsync(kv.open().list(commitsRange(prefix)));
    const expected = ids.filter((id) => id.startsWith(prefix)).sort();
    assert.deepEqual(rows.map(({ key }) => lastPartHex(key)), expected, prefix);
  }
});

Deno.test("nodesRange() holds the versions of an id and all after it, in order", async () => {
  const kv = new MemoryKv();
  const ids = ["", "\u0001", "a", "a\u0001", "aa", "b", "é", "～", "😀"];
  const versions = [OBJECT, blake3(OBJECT)].sort((a, b) => a[0]! - b[0]!);
  for (const id of ids.toReversed()) {
    for (const object of versions) {
      kv.put(nodeKey(id, object), new Uint8Array());
    }
  }
  kv.put(nodeKey(LONG_ID, OBJECT), new Uint8Array());
  kv.put(removalKey("a", ID), new Uint8Array());
  kv.put(stagedKey("a"), new Uint8Array());
  const listed = async (from: string) =>
    (await Array.fromAsync(kv.open().list(nodesRange(from)))).map(
      ({ key }) => key[1],
    );
  const twice = (some: readonly string[]) => some.flatMap((id) => [id, id]);
  assert.deepEqual(await listed(""), twice(ids));
  assert.deepEqual(await listed("a"), twice(ids.slice(2)));
  assert.deepEqual(await listed("a\u0001"), twice(ids.slice(3)));
  assert.deepEqual(await listed("\u{10ffff}\u{10ffff}"), []);
});

Deno.test("versionsRange() holds the versions of one id", async () => {
  const kv = new MemoryKv();
  const ids = ["", "a", "aa", "a\u0001", "\0", LONG_ID, `${LONG_ID}a`];
  const objects = [OBJECT, blake3(OBJECT)].sort((a, b) => a[0]! - b[0]!);
  for (const id of ids) {
    for (const object of objects) kv.put(nodeKey(id, object), new Uint8Array());
    kv.put(removalKey(id, ID), new Uint8Array());
  }
  for (const id of ids) {
    const rows = await Array.fromAsync(kv.open().list(versionsRange(id)));
    const expected = objects.map((object) => nodeKey(id, object));
    assert.deepEqual(rows.map(({ key }) => key), expected, id);
  }
});

Deno.test("removalsRange() holds the removals of one id", async () => {
  const kv = new MemoryKv();
  const ids = ["", "a", "aa", "a\u0001", "\0", LONG_ID, `${LONG_ID}a`];
  for (const id of ids) kv.put(removalKey(id, ID), new Uint8Array());
  for (const id of ids) {
    const rows = await Array.fromAsync(kv.open().list(removalsRange(id)));
    assert.deepEqual(rows.map(({ key }) => key), [removalKey(id, ID)], id);
  }
});

Deno.test("REFS_RANGE and STAGED_RANGE hold their own rows only", async () => {
  const kv = new MemoryKv();
  const keys = [
    HEAD_KEY,
    META_KEY,
    STAGE_MARK_KEY,
    refKey("a"),
    refKey("b"),
    stagedKey("a"),
    stagedKey("é"),
  ];
  for (const key of keys) kv.put(key, new Uint8Array());
  const refs = await Array.fromAsync(kv.open().list(REFS_RANGE));
  assert.deepEqual(refs.map(({ key }) => key), [refKey("a"), refKey("b")]);
  const staged = await Array.fromAsync(kv.open().list(STAGED_RANGE));
  assert.deepEqual(staged.map(({ key }) => key), [
    stagedKey("a"),
    stagedKey("é"),
  ]);
});

Deno.test("keys of different rows are different, whatever their ids", () => {
  const chance = new Chance(3);
  const id = () =>
    chance.pick(["", "a", "\0", "n", "é", LONG_ID]) + chance.below(3);
  const seen = new Map<string, string>();
  for (let i = 0; i < 500; i++) {
    const node = id();
    const object = blake3(encodeUtf8(String(chance.below(5))));
    const commit = Array.from(
      object,
      (byte) => byte.toString(16).padStart(2, "0"),
    ).join("");
    const made: [string, Key][] = [
      [`node ${node} ${commit}`, nodeKey(node, object)],
      [`removal ${node} ${commit}`, removalKey(node, commit)],
      [`staged ${node}`, ["s", node]],
      [`commit ${commit}`, commitKey(commit)],
    ];
    for (const [name, key] of made) {
      const text = JSON.stringify(
        key,
        (_, part) => part instanceof Uint8Array ? [...part] : part,
      );
      assert.equal(seen.get(text) ?? name, name);
      seen.set(text, name);
    }
  }
  assert.ok(seen.size > 100);
});
