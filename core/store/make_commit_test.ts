import assert from "node:assert/strict";
import {
  entryOf,
  originOf as numbered,
} from "../../tests/support/tree_cases.ts";
import { decodeCommit } from "../object/commit.ts";
import { blake3 } from "../object/hash.ts";
import { toHex } from "../object/hex.ts";
import { buildTree } from "../state/build_tree.ts";
import { SELF } from "../state/chunk.ts";
import {
  type CommitRow,
  decodeCommitRow,
  decodeMetaBlock,
  type ListedChange,
} from "../storage/commit_row.ts";
import { unframeRow } from "../storage/row.ts";
import { type CommitParts, makeCommit, placeInPack } from "./make_commit.ts";

const { root } = buildTree([entryOf("a", "a", SELF)]);
const PARTS: CommitParts = {
  parents: [],
  root,
  state: { id: root.id, form: "flat" },
  changes: [],
  message: "m",
  author: "me",
  timeMs: 5,
};

Deno.test("makeCommit() makes the row that reads back as the commit", () => {
  const changes = [change("a", 1)];
  const { row, meta, framed, placed, origin } = makeCommit({
    ...PARTS,
    changes,
  });
  assert.deepEqual(decodeMetaBlock(meta, row.commit.id.slice(0, 32)), row);
  const inside = unframeRow(framed.key, framed.value, true);
  assert.ok("payload" in inside);
  assert.deepEqual(decodeCommitRow(inside.payload), {
    meta,
    records: placed.map(({ record }) => record),
  });
  assert.equal(toHex(blake3(row.bytes)), row.commit.id);
  const { id: _, ...fields } = row.commit;
  assert.deepEqual(decodeCommit(row.bytes), fields);
  assert.deepEqual(fields, {
    parents: [],
    state: toHex(root.id),
    message: "m",
    author: "me",
    timeMs: 5,
  });
  assert.deepEqual(origin, {
    commit: row.commit.id.slice(0, 32),
    timeMs: 5,
    generation: 0,
  });
  assert.deepEqual(row.changes, changes);
  assert.deepEqual(placed.map(({ address }) => address), [{
    pack: origin.commit,
    part: 0,
    index: 0,
  }]);
});

Deno.test("makeCommit() places a commit in the graph by its parents", () => {
  const make = (...parents: CommitRow[]): CommitRow =>
    makeCommit({ ...PARTS, parents, message: `${parents.length}` }).row;
  const place = (
    { generation, depth, mergeDepth, skips }: CommitRow,
  ) => [generation, depth, mergeDepth, skips.map((skip) => skip.depth)];
  const first = make();
  const second = make(first);
  const third = make(second);
  assert.deepEqual([first, second, third].map(place), [
    [0, 0, null, []],
    [1, 1, null, [0]],
    [2, 2, null, [1, 0]],
  ]);
  const merge = make(first, third);
  assert.deepEqual(place(merge), [3, 1, 1, [0]]);
  const after = make(merge);
  assert.deepEqual(place(after), [4, 2, 1, [1, 0]]);
  assert.deepEqual(
    merge.commit.parents,
    [first, third].map(({ commit }) => commit.id),
  );
});

Deno.test("makeCommit() lists at most 64 changes, and 8 KB of them", () => {
  const listed = (changes: readonly ListedChange[]) =>
    makeCommit({ ...PARTS, changes }).row.changes;
  const many = Array.from({ length: 64 }, (_, i) => change(`n${i}`, i));
  assert.deepEqual(listed(many), many);
  assert.equal(listed([...many, change("one", 1)]), null);
  // Ids of 900 bytes, each with about 110 bytes more.
  const long = Array.from(
    { length: 9 },
    (_, i) => change(`${i}`.repeat(900), i),
  );
  assert.equal(listed(long), null);
  assert.deepEqual(listed(long.slice(0, 8)), long.slice(0, 8));
  assert.deepEqual(listed([]), []);
});

Deno.test("makeCommit() gives what it wrote its own origin", () => {
  const { placed, origin } = makeCommit(PARTS);
  const [leaf] = placed.map(({ chunk }) => chunk);
  assert.ok(leaf !== undefined && "entries" in leaf);
  assert.deepEqual(leaf.entries.map(({ changed, born }) => [changed, born]), [[
    origin,
    origin,
  ]]);
});

Deno.test("placeInPack() leaves the origin open, in parts from 1 on", () => {
  const { placed } = placeInPack(root, "a".repeat(32));
  const [{ chunk, address }] = [placed[0]!];
  assert.deepEqual(address, { pack: "a".repeat(32), part: 1, index: 0 });
  assert.ok("entries" in chunk);
  assert.equal(chunk.entries[0]?.changed, SELF);
});

function change(id: string, n: number): ListedChange {
  return {
    id,
    object: blake3(Uint8Array.of(n, 1)),
    old: blake3(Uint8Array.of(n, 2)),
    oldOrigin: numbered(n),
  };
}
