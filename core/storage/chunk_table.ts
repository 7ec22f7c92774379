/**
 * The table of a chunk record (FORMAT.md, "Chunk records"): what many items of a chunk have in
 * common, the commits behind its values or the packs of its children, and which item has which.
 *
 * @module
 */

import type { Cast, Mould } from "../state/chunk.ts";

const NONE = 0xffffffff;

/** A table without doubles and without what no item has, which follows the revisions of a chunk. */
export class ChunkTable<T> {
  /** What is in the table. */
  readonly items: T[] = [];
  /** For each use, the place in the table. */
  readonly uses: Uint32Array;
  // The entries or children whose uses these are.
  #followed: readonly unknown[] | undefined;
  readonly #names: string[] = [];
  readonly #places = new Map<string, number>();
  readonly #codes: (Uint8Array | undefined)[] = [];

  /** Makes an empty table for a number of uses. */
  constructor(uses: number) {
    this.uses = new Uint32Array(uses).fill(NONE);
  }

  /** Lets a use have an item, which its name tells from others. */
  set(use: number, name: string, item: T): void {
    const old = this.uses[use]!;
    if (this.#names[old] === name) return;
    let place = this.#places.get(name);
    if (place === undefined) {
      this.uses[use] = NONE;
      const isFree = old !== NONE && !this.uses.includes(old);
      if (isFree) this.#places.delete(this.#names[old]!);
      place = isFree ? old : this.items.length;
      this.items[place] = item;
      this.#names[place] = name;
      this.#codes[place] = undefined;
      this.#places.set(name, place);
    }
    this.uses[use] = place;
  }

  /** The bytes of the item at a place, made once. */
  code(place: number, encode: (item: T) => Uint8Array): Uint8Array {
    return this.#codes[place] ??= encode(this.items[place]!);
  }

  /** Sets the uses of all items of a chunk: of those that differ, where the chunk before was followed. */
  follow(
    cast: Cast | undefined,
    items: readonly unknown[],
    set: (place: number) => void,
  ): void {
    if (items === this.#followed) return;
    if (cast !== undefined && cast.items === this.#followed) {
      for (const place of cast.places) set(place);
    } else {
      this.#clear();
      for (let place = 0; place < items.length; place++) set(place);
    }
    this.#followed = items;
  }

  #clear(): void {
    this.uses.fill(NONE);
    this.#places.clear();
    for (const list of [this.items, this.#names, this.#codes]) list.length = 0;
  }
}

/** Tables by the moulds of chunks; gone when the last chunk of a mould is. */
export class ChunkTables<T> {
  readonly #tables = new WeakMap<Mould, ChunkTable<T>>();

  /** The table of a chunk's mould, or a new one. */
  of(cast: Cast | undefined, uses: number): ChunkTable<T> {
    const known = cast && this.#tables.get(cast.mould);
    const table = known ?? new ChunkTable<T>(uses);
    if (cast !== undefined && known === undefined) {
      this.#tables.set(cast.mould, table);
    }
    return table;
  }
}
