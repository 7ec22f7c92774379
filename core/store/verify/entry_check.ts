/**
 * Compares the state of a commit with those of its parents: what its entries say of the commits that
 * wrote and added them, its change list, and the marks of what it removed. Where the parents are in
 * order, so is then the whole history of every entry.
 *
 * @module
 */

import { shortOf } from "../../object/graph_commit.ts";
import { quote } from "../../object/quote.ts";
import { compareUtf8 } from "../../object/utf8.ts";
import { type Entry, type Origin, sameId } from "../../state/chunk.ts";
import { diffTrees } from "../../state/diff_trees.ts";
import { emptyRoot } from "../../state/make_chunk.ts";
import { readEntries } from "../../state/read_entry.ts";
import { sameObject } from "../../state/three_way.ts";
import type { CommitRow, ListedChange } from "../../storage/commit_row.ts";
import type { ChunkReader } from "./chunk_reader.ts";
import type { FaultList } from "./fault_list.ts";
import type { Packs } from "./packs.ts";
import type { RemovalMarks } from "./removal_marks.ts";

/** Nodes looked up in one wave. */
const WAVE_NODES = 500;

/** A node that a commit and its parents do not all hold alike. */
interface Compared {
  readonly id: string;
  readonly own: Entry | null;
  /** In the order of the parents. */
  readonly before: readonly (Entry | null)[];
}

/** What comparing needs. */
export interface EntryGround {
  /** Reads chunks. */
  readonly chunks: ChunkReader;
  /** Marks of removals. */
  readonly marks: RemovalMarks;
  /** Whose they may be. */
  readonly packs: Packs;
  /** Where faults go. */
  readonly faults: FaultList;
}

/** What a commit changed against its first parent, for the next check. */
export interface ObjectEdit {
  /** The node id. */
  readonly id: string;
  /** The object that it has now; null: none. */
  readonly object: Uint8Array | null;
}

/** Compares a commit, whose own tree and those of all parents are in order. */
export async function checkEntries(
  ground: EntryGround,
  row: CommitRow,
  parents: readonly CommitRow[],
  self: Origin,
): Promise<readonly ObjectEdit[]> {
  const changes = new ListedChanges(row);
  const edits: ObjectEdit[] = [];
  const removed: string[] = [];
  for await (const compared of compare(ground.chunks, row, parents)) {
    const { id, own, before } = compared;
    if (own !== null) checkOrigins(ground.faults, row, compared, self);
    const [first = null] = before;
    if (sameObject(own, first)) continue;
    changes.expect(id, own, first);
    edits.push({ id, object: own?.object ?? null });
    if (own === null) removed.push(id);
  }
  changes.end(ground.faults);
  await checkMarks(ground, row, parents[0], removed);
  return edits;
}

async function checkMarks(
  { chunks, marks, packs }: EntryGround,
  { commit }: CommitRow,
  parent: CommitRow | undefined,
  ids: readonly string[],
): Promise<void> {
  const heldBefore = async (asked: readonly string[]) =>
    parent === undefined
      ? []
      : [...(await readEntries(chunks, parent.root, asked)).keys()];
  await marks.check({
    commit: commit.id,
    packs: packs.of(shortOf(commit.id)),
    ids,
    heldBefore,
  });
}

/** Yields what is not alike, origins included, in id order. */
async function* compare(
  chunks: ChunkReader,
  row: CommitRow,
  parents: readonly CommitRow[],
): AsyncGenerator<Compared> {
  const [first, ...others] = parents;
  const root = first?.root ?? emptyRoot();
  const own = diffTrees(chunks, root, row.root, { origins: true });
  if (others.length === 0) {
    for await (const diff of own) {
      const before = first === undefined ? [] : [diff.old];
      yield { id: diff.id, own: diff.new, before };
    }
    return;
  }
  // Of a merge every parent counts: an entry may be that of the first, and not as another has it.
  const ids = new Set<string>();
  for await (const { id } of own) ids.add(id);
  for (const other of others) {
    const diffs = diffTrees(chunks, other.root, row.root, { origins: true });
    for await (const { id } of diffs) ids.add(id);
  }
  const sorted = [...ids].sort(compareUtf8);
  while (sorted.length > 0) {
    const wave = sorted.splice(0, WAVE_NODES);
    const [mine, ...before] = await Promise.all(
      [row, ...parents].map((one) => readEntries(chunks, one.root, wave)),
    );
    for (const id of wave) {
      yield {
        id,
        own: mine?.get(id) ?? null,
        before: before.map((entries) => entries.get(id) ?? null),
      };
    }
  }
}

/** An entry keeps the origin of the first parent with its object, and the earliest birth of all (FORMAT.md, M3 and M4). */
function checkOrigins(
  faults: FaultList,
  { commit }: CommitRow,
  { id, own, before }: Compared,
  self: Origin,
): void {
  if (own === null) return;
  const held = before.filter((entry) => entry !== null);
  const same = held.find((entry) => sameId(entry.object, own.object));
  const changed = same?.changed ?? self;
  const [born = self] = held.map((entry) => entry.born).sort(byBirth);
  const name = `Node ${quote(id)} of commit ${commit.id}`;
  if (own.changed.commit !== changed.commit) {
    faults.add(
      "origin",
      `${name} is said to be written by commit ${own.changed.commit}, and was by ${changed.commit}`,
    );
  }
  if (own.born.commit !== born.commit) {
    faults.add(
      "origin",
      `${name} is said to be added by commit ${own.born.commit}, and was by ${born.commit}`,
    );
  }
}

function byBirth(a: Origin, b: Origin): number {
  return a.generation - b.generation || a.timeMs - b.timeMs ||
    (a.commit < b.commit ? -1 : 1);
}

/** The change list of a commit, taken off item by item. */
class ListedChanges {
  readonly #name: string;
  readonly #listed: readonly ListedChange[] | null;
  #next = 0;
  #wrong: string | undefined;

  constructor({ commit, changes }: CommitRow) {
    this.#name = `The change list of commit ${commit.id}`;
    this.#listed = changes;
  }

  /** The next change there is. */
  expect(id: string, own: Entry | null, before: Entry | null): void {
    if (this.#listed === null) return;
    const listed = this.#listed[this.#next++];
    const isSame = listed !== undefined && listed.id === id &&
      sameOrNone(listed.object, own?.object) &&
      sameOrNone(listed.old, before?.object) &&
      sameOrigins(listed.oldOrigin, before?.changed ?? null);
    if (!isSame) this.#wrong ??= id;
  }

  /** Tells where the list is wrong, after the last change. */
  end(faults: FaultList): void {
    const extra = this.#listed?.[this.#next];
    const wrong = this.#wrong ?? extra?.id;
    if (wrong === undefined) return;
    faults.add(
      "changes",
      `${this.#name} is not what differs from its first parent, at node ${
        quote(wrong)
      }`,
    );
  }
}

function sameOrNone(a: Uint8Array | null, b: Uint8Array | undefined): boolean {
  return a === null || b === undefined
    ? a === null && b === undefined
    : a.length === 32 && sameId(a, b);
}

function sameOrigins(a: Origin | null, b: Origin | null): boolean {
  return a?.commit === b?.commit && a?.timeMs === b?.timeMs &&
    a?.generation === b?.generation;
}
