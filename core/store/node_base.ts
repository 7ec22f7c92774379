/**
 * Finds what two commits started from, node by node. Where they have several merge bases that hold
 * different values, the base is the value that would win if the bases themselves were merged
 * (FORMAT.md, "Merges"). The answer depends neither on the side nor on the order of the bases.
 *
 * @module
 */

import { mergeBases } from "../history/merge_base.ts";
import type { ChunkSource, Entry } from "../state/chunk.ts";
import { readEntries } from "../state/read_entry.ts";
import {
  type Base,
  mergeThree,
  sameObject,
  shownBase,
} from "../state/three_way.ts";
import type { CommitRow } from "../storage/commit_row.ts";
import type { StoreReader } from "../storage/store_reader.ts";
import type { Reconciler } from "./reconcile.ts";

/** What base finding reads from. */
export interface BaseGround {
  /** Reads commits. */
  readonly reader: StoreReader;
  /** Reads chunks. */
  readonly chunks: ChunkSource;
  /** Decides between two entries of the same content. */
  readonly reconciler: Reconciler;
}

/** Finds the bases of nodes for pairs of commits. */
export class NodeBases {
  readonly #ground: BaseGround;
  // By pair of commits: their merge bases; by pair and node: the base.
  readonly #bases = new Map<string, Promise<CommitRow[]>>();
  readonly #found = new Map<string, Promise<Base>>();

  /** Finds bases of commits of one store. */
  constructor(ground: BaseGround) {
    this.#ground = ground;
  }

  /** The merge bases of two commits. */
  mergeBases(a: CommitRow, b: CommitRow): Promise<CommitRow[]> {
    const name = pairOf(a, b);
    const bases = this.#bases.get(name) ??
      mergeBases(this.#ground.reader, a, b);
    this.#bases.set(name, bases);
    return bases;
  }

  /** The bases of some nodes for two commits, in the order of the ids. */
  async of(
    a: CommitRow,
    b: CommitRow,
    ids: readonly string[],
  ): Promise<Map<string, Base>> {
    const bases = await this.mergeBases(a, b);
    const held = await Promise.all(
      bases.map((base) => readEntries(this.#ground.chunks, base.root, ids)),
    );
    const found = new Map<string, Base>();
    for (const id of ids) {
      const values = held.map((entries) => entries.get(id) ?? null);
      found.set(id, await this.#decide(bases, values, id));
    }
    return found;
  }

  async #decide(
    bases: readonly CommitRow[],
    values: readonly (Entry | null)[],
    id: string,
  ): Promise<Base> {
    const [first = null, ...rest] = values;
    if (rest.every((value) => sameObject(value, first))) {
      return { is: "value", entry: first };
    }
    for (const i of bases.keys()) {
      if (await this.#wins(bases, values, i, id)) {
        return { is: "value", entry: values[i] ?? null };
      }
    }
    return { is: "conflict", shown: await this.#shown(bases, values, id) };
  }

  /** Whether a value is the result against every base that holds another one. */
  async #wins(
    bases: readonly CommitRow[],
    values: readonly (Entry | null)[],
    i: number,
    id: string,
  ): Promise<boolean> {
    const own = values[i] ?? null;
    for (const [j, other] of values.entries()) {
      if (sameObject(own, other)) continue;
      const base = await this.#between(bases[i]!, bases[j]!, id);
      const result = mergeThree(base, own, other);
      if (result === "ours") continue;
      if (result === "theirs" || own === null || other === null) return false;
      if (await this.#ground.reconciler.pick(own, other) !== own) return false;
    }
    return true;
  }

  /** The one value that the differing bases' own bases agree on, else null. */
  async #shown(
    bases: readonly CommitRow[],
    values: readonly (Entry | null)[],
    id: string,
  ): Promise<Entry | null> {
    const shown: (Entry | null)[] = [];
    for (const [i, own] of values.entries()) {
      for (let j = i + 1; j < values.length; j++) {
        if (sameObject(own, values[j] ?? null)) continue;
        shown.push(shownBase(await this.#between(bases[i]!, bases[j]!, id)));
      }
    }
    const [first = null, ...rest] = shown;
    return rest.every((value) => sameObject(value, first)) ? first : null;
  }

  #between(a: CommitRow, b: CommitRow, id: string): Promise<Base> {
    const name = `${pairOf(a, b)} ${id}`;
    const found = this.#found.get(name) ??
      this.of(a, b, [id]).then((bases) => bases.get(id)!);
    this.#found.set(name, found);
    return found;
  }
}

function pairOf(a: CommitRow, b: CommitRow): string {
  const [x, y] = [a.commit.id, b.commit.id];
  return x < y ? `${x} ${y}` : `${y} ${x}`;
}
