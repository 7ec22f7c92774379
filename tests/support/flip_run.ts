/**
 * Flips bits of a database one at a time, and asks after each what there is to ask.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Key, Row } from "../../core/storage/driver.ts";
import { describeKey } from "../../core/storage/row.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { type Answer, askAll, everyRow, ROW_KINDS } from "./every_row.ts";
import { Chance } from "./tree_cases.ts";

/** What came of some flips. */
export interface FlipCounts {
  /** Bits flipped, each in a database that was in order. */
  flips: number;
  /** Of those, the ones that `verify` names a fault for. */
  found: number;
  /** The others: with them all answers are as they were. */
  notPartOfAnyAnswer: number;
  /** Questions that were answered, and otherwise than before. */
  wrongAnswers: number;
  /** Questions that were refused, with `corrupt_store`. */
  refusals: number;
  /** Kinds of rows that were hit. */
  kinds: number;
  /** Of the flips those of keys, of rows that have no value: marks of removals, which were moved so. */
  marksMoved: number;
  /** Questions for the versions of a removed node that did without its mark. */
  historiesCutShort: number;
}

/**
 * Flips so many bits, as many in rows of each kind. Fails over a flip that is neither found nor without
 * effect, over an answer that is another, and over an error of another code. A mark of a removal is all
 * key: without it, which `verify` tells, the versions of its node begin with what came before.
 */
export async function runFlips(
  { seed, flips }: { readonly seed: number; readonly flips: number },
): Promise<FlipCounts> {
  const kv = await everyRow();
  const rows = Map.groupBy(kv.rows(), ({ key }) => String(key[0]));
  assert.deepEqual([...rows.keys()].sort(), [...ROW_KINDS].sort());
  const before = await askAll(kv);
  assert.deepEqual(await askAll(kv), before, "the same twice");
  await using store = await openStoreOn(kv.open());
  assert.deepEqual((await store.verify()).faults, []);
  const chance = new Chance(seed);
  const counts = {
    flips: 0,
    found: 0,
    notPartOfAnyAnswer: 0,
    wrongAnswers: 0,
    refusals: 0,
    kinds: 0,
    marksMoved: 0,
    historiesCutShort: 0,
  };
  const hit = new Set<string>();
  for (; counts.flips < flips; counts.flips++) {
    const kind = ROW_KINDS[counts.flips % ROW_KINDS.length]!;
    const row = chance.pick(rows.get(kind) ?? []);
    const flipped = flipRow(row, chance);
    const what = `seed ${seed}, flip ${counts.flips}: ${flipped.what} of ${
      describeKey(row.key).slice(0, 80)
    }`;
    kv.remove(row.key);
    kv.put(flipped.key, flipped.value);
    const { faults } = await store.verify();
    const after = await askAll(kv);
    kv.remove(flipped.key);
    kv.put(row.key, row.value);
    hit.add(kind);
    if (faults.length > 0) counts.found++;
    else counts.notPartOfAnyAnswer++;
    const { refused, others } = compare(before, after, what);
    const isMark = row.value.length === 0;
    const wrong = others.filter((name) => !isMark || !/^versions/.test(name));
    counts.marksMoved += isMark ? 1 : 0;
    counts.historiesCutShort += others.length - wrong.length;
    counts.refusals += refused;
    counts.wrongAnswers += wrong.length;
    assert.deepEqual(wrong, [], what);
    assert.ok(faults.length > 0 || refused === 0, `nothing found: ${what}`);
  }
  assert.deepEqual(await askAll(kv), before, "as before again");
  counts.kinds = hit.size;
  return counts;
}

function compare(
  before: ReadonlyMap<string, Answer>,
  after: ReadonlyMap<string, Answer>,
  what: string,
): { readonly refused: number; readonly others: readonly string[] } {
  const others: string[] = [];
  let refused = 0;
  for (const [question, answer] of after) {
    const was = before.get(question)!;
    if (JSON.stringify(was) === JSON.stringify(answer)) continue;
    if ("text" in answer) others.push(question);
    else {
      assert.equal(answer.code, "corrupt_store", `${question}, ${what}`);
      refused++;
    }
  }
  return { refused, others };
}

/** A bit of the value; of the key's bytes where there is no value. */
function flipRow(
  { key, value }: Row,
  chance: Chance,
): { readonly key: Key; readonly value: Uint8Array; readonly what: string } {
  if (value.length > 0) {
    const bit = chance.below(value.length * 8);
    return { key, value: flipBit(value, bit), what: `bit ${bit}` };
  }
  const last = key.at(-1);
  assert.ok(last instanceof Uint8Array);
  const bit = chance.below(last.length * 8);
  const moved = [...key.slice(0, -1), flipBit(last, bit)];
  return { key: moved, value, what: `bit ${bit} of the key` };
}

function flipBit(bytes: Uint8Array, bit: number): Uint8Array {
  const flipped = bytes.slice();
  flipped[bit >> 3]! ^= 1 << (bit & 7);
  return flipped;
}
