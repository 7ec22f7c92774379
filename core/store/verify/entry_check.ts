/**
 * Compares the state of a commit with those of its parents: what its entries say of the commits that
 * wrote and added them, and its change list. Where the parents are in order, so is then the whole
 * history of every entry.
 *
 * @module
 */

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

/** Nodes looked up in one wave. */
const WAVE_NODES = 500;

/** A node that a commit and its parents do not all hold alike. */
interface Compared {
  readonly id: string;
  readonly own: Entry | null;
  /** In the order of the parents. */
  readonly before: readonly (Entry | null)[];
}

/** What a commit changed against its first parent. */
export interface ObjectEdit {
  /** The node id. */
  readonly id: string;
  /** The object that it has now; null: none. */
  readonly object: Uint8Array | null;
}

/** What comparing a commit with its parents came to. */
export interface EntryComparison {
  /** What it changed, in id order. */
  readonly edits: readonly ObjectEdit[];
  /** Tells what is wrong; of no worth where the state itself is. */
  readonly tell: (faults: FaultList) => void;
}

/** Compares a commit, whose own tree and those of all parents are in order. */
export async function compareEntries(
  chunks: ChunkReader,
  row: CommitRow,
  parents: readonly CommitRow[],
  self: Origin,
): Promise<EntryComparison> {
  const changes = new ListedChanges(row);
  const origins = new StatedOrigins(row, self);
  const edits: ObjectEdit[] = [];
  for await (const compared of compare(chunks, row, parents)) {
    const { id, own, before: [first = null] } = compared;
    origins.check(compared);
    if (sameObject(own, first)) continue;
    changes.expect(id, own, first);
    edits.push({ id, object: own?.object ?? null });
  }
  return {
    edits,
    tell: (faults) => {
      origins.tell(faults);
      changes.tell(faults);
    },
  };
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
  for (let at = 0; at < sorted.length; at += WAVE_NODES) {
    const wave = sorted.slice(at, at + WAVE_NODES);
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

/**
 * The origins that entries state. An entry keeps that of the first parent with its object, and the
 * earliest birth of all parents (FORMAT.md, M3 and M4).
 */
class StatedOrigins {
  readonly #name: string;
  readonly #self: Origin;
  #first: string | undefined;
  #wrong = 0;

  constructor({ commit }: CommitRow, self: Origin) {
    this.#name = `commit ${commit.id}`;
    this.#self = self;
  }

  check({ id, own, before }: Compared): void {
    if (own === null) return;
    const held = before.filter((entry) => entry !== null);
    const same = held.find((entry) => sameId(entry.object, own.object));
    const changed = same?.changed ?? this.#self;
    const [born = this.#self] = held.map((entry) => entry.born).sort(byBirth);
    const node = `Node ${quote(id)} of ${this.#name}`;
    if (own.changed.commit !== changed.commit) {
      this.#add(
        `${node} is said to be written by commit ${own.changed.commit}, and was by ${changed.commit}`,
      );
    } else if (own.born.commit !== born.commit) {
      this.#add(
        `${node} is said to be added by commit ${own.born.commit}, and was by ${born.commit}`,
      );
    }
  }

  tell(faults: FaultList): void {
    if (this.#first === undefined) return;
    const others = this.#wrong - 1;
    const more = others === 0 ? "" : `; ${others} more of its nodes are alike`;
    faults.add("origin", this.#first + more);
  }

  #add(what: string): void {
    this.#first ??= what;
    this.#wrong++;
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

  /** The next change that there is. */
  expect(id: string, own: Entry | null, before: Entry | null): void {
    if (this.#listed === null) return;
    const listed = this.#listed[this.#next++];
    const isSame = listed !== undefined && listed.id === id &&
      sameOrNone(listed.object, own?.object) &&
      sameOrNone(listed.old, before?.object) &&
      sameOrigins(listed.oldOrigin, before?.changed ?? null);
    if (!isSame) this.#wrong ??= id;
  }

  /** After the last change. */
  tell(faults: FaultList): void {
    const wrong = this.#wrong ?? this.#listed?.[this.#next]?.id;
    if (wrong === undefined) return;
    const what = "is not what differs from its first parent";
    faults.add("changes", `${this.#name} ${what}, at node ${quote(wrong)}`);
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
