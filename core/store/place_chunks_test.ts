import assert from "node:assert/strict";
import { entryOf, originOf } from "../../tests/support/tree_cases.ts";
import { buildTree } from "../state/build_tree.ts";
import { applyEdits } from "../state/apply_edits.ts";
import {
  type Chunk,
  type ChunkRef,
  type ChunkSource,
  type Entry,
  isLeaf,
  SELF,
} from "../state/chunk.ts";
import { compareUtf8 } from "../object/utf8.ts";
import { decodeChunk } from "../storage/chunk_record.ts";
import { placeChunks, type PlacedChunk } from "./place_chunks.ts";

const OWN = originOf(9);
const ROW = { pack: OWN.commit, self: OWN, part: 0, partBytesMax: Infinity };

Deno.test("placeChunks() puts children before parents, and each record reads back as its chunk", () => {
  const { root, placed } = placeChunks(buildTree(entries(500)).root, ROW);
  assert.ok(placed.length > 5);
  assert.deepEqual(
    placed.map(({ address }) => address),
    placed.map((_, index) => ({ pack: OWN.commit, part: 0, index })),
  );
  assert.deepEqual(root.at, placed.at(-1)?.address);
  for (const { chunk, record, address } of placed) {
    const named: ChunkRef = {
      key: "",
      id: chunk.id,
      level: chunk.level,
      count: chunk.count,
      at: address,
    };
    assert.deepEqual(
      decodeChunk(record, { self: OWN, pack: OWN.commit }, named),
      chunk,
    );
  }
  assert.deepEqual(
    entriesBelow(placed, root).map(({ id }) => id),
    entries(500).map(({ id }) => id),
  );
});

Deno.test("placeChunks() gives the commit's own entries its origin, and leaves the others", () => {
  const mixed = entries(3).map((entry, i): Entry =>
    i === 0
      ? entry
      : { ...entry, changed: SELF, born: i === 1 ? SELF : originOf(2) }
  );
  const { placed } = placeChunks(buildTree(mixed).root, ROW);
  const [leaf] = placed.map(({ chunk }) => chunk);
  assert.ok(leaf !== undefined && isLeaf(leaf));
  assert.deepEqual(
    leaf.entries.map((
      { changed, born },
    ) => [changed.generation, born.generation]),
    [[1, 1], [9, 9], [9, 2]],
  );
});

Deno.test("placeChunks() leaves what is stored where it lies", async () => {
  const first = placeChunks(buildTree(entries(500)).root, ROW);
  const again = placeChunks(first.root, { ...ROW, pack: "f".repeat(32) });
  assert.deepEqual(again, { root: first.root, placed: [] });
  const source: ChunkSource = {
    read: (refs) =>
      Promise.resolve(refs.map((ref) => chunkAt(first.placed, ref))),
  };
  const [entry] = entries(1);
  const edit = { id: entry!.id, entry: entryOf(entry!.id, "new", SELF) };
  const { root } = await applyEdits(source, first.root, [edit]);
  const other = originOf(10);
  const next = placeChunks(root, {
    pack: other.commit,
    self: other,
    part: 0,
    partBytesMax: Infinity,
  });
  assert.ok(
    next.placed.length >= 2 && next.placed.length < 6,
    `${next.placed.length} chunks`,
  );
  const packs = next.placed.flatMap(({ chunk }) =>
    isLeaf(chunk)
      ? []
      : chunk.children.map(({ at }) => "pack" in at ? at.pack : "")
  );
  assert.deepEqual(new Set(packs), new Set([OWN.commit, other.commit]));
});

Deno.test("placeChunks() settles all of a leaf that was placed ahead, and of those that take its place", async () => {
  const own = entries(500).map((entry) => ({ ...entry, changed: SELF }));
  const ahead = { ...ROW, pack: "a".repeat(32), self: undefined, part: 1 };
  let { root, placed } = placeChunks(buildTree(own).root, ahead);
  const all = [...placed];
  const source: ChunkSource = {
    read: (refs) => Promise.resolve(refs.map((ref) => chunkAt(all, ref))),
  };
  const revise = async (turn: number) => {
    const { id } = own[7]!;
    const edit = { id, entry: entryOf(id, `turn ${turn}`, SELF) };
    return (await applyEdits(source, root, [edit])).root;
  };
  // The storage has a table of such a leaf by then.
  for (const part of [2, 3]) {
    ({ root, placed } = placeChunks(await revise(part), { ...ahead, part }));
    all.push(...placed);
  }
  for (let turn = 4; turn <= 7; turn++) {
    const changed = await revise(turn);
    const self = originOf(turn);
    // Planned twice: an attempt that came to nothing leaves no trace.
    if (turn === 6) {
      placeChunks(changed, { ...ROW, pack: "e".repeat(32), self: OWN });
    }
    const own = { ...ROW, pack: self.commit, self };
    ({ root, placed } = placeChunks(changed, own));
    all.push(...placed);
    for (const { chunk, record, address } of placed) {
      const { cast, ...plain } = chunk;
      const ref = { ...root, ...plain, at: address };
      assert.equal(cast !== undefined, true);
      assert.deepEqual(decodeChunk(record, own, ref), plain);
    }
    const [leaf] = placed.map(({ chunk }) => chunk);
    assert.ok(leaf !== undefined && isLeaf(leaf) && leaf.count > 1);
    const writers = leaf.entries.map(({ changed }) => changed.commit);
    const first = originOf(4).commit;
    assert.deepEqual(new Set(writers), new Set([self.commit, first]));
    assert.equal(
      writers.filter((one) => one !== first).length,
      turn > 4 ? 1 : 0,
    );
  }
});

Deno.test("placeChunks() begins another part where one is full, and a chunk is never cut", () => {
  const { placed } = placeChunks(buildTree(entries(3_000)).root, {
    pack: "a".repeat(32),
    self: undefined,
    part: 1,
    partBytesMax: 4_000,
  });
  const sizes = new Map<number, number>();
  const places: string[] = [];
  for (const { address, record } of placed) {
    sizes.set(address.part, (sizes.get(address.part) ?? 0) + record.length);
    places.push(`${address.part}/${address.index}`);
  }
  assert.equal(new Set(places).size, placed.length);
  assert.deepEqual([...sizes.keys()], Array.from(sizes, (_, i) => i + 1));
  assert.ok(sizes.size > 10);
  for (const [part, size] of sizes) {
    const alone = placed.filter(({ address }) =>
      address.part === part
    ).length === 1;
    assert.ok(size <= 4_000 || alone, `part ${part} has ${size} bytes`);
  }
});

function entries(count: number): Entry[] {
  return Array.from({ length: count }, (_, i) => entryOf(`n${i}`)).sort((
    a,
    b,
  ) => compareUtf8(a.id, b.id));
}

function chunkAt(placed: readonly PlacedChunk[], ref: ChunkRef): Chunk {
  const found = placed.find(({ address }) =>
    JSON.stringify(address) === JSON.stringify(ref.at)
  );
  assert.ok(found !== undefined, `${ref.key} has a place`);
  return found.chunk;
}

function entriesBelow(
  placed: readonly PlacedChunk[],
  ref: ChunkRef,
): readonly Entry[] {
  const chunk = chunkAt(placed, ref);
  return isLeaf(chunk)
    ? chunk.entries
    : chunk.children.flatMap((child) => entriesBelow(placed, child));
}
