/**
 * Who chooses node ids chooses where chunks begin: ids that avoid every border, and ids that are
 * nothing but borders. Both cost more than others, and both work.
 *
 * @module
 */

import assert from "node:assert/strict";
import { blake3 } from "@noble/hashes/blake3.js";
import { ATOMIC_BYTES_MAX } from "../../core/limits.ts";
import { levelOf } from "../../core/state/boundary.ts";
import {
  mineIds,
  piecesOf,
  runCrafted,
  TALL_IDS,
} from "../support/crafted_run.ts";
import { MemoryKv } from "../support/memory_kv.ts";

const SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 5);

Deno.test("ids that start no chunk make one leaf, larger than any atomic write, and all works", async () => {
  const kv = new MemoryKv();
  // Above 1,024 entries the tree alone makes the id of a state.
  const ids = mineIds({ seed: SEED, count: 1_100, level: 0, bytes: 1_000 });
  const cost = await runCrafted(() => kv.open(), ids);
  assert.ok(cost.bytesSet > ATOMIC_BYTES_MAX, `${cost.bytesSet} bytes`);
  // The branch, the commit, the node, and two rows of a pack, whose pieces were written ahead.
  const { rows, writes } = piecesOf(cost.bytesSet);
  assert.ok(cost.rowsSet <= 5 + rows, JSON.stringify(cost));
  assert.ok(cost.writeRounds <= 4 + 2 * writes, JSON.stringify(cost));
  assert.ok(cost.readRounds <= 6, JSON.stringify(cost));
});

Deno.test("ids that start chunks on every level make a tall tree of single children, and all works", async () => {
  const zeros = (id: string) => {
    const bits = [...blake3(new TextEncoder().encode(id))].map((byte) =>
      byte.toString(2).padStart(8, "0")
    );
    return bits.join("").indexOf("1");
  };
  for (const id of TALL_IDS) {
    assert.equal(levelOf(id), Math.floor(zeros(id) / 5));
    assert.ok(levelOf(id) >= 4, id);
  }
  const tallest = Math.max(...TALL_IDS.map((id) => levelOf(id)));
  assert.equal(tallest, 7);
  const kv = new MemoryKv();
  const low = mineIds({ seed: SEED, count: 60, level: 1 });
  const cost = await runCrafted(() => kv.open(), [...TALL_IDS, ...low]);
  // HEAD with its branch and its parent; a round for each level down; the node.
  assert.ok(cost.readRounds <= 4 + tallest, JSON.stringify(cost));
  assert.equal(cost.rowsSet, 3);
  assert.ok(cost.writeRounds <= 2 + tallest, JSON.stringify(cost));
});
