/**
 * Node ids that were chosen for where they put the borders of chunks, and a store that must bear them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { importBundle } from "@mnem/core";
import { ROW_VALUE_BYTES_MAX } from "../../core/limits.ts";
import { levelOf } from "../../core/state/boundary.ts";
import type { Driver } from "../../core/storage/driver.ts";
import { exported, streamOf } from "./bundles.ts";
import { checkVerified } from "./check_verified.ts";
import { countedStore, countsOf } from "./counted_store.ts";
import { tempFolder } from "./temp_folder.ts";

/** Ids of level 4 to 7, for each of which a million hashes and more were made. */
export const TALL_IDS: readonly string[] = (
  "tb7ed33 t13f1c25 t73b824a t146064 t2448b8 t2dbc59 t3da031 t47fee0 t4f5553 t56d6a4 t61963a t66c365 t708337 t7133e2 t79c825 t8144b6 tab0233 tbba566 tbf2929 tc38c0e tc6b436 td61e22 td6ae4d tf75495"
).split(" ");

/** What ids to look for. */
export interface Mining {
  /** Ids of the same seed are the same. */
  readonly seed: number;
  /** How many. */
  readonly count: number;
  /** The level that each must have. */
  readonly level: number;
  /** Its bytes; what tells them apart comes first, so that no two share a beginning. */
  readonly bytes?: number;
}

/** Looks for ids of a level: of level 0 no id starts a chunk. */
export function mineIds({ seed, count, level, bytes = 0 }: Mining): string[] {
  const ids: string[] = [];
  for (let trial = 0; ids.length < count; trial++) {
    const id = `${trial.toString(36)}-${seed}-`.padEnd(bytes, "x");
    if (levelOf(id) === level) ids.push(id);
  }
  return ids;
}

/** What a store of crafted ids was seen to cost. */
export interface CraftedCost {
  /** Rows that writing one node sets. */
  readonly rowsSet: number;
  /** Bytes in them. */
  readonly bytesSet: number;
  /** Rounds of that. */
  readonly writeRounds: number;
  /** Rounds of reading one node, with nothing in memory. */
  readonly readRounds: number;
}

/**
 * Does with a database of these ids all that can be done: writes, reads, compares, merges, takes back,
 * verifies, exports and imports. `open` gives a new handle of it.
 */
export async function runCrafted(
  open: () => Driver | Promise<Driver>,
  ids: readonly string[],
): Promise<CraftedCost> {
  const { store, driver } = await countedStore(await open(), {
    create: true,
  });
  const all = ids.map((id, i) => ({ id, content: i }));
  await store.write(all, { message: "all" });
  assert.equal((await store.memory()).size, ids.length);
  const [a, b, c, d] = [0, 1, 2, 3].map((part) =>
    ids[Math.floor(part * ids.length / 4)]!
  );
  await store.createBranch("side");
  const written = await countsOf(
    driver,
    () => store.write([{ id: a!, content: "a" }], { message: "a" }),
  );
  await store.write([{ id: b!, remove: true }], { message: "b" });
  const side = store.on("side");
  await side.write([{ id: c!, content: "c" }], { message: "c" });
  await side.write([{ id: d!, content: "d" }, { id: "plain", content: 1 }], {
    message: "d",
  });
  const merged = await store.merge("side");
  assert.equal(merged.status, "merged");
  assert.deepEqual(new Set(merged.changes.keys()), new Set([c, d, "plain"]));
  const changes = await Array.fromAsync(store.diff("side", "main"));
  assert.deepEqual(
    new Map(changes.map(({ id, kind }) => [id, kind])),
    new Map([[a, "modified"], [b, "removed"]]),
  );
  await store.revert("HEAD~1");
  assert.equal((await store.node(b!))?.content, ids.indexOf(b!));
  assert.equal((await store.blame(a!)).commit.message, "a");
  const half = ids.filter((_, i) => i % 2 === 1);
  await store.write(half.map((id) => ({ id, remove: true })), {
    message: "half",
  });
  assert.equal((await store.memory()).size, ids.length - half.length + 1);
  const { store: cold, driver: counting } = await countedStore(await open());
  const read = await countsOf(counting, async () => {
    const at = await cold.at("HEAD~1");
    assert.equal((await at.node(d!))?.content, "d");
  });
  await checkVerified(cold);
  const text = await exported(cold);
  await using folder = await tempFolder();
  const copy = await importBundle(folder.path, streamOf(text));
  assert.equal(await exported(copy), text);
  await checkVerified(copy);
  for (const one of [store, cold, copy]) await one.close();
  return {
    rowsSet: written.rowsSet,
    bytesSet: written.bytesSet,
    writeRounds: written.rounds,
    readRounds: read.rounds,
  };
}

/** How many rows a value of so many bytes is split into, and the atomic writes that those need. */
export function piecesOf(
  bytes: number,
): { readonly rows: number; readonly writes: number } {
  const rows = Math.ceil(bytes / ROW_VALUE_BYTES_MAX);
  return { rows, writes: Math.ceil(rows / 11) };
}
