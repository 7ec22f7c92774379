/**
 * Random states and edits for tests of the state tree, all from one seed.
 *
 * @module
 */

import type { Entry, Origin } from "../../core/state/chunk.ts";
import type { TreeEdit } from "../../core/state/touched_chunks.ts";
import { levelOf } from "../../core/state/boundary.ts";
import { blake3 } from "../../core/object/hash.ts";
import { compareUtf8, encodeUtf8 } from "../../core/object/utf8.ts";

/** Integers from a seed: the same seed, the same integers. */
export class Chance {
  #state: number;

  /** Starts at a seed, an integer. */
  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** Returns an integer from 0 up to, not including, `n` (mulberry32). */
  below(n: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return Math.floor(((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32 * n);
  }

  /** Returns one of some items. */
  pick<T>(items: readonly T[]): T {
    const place = this.below(items.length);
    for (const item of items.slice(place, place + 1)) return item;
    throw new Error("nothing to pick from");
  }
}

/** Returns an origin that no other number has. */
export function originOf(n: number): Origin {
  const commit = n.toString(16).padStart(32, "0");
  return { commit, timeMs: 1000 * n, generation: n };
}

/** Returns an entry whose object id is the BLAKE3 of a text, by default that of the id. */
export function entryOf(
  id: string,
  value = id,
  origin: Origin = originOf(1),
): Entry {
  const object = blake3(encodeUtf8(value));
  return { id, object, changed: origin, born: origin };
}

/** Returns the entries of a model in the order of the tree. */
export function sortedEntries(model: ReadonlyMap<string, Entry>): Entry[] {
  return [...model.values()].sort((a, b) => compareUtf8(a.id, b.id));
}

// Lengths and scripts mixed so that the three orders (bytewise, length first, JavaScript's) differ:
// U+E000 and U+FF5E sort below an emoji in UTF-8 and above it in UTF-16.
const heads = ["a", "a/", "b", "é", "\ue000", "～", "\uffff", "😀", "😀～"];

/** Returns a random id out of about `9 * span` possible ones, now and then the empty one. */
export function randomId(chance: Chance, span: number): string {
  if (chance.below(100) === 0) return "";
  return chance.pick(heads) + chance.below(span);
}

/** Returns a model of up to `size` entries. */
export function randomModel(chance: Chance, size: number): Map<string, Entry> {
  const model = new Map<string, Entry>();
  for (let i = 0; i < size; i++) {
    const id = randomId(chance, size);
    model.set(id, entryOf(id, String(chance.below(1000)), originOf(i)));
  }
  return model;
}

/** Applies edits to a model. */
export function editModel(
  model: ReadonlyMap<string, Entry>,
  edits: readonly TreeEdit[],
): Map<string, Entry> {
  const next = new Map(model);
  for (const { id, entry } of edits) {
    if (entry === null) next.delete(id);
    else next.set(id, entry);
  }
  return next;
}

/** Returns one batch of random edits of a model, 1 to about 200, of any of the kinds that matter. */
export function randomEdits(
  chance: Chance,
  model: ReadonlyMap<string, Entry>,
  options: { readonly bits: number; readonly turn: number },
): TreeEdit[] {
  const size = chance.pick([1, 1, 1, 2, 5, 20, 200]);
  const present = sortedEntries(model).map(({ id }) => id);
  const edits = new Map<string, TreeEdit>();
  const remove = (id: string) => edits.set(id, { id, entry: null });
  const put = (id: string) => {
    const value = String(chance.below(1000));
    edits.set(id, { id, entry: entryOf(id, value, originOf(options.turn)) });
  };
  const kind = chance.below(12);
  if (kind === 0) {
    // A run of neighbours goes: whole chunks, or all there is.
    const from = chance.below(present.length + 1);
    const to = from + chance.below(present.length + 1);
    for (const id of present.slice(from, to)) remove(id);
  } else if (kind === 1) {
    // Boundaries go: chunks merge, the tree loses levels.
    const share = 1 + chance.below(3);
    for (const id of present) {
      const isBoundary = levelOf(id, options) > 0;
      if (isBoundary && chance.below(share) === 0) remove(id);
    }
  } else if (kind === 2) {
    for (const id of present.slice(0, 1 + chance.below(3))) remove(id);
  } else if (kind === 3) {
    put(chance.pick(["", "!", "#" + chance.below(50), "0"]));
  } else if (kind === 5) {
    // The same again, which changes nothing.
    for (const entry of [...model.values()].slice(0, 5)) {
      edits.set(entry.id, { id: entry.id, entry: { ...entry } });
    }
  }
  for (let i = 0; i < size; i++) {
    const isOld = present.length > 0 && chance.below(2) === 0;
    const id = isOld ? chance.pick(present) : randomId(chance, 40);
    if (kind === 4 || chance.below(3) === 0) remove(id);
    else put(id);
  }
  return [...edits.values()].sort((a, b) => compareUtf8(a.id, b.id));
}
