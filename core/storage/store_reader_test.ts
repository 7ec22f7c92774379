import assert from "node:assert/strict";
import { CountingDriver } from "../../tests/support/counting_driver.ts";
import { MemoryKv } from "../../tests/support/memory_kv.ts";
import {
  putAll,
  storeCommit,
  storeNode,
} from "../../tests/support/stored_commit.ts";
import { Chance } from "../../tests/support/tree_cases.ts";
import { isMnemError } from "../errors.ts";
import { CborWriter } from "../object/cbor_writer.ts";
import { blake3 } from "../object/hash.ts";
import { encodeNode } from "../object/memory_node.ts";
import { type ChunkRef, SELF } from "../state/chunk.ts";
import { makeIndex, makeLeaf, refTo } from "../state/make_chunk.ts";
import { encodeChunk, writeOrigin } from "./chunk_record.ts";
import { originOf } from "./commit_row.ts";
import { commitKey, nodeKey, partKey } from "./keys.ts";
import { frameRow } from "./row.ts";
import { StoreReader } from "./store_reader.ts";

const SEED = 29;

Deno.test("commits() reads in one round, keeps the order, and reads nothing twice", async () => {
  const kv = new MemoryKv();
  const stored = ["a", "b", "c"].map((id) => storeCommit(kv, { [id]: 1 }));
  const driver = new CountingDriver(kv.open());
  const reader = new StoreReader(driver);
  const [a, b, c] = stored;
  const none = "0".repeat(32);
  const found = await reader.commits([c!.short, none, a!.short, c!.short]);
  assert.deepEqual(found, [c!.row, null, a!.row, c!.row]);
  assert.deepEqual([driver.counts.rounds, driver.counts.keysAsked], [1, 3]);
  driver.reset();
  assert.deepEqual(await reader.commits([a!.short, c!.short]), [
    a!.row,
    c!.row,
  ]);
  assert.equal(driver.counts.rounds, 0);
  assert.deepEqual(await reader.commit(b!.short), b!.row);
  assert.ok(reader.cachedBytes > 0);
});

Deno.test("commit() answers corrupt_store to one that is named but not stored", async () => {
  const kv = new MemoryKv();
  const { short } = storeCommit(kv, { a: 1 });
  const reader = new StoreReader(kv.open());
  assert.equal((await reader.commit(short)).commit.message, "stored");
  await rejectsCorrupt(reader.commit("f".repeat(32)));
});

Deno.test("commits() finds every flipped bit of a commit's row", async () => {
  const chance = new Chance(SEED);
  const kv = new MemoryKv();
  const { row, short } = storeCommit(kv, { a: 1, b: [2], "😀": "x" });
  const { value } = kv.row(commitKey(short))!;
  assert.deepEqual(await new StoreReader(kv.open()).commits([short]), [row]);
  for (let i = 0; i < 400; i++) {
    const bit = chance.below(value.length * 8);
    const flipped = value.slice();
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    kv.put(commitKey(short), flipped);
    await rejectsCorrupt(
      new StoreReader(kv.open()).commits([short]),
      `seed ${SEED}, flip ${i}`,
    );
  }
});

Deno.test("commits() reads a row that lies in pieces, and finds one missing or changed", async () => {
  const kv = new MemoryKv();
  const { row, short } = storeCommit(kv, { a: 1 }, {
    message: "m".repeat(130_000),
  });
  const pieces = kv.rows().filter(({ key }) => key[0] === "x");
  assert.equal(pieces.length, 3);
  const read = () => new StoreReader(kv.open()).commits([short]);
  assert.deepEqual(await read(), [row]);
  for (const { key, value } of pieces) {
    kv.remove(key);
    await rejectsCorrupt(read());
    const changed = value.slice();
    changed[changed.length - 1]! ^= 128;
    kv.put(key, changed);
    await rejectsCorrupt(read());
    kv.put(key, value);
  }
  assert.deepEqual(await read(), [row]);
});

Deno.test("nodes() reads in one round, keeps the order, and checks every byte", async () => {
  const kv = new MemoryKv();
  const names = ["a", "é", "", "\0", "n".repeat(1_100)];
  const stored = names.slice(0, 2).map((id) => ({
    id,
    ...storeNode(kv, id, id),
  }));
  const driver = new CountingDriver(kv.open());
  const reader = new StoreReader(driver);
  const [a, b] = stored;
  assert.deepEqual(await reader.nodes([b!, a!, b!]), [
    b!.bytes,
    a!.bytes,
    b!.bytes,
  ]);
  assert.equal(driver.counts.rounds, 1);
  driver.reset();
  assert.deepEqual(await reader.nodes([a!, b!]), [a!.bytes, b!.bytes]);
  assert.equal(driver.counts.rounds, 0);
  await rejectsCorrupt(reader.nodes([{ id: "a", object: new Uint8Array(32) }]));
});

Deno.test("nodes() finds every flipped bit of a node's row, short or in pieces", async () => {
  const chance = new Chance(SEED + 1);
  for (const content of ["short", "long ".repeat(15_000)]) {
    const kv = new MemoryKv();
    const node = { id: "é", ...storeNode(kv, "é", content) };
    const key = nodeKey("é", node.object);
    const { value } = kv.row(key)!;
    const read = () => new StoreReader(kv.open()).nodes([node]);
    assert.deepEqual(await read(), [node.bytes]);
    for (let i = 0; i < 200; i++) {
      const bit = chance.below(value.length * 8);
      const flipped = value.slice();
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      kv.put(key, flipped);
      await rejectsCorrupt(read(), `seed ${SEED + 1}, flip ${i}`);
    }
  }
});

Deno.test("read() gives the chunks of a commit's row and keeps them", async () => {
  const kv = new MemoryKv();
  const stored = [storeCommit(kv, { a: 1 }), storeCommit(kv, { b: 2 })];
  const driver = new CountingDriver(kv.open());
  const reader = new StoreReader(driver);
  const [a, b] = stored;
  assert.deepEqual(await reader.read([b!.row.root, a!.row.root]), [
    b!.leaf,
    a!.leaf,
  ]);
  assert.equal(driver.counts.rounds, 1);
  driver.reset();
  assert.deepEqual(await reader.read([a!.row.root]), [a!.leaf]);
  assert.deepEqual(await reader.commit(b!.short), b!.row);
  assert.equal(driver.counts.rounds, 0);
});

Deno.test("read() takes the chunks of a commit that was read from what was read then", async () => {
  const kv = new MemoryKv();
  const stored = storeCommit(kv, { a: 1 });
  const driver = new CountingDriver(kv.open());
  const reader = new StoreReader(driver);
  await reader.commit(stored.short);
  driver.reset();
  assert.deepEqual(await reader.read([stored.row.root]), [stored.leaf]);
  assert.equal(driver.counts.getManys, 0);
  const at = { pack: stored.short, part: 0, index: 1 };
  await rejectsCorrupt(reader.read([{ ...stored.row.root, at }]));
  assert.equal(driver.counts.getManys, 0);
});

Deno.test("commitOf() gives the commit of a listed row, and keeps it", async () => {
  const kv = new MemoryKv();
  const { row, short } = storeCommit(kv, { a: 1 });
  const driver = new CountingDriver(kv.open());
  const reader = new StoreReader(driver);
  const [listed] = kv.rows().filter(({ key }) => key[0] === "c");
  assert.deepEqual(await reader.commitOf(listed!), row);
  assert.deepEqual(await reader.commit(short), row);
  assert.equal(driver.counts.rounds, 0);
  const other = { ...listed!, key: commitKey("f".repeat(32)) };
  await rejectsCorrupt(reader.commitOf(other));
});

Deno.test("read() refuses a chunk that is not the one named, missing, or of a missing row", async () => {
  const kv = new MemoryKv();
  const { row, short } = storeCommit(kv, { a: 1 });
  const other = storeCommit(kv, { b: 1 });
  const read = (ref: ChunkRef) => new StoreReader(kv.open()).read([ref]);
  assert.equal((await read(row.root)).length, 1);
  const at = (pack: string, part: number, index: number): ChunkRef => ({
    ...row.root,
    at: { pack, part, index },
  });
  await rejectsCorrupt(read(at(other.short, 0, 0)));
  await rejectsCorrupt(read(at(short, 0, 1)));
  await rejectsCorrupt(read(at(short, 1, 0)));
  await rejectsCorrupt(read(at("f".repeat(32), 0, 0)));
});

Deno.test("read() finds a chunk that another reference named at the same place", async () => {
  const kv = new MemoryKv();
  const { row } = storeCommit(kv, { a: 1 });
  const reader = new StoreReader(kv.open());
  assert.equal((await reader.read([row.root])).length, 1);
  const wrong = { ...row.root, id: blake3(row.root.id) };
  await rejectsCorrupt(reader.read([wrong]));
});

Deno.test("read() takes the parts of a pack for its owner's", async () => {
  const kv = new MemoryKv();
  const { row } = storeCommit(kv, { z: 1 });
  const pack = "ab".repeat(16);
  const owner = originOf(row);
  const leaves = [["a"], ["b"], ["c"]].map((ids) =>
    makeLeaf(
      ids.map((id) => ({
        id,
        object: blake3(Uint8Array.of(1)),
        changed: SELF,
        born: SELF,
      })),
    )
  );
  const part = new CborWriter();
  part.array(leaves.length);
  for (const leaf of leaves) {
    part.bytes(encodeChunk(leaf, { self: undefined, pack }));
  }
  putAll(kv, frameRow(partKey(pack, 1), part.finish(), true));
  const refs = leaves.map((leaf, index): ChunkRef => ({
    ...refTo(leaf),
    at: { pack, part: 1, index },
  }));
  await rejectsCorrupt(new StoreReader(kv.open()).read(refs));
  const first = new CborWriter();
  writeOrigin(first, owner, undefined);
  putAll(kv, frameRow(partKey(pack, 0), first.finish(), true));
  const driver = new CountingDriver(kv.open());
  const reader = new StoreReader(driver);
  const chunks = await reader.read([refs[2]!, refs[0]!]);
  assert.deepEqual(
    chunks.map((chunk) => "entries" in chunk ? chunk.entries : []),
    ["c", "a"].map((
      id,
    ) => [{
      id,
      object: blake3(Uint8Array.of(1)),
      changed: owner,
      born: owner,
    }]),
  );
  assert.deepEqual([driver.counts.rounds, driver.counts.keysAsked], [1, 2]);
  driver.reset();
  await reader.read([refs[1]!]);
  assert.deepEqual([driver.counts.rounds, driver.counts.keysAsked], [1, 1]);
  const { value } = kv.row(partKey(pack, 1))!;
  value[20]! ^= 1;
  kv.put(partKey(pack, 1), value);
  await rejectsCorrupt(new StoreReader(kv.open()).read(refs));
});

Deno.test("keepChunk() and keepNode() count what weighs: the ids too, and what an array takes beside its bytes", () => {
  const bytesOf = (keep: (reader: StoreReader) => void): number => {
    const reader = new StoreReader(new MemoryKv().open());
    keep(reader);
    return reader.cachedBytes;
  };
  const at = { pack: "ab".repeat(16), part: 1, index: 0 };
  const object = blake3(Uint8Array.of(1));
  const leafOf = (length: number) =>
    makeLeaf(
      ["a", "b", "c"].map((letter) => ({
        id: letter.repeat(length),
        object,
        changed: SELF,
        born: SELF,
      })),
    );
  const [short, long] = [1, 1_000].map((length) =>
    bytesOf((reader) => reader.keepChunk(at, leafOf(length)))
  );
  assert.equal(long! - short!, 3 * 999);
  const refs = [1, 1_000].map((length) => refTo(leafOf(length)));
  const [low, high] = refs.map((ref) =>
    bytesOf((reader) => reader.keepChunk(at, makeIndex(1, [ref])))
  );
  assert.equal(high! - low!, 999);
  // V8 tells of 394 bytes of heap beside the 100 outside of it.
  const bytes = new Uint8Array(100);
  const node = bytesOf((reader) => reader.keepNode({ object, bytes }));
  assert.ok(node >= 500);
});

Deno.test("keepNode() holds a node, not the room that it was made in", () => {
  const reader = new StoreReader(new MemoryKv().open());
  const made = encodeNode("n", { content: "in a slab with others" });
  assert.ok(made.bytes.buffer.byteLength > 1_000);
  const row = new Uint8Array(100);
  const read = { object: blake3(row.subarray(1)), bytes: row.subarray(1) };
  reader.keepNode({ object: made.id, bytes: made.bytes });
  reader.keepNode(read);
  const kept = reader.keptNodes([
    { id: "n", object: made.id },
    { id: "m", object: read.object },
  ]);
  assert.deepEqual(kept[0], made.bytes);
  assert.equal(kept[0]?.buffer.byteLength, made.bytes.length);
  // The frame of its row is not worth a copy.
  assert.equal(kept[1], read.bytes);
});

async function rejectsCorrupt(
  call: Promise<unknown>,
  message = "",
): Promise<void> {
  await assert.rejects(
    call,
    (error) => isMnemError(error, "corrupt_store"),
    message,
  );
}
