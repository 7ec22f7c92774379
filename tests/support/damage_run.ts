/**
 * Random damage to the rows of a store: all of it is found, but for what is no damage.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Key, Row } from "../../core/storage/driver.ts";
import { describeKey } from "../../core/storage/row.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import type { MemoryKv } from "./memory_kv.ts";
import { Chance } from "./tree_cases.ts";

/** What happens to a row. */
export type Damage = "flip" | "cut" | "zero" | "swap" | "move" | "lose";

const DAMAGES: readonly Damage[] = [
  "flip",
  "flip",
  "flip",
  "cut",
  "zero",
  "swap",
  "move",
  "lose",
];

/**
 * Whether the loss of a row of a rich store is none: a branch that HEAD is not on may have been
 * deleted, a staged change unstaged, and a request may never have been made. Any other row of it is
 * named by something.
 */
export function isNoDamage({ key }: Row): boolean {
  return key[0] === "r" && key[1] !== "main" || key[0] === "s" ||
    key[0] === "k" && key.length === 3;
}

/** What was found, by the head of the row and what happened to it. */
export type Found = ReadonlyMap<string, number>;

/**
 * Damages one row of a database so many times, each time as it was before. Fails where nothing is
 * found, unless `isNone` says that the row may as well not be there.
 */
export async function runDamage(
  kv: MemoryKv,
  { seed, trials, isNone }: {
    readonly seed: number;
    readonly trials: number;
    readonly isNone: (row: Row) => boolean;
  },
): Promise<Found> {
  const chance = new Chance(seed);
  const found = new Map<string, number>();
  await using store = await openStoreOn(kv.open());
  const rows = kv.rows();
  // Each kind of row as often as another, or nodes alone would be hit.
  const kinds = [...Map.groupBy(rows, ({ key }) => key[0]).values()];
  for (let trial = 0; trial < trials; trial++) {
    const row = chance.pick(chance.pick(kinds));
    const other = chance.pick(rows.filter(({ key }) => key[0] === row.key[0]));
    const damage = chance.pick(DAMAGES);
    const what = `seed ${seed}, trial ${trial}: ${damage} ${
      describeKey(row.key)
    }`;
    const undo = inflict(kv, chance, { damage, row, other });
    if (undo === undefined) continue;
    const { faults } = await store.verify();
    undo();
    if (damage === "lose" && isNone(row)) {
      assert.deepEqual(faults, [], what);
      continue;
    }
    assert.ok(faults.length > 0, `nothing found: ${what}`);
    const name = `${String(row.key[0])} ${damage}`;
    found.set(name, 1 + (found.get(name) ?? 0));
  }
  assert.deepEqual((await store.verify()).faults, [], "in order again");
  return found;
}

/** Damages a row; returns what takes that back, undefined where the row has nothing to damage. */
function inflict(
  kv: MemoryKv,
  chance: Chance,
  { damage, row, other }: {
    readonly damage: Damage;
    readonly row: Row;
    readonly other: Row;
  },
): (() => void) | undefined {
  const { key, value } = row;
  const back = () => kv.put(key, value);
  const now = value.slice();
  switch (damage) {
    case "lose":
      kv.remove(key);
      return back;
    case "move": {
      const moved = flippedKey(chance, key);
      if (moved === undefined) return undefined;
      kv.remove(key);
      kv.put(moved, value);
      return () => (kv.remove(moved), back());
    }
    case "swap":
      if (describeKey([value]) === describeKey([other.value])) return undefined;
      kv.put(key, other.value);
      kv.put(other.key, value);
      return () => (back(), kv.put(other.key, other.value));
    case "cut":
      if (value.length === 0) return undefined;
      kv.put(key, value.subarray(0, chance.below(value.length)));
      return back;
    case "zero": {
      const from = chance.below(value.length + 1);
      now.fill(0, from, from + 1 + chance.below(64));
      break;
    }
    case "flip":
      if (value.length === 0) return undefined;
      now[chance.below(value.length)]! ^= 1 << chance.below(8);
  }
  if (describeKey([now]) === describeKey([value])) return undefined;
  kv.put(key, now);
  return back;
}

/** The key with a flipped bit in its bytes; undefined if it has none. */
function flippedKey(chance: Chance, key: Key): Key | undefined {
  const places = key.flatMap((part, i) => typeof part === "string" ? [] : [i]);
  if (places.length === 0) return undefined;
  const place = chance.pick(places);
  return key.map((part, i) => {
    if (i !== place || typeof part === "string") return part;
    const moved = part.slice();
    moved[chance.below(moved.length)]! ^= 1 << chance.below(8);
    return moved;
  });
}
