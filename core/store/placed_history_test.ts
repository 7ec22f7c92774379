/**
 * Trees that come of each other as commits make them: each chunk of each of them is what its record
 * says, and each entry has the origin that a plain model gives it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { trials } from "../../tests/support/trials.ts";
import {
  Chance,
  editModel,
  entryOf,
  originOf,
  randomEdits,
  randomModel,
  sortedEntries,
} from "../../tests/support/tree_cases.ts";
import { CborReader } from "../object/cbor_reader.ts";
import { applyEdits } from "../state/apply_edits.ts";
import { buildTree } from "../state/build_tree.ts";
import {
  type Chunk,
  type ChunkRef,
  type ChunkSource,
  type Entry,
  isLeaf,
  type Origin,
  SELF,
} from "../state/chunk.ts";
import { readRange } from "../state/read_range.ts";
import type { TreeEdit } from "../state/touched_chunks.ts";
import { addressOf, decodeChunk } from "../storage/chunk_record.ts";
import { placeChunks } from "./place_chunks.ts";

const HISTORIES = 60;
const COMMITS = 25;

/** A tree with what it must hold. */
interface Tip {
  readonly root: ChunkRef;
  readonly model: ReadonlyMap<string, Entry>;
}

/** What was placed, by address. */
class Placed implements ChunkSource {
  readonly #chunks = new Map<string, Chunk>();
  readonly #ahead: { readonly ref: ChunkRef; readonly record: Uint8Array }[] =
    [];

  /** Places a tree; each record reads back as its chunk, cast aside. */
  place(root: ChunkRef, pack: string, self: Origin | undefined): ChunkRef {
    const places = { pack, self, part: 0, partBytesMax: Infinity };
    const state = placeChunks(root, places);
    for (const { address, chunk, record } of state.placed) {
      const { id, level, count } = chunk;
      const ref = { key: "", id, level, count, at: address };
      assert.deepEqual(inside(decodeChunk(record, places, ref)), inside(chunk));
      assert.equal(tableSize(record), inCommon(chunk).size);
      this.#chunks.set(JSON.stringify(address), chunk);
      if (self === undefined) this.#ahead.push({ ref, record });
    }
    return state.root;
  }

  /** What was placed ahead is read, from now on, as that of its commit. */
  land(self: Origin): void {
    for (const { ref, record } of this.#ahead.splice(0)) {
      const { pack } = addressOf(ref);
      const chunk = decodeChunk(record, { self, pack }, ref);
      this.#chunks.set(JSON.stringify(ref.at), chunk);
    }
  }

  read(refs: readonly ChunkRef[]): Promise<readonly Chunk[]> {
    return Promise.resolve(refs.map(({ at }) => {
      const found = this.#chunks.get(JSON.stringify(at));
      if (!found) throw new Error(`${JSON.stringify(at)} was not placed`);
      return found;
    }));
  }
}

/** How many commits or packs a record has in its table. */
function tableSize(record: Uint8Array): number {
  const reader = new CborReader(record);
  reader.readArrayHead();
  reader.readUint();
  return reader.readArrayHead();
}

/** The commits or packs that a chunk has to do with. */
function inCommon(chunk: Chunk): Set<string> {
  return new Set(
    isLeaf(chunk)
      ? chunk.entries.flatMap(({ changed, born }) => [
        changed.commit,
        born.commit,
      ])
      : chunk.children.map((child) => addressOf(child).pack),
  );
}

function inside(chunk: Chunk): readonly unknown[] {
  const items = isLeaf(chunk) ? chunk.entries : chunk.children;
  return [chunk.level, chunk.count, chunk.id, items];
}

Deno.test("placeChunks() of trees that come of each other keeps every origin, whatever became of the plans between", async () => {
  for (let seed = 1; seed <= trials(HISTORIES); seed++) {
    const chance = new Chance(seed);
    const placed = new Placed();
    const tips = [firstTip(chance, placed)];
    for (let turn = 2; turn <= COMMITS; turn++) {
      const tip = chance.pick(tips);
      const edits = editsOf(chance, tip.model, turn);
      const self = originOf(turn);
      let root = (await applyEdits(placed, tip.root, edits)).root;
      // A plan that comes to nothing, and one whose chunks went ahead of its commit.
      const kind = chance.below(4);
      const lost = originOf(1_000 + turn);
      if (kind === 0) placed.place(root, lost.commit, lost);
      if (kind === 1) {
        root = placed.place(root, originOf(2_000 + turn).commit, undefined);
        const more = editsOf(chance, tip.model, turn).filter(({ id }) =>
          edits.every((edit) => edit.id !== id)
        );
        edits.push(...more);
        root = (await applyEdits(placed, root, more)).root;
      }
      root = placed.place(root, self.commit, self);
      placed.land(self);
      const model = editModel(tip.model, edits.map((edit) => own(edit, self)));
      await check({ root, model }, placed, `seed ${seed}, commit ${turn}`);
      tips.push({ root, model });
    }
  }
});

function firstTip(chance: Chance, placed: Placed): Tip {
  const model = randomModel(chance, chance.pick([3, 40, 400]));
  const { root } = buildTree(sortedEntries(model));
  const self = originOf(0);
  return { root: placed.place(root, self.commit, self), model };
}

/** Mostly revisions, as in life. */
function editsOf(
  chance: Chance,
  model: ReadonlyMap<string, Entry>,
  turn: number,
): TreeEdit[] {
  const present = sortedEntries(model);
  const edits = chance.below(3) > 0 && present.length > 0
    ? [chance.pick(present), chance.pick(present)].map(({ id, born }) => ({
      id,
      entry: { ...entryOf(id, `turn ${turn}`, SELF), born },
    }))
    : randomEdits(chance, model, { bits: 5, turn }).map(({ id, entry }) => ({
      id,
      entry: entry && { ...entry, changed: SELF, born: SELF },
    }));
  const byId = new Map(edits.map((edit) => [edit.id, edit]));
  return sortedEdits([...byId.values()]);
}

function sortedEdits(edits: readonly TreeEdit[]): TreeEdit[] {
  const entries = edits.map((edit) => ({ ...entryOf(edit.id), edit }));
  const sorted = sortedEntries(new Map(entries.map((one) => [one.id, one])));
  const byId = new Map(edits.map((edit) => [edit.id, edit]));
  return sorted.map(({ id }) => byId.get(id)!);
}

/** An edit with the origin that its commit gives it. */
function own({ id, entry }: TreeEdit, self: Origin): TreeEdit {
  const settle = (origin: Origin) => origin === SELF ? self : origin;
  return {
    id,
    entry: entry && {
      ...entry,
      changed: settle(entry.changed),
      born: settle(entry.born),
    },
  };
}

async function check(
  { root, model }: Tip,
  source: ChunkSource,
  what: string,
): Promise<void> {
  const entries: Entry[] = [];
  for await (const entry of readRange(source, root)) entries.push(entry);
  const expected = sortedEntries(model);
  assert.deepEqual(
    entries.map(({ id, changed, born }) => [id, changed.commit, born.commit]),
    expected.map(({ id, changed, born }) => [id, changed.commit, born.commit]),
    what,
  );
  assert.deepEqual(root.id, buildTree(expected).root.id, what);
}
