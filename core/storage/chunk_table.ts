/**
 * What a chunk record says of its items beside their ids (FORMAT.md, "Chunk records"): a table of what
 * many of them have in common, the commits behind values or the packs of children; and for each its
 * key, its places in the table and what it has alone.
 *
 * @module
 */

import { CborWriter } from "../object/cbor_writer.ts";
import type { Cast, Mould } from "../state/chunk.ts";

const NONE = 0xffffffff;

/** How the items of a chunk are told to a table. */
export interface ItemCode {
  /** Sets the uses of an item. */
  readonly set: (place: number) => void;
  /** Writes an item, once its uses are set. */
  readonly write: (writer: CborWriter, place: number) => void;
}

/** A table without doubles and without what no item has, and the items: both follow the revisions of a chunk. */
export class ChunkTable<T> {
  /** What is in the table. */
  readonly table: T[] = [];
  /** For each use, the place in the table. */
  readonly uses: Uint32Array;
  readonly #names: string[] = [];
  readonly #places = new Map<string, number>();
  readonly #codes: (Uint8Array | undefined)[] = [];
  // How many uses have what is at a place.
  readonly #counts: number[] = [];
  // The entries or children that are told of.
  #items: readonly unknown[] | undefined;
  #code: Uint8Array = new Uint8Array();
  // Where in the code each item begins, and where the last ends.
  readonly #starts: number[] = [];

  /** Makes an empty table for a number of uses. */
  constructor(uses: number) {
    this.uses = new Uint32Array(uses).fill(NONE);
  }

  /** Lets a use have what its name tells from others. */
  set(use: number, name: string, value: T): void {
    const old = this.uses[use]!;
    if (this.#names[old] === name) return;
    if (old !== NONE) this.#counts[old]!--;
    let place = this.#places.get(name);
    if (place === undefined) {
      const isFree = this.#counts[old] === 0;
      if (isFree) this.#places.delete(this.#names[old]!);
      place = isFree ? old : this.table.length;
      this.table[place] = value;
      this.#names[place] = name;
      this.#codes[place] = undefined;
      this.#counts[place] = 0;
      this.#places.set(name, place);
    }
    this.#counts[place]!++;
    this.uses[use] = place;
  }

  /** The bytes of what is at a place, made once. */
  code(place: number, encode: (value: T) => Uint8Array): Uint8Array {
    return this.#codes[place] ??= encode(this.table[place]!);
  }

  /**
   * Returns the bytes of all items of a chunk, good until the next call. Only those that differ are
   * told anew, where the chunk before was told of last.
   */
  follow(
    cast: Cast | undefined,
    items: readonly unknown[],
    code: ItemCode,
  ): Uint8Array {
    if (items === this.#items) return this.#code;
    const isNext = cast?.isOnSettled === true && cast.items === this.#items;
    this.#items = undefined;
    if (!isNext || !this.#revise(cast.places, code)) {
      this.#encode(items.length, code);
    }
    this.#items = items;
    return this.#code;
  }

  /** Tells of some places anew; false where that leaves a gap, in the table or in the code. */
  #revise(places: readonly number[], code: ItemCode): boolean {
    for (const place of places) code.set(place);
    if (this.#counts.includes(0)) return false;
    // Only numbers differ: most are as long as before.
    return places.every((place) => this.#patch(place, code));
  }

  #patch(place: number, { write }: ItemCode): boolean {
    const start = this.#starts[place]!;
    const writer = new CborWriter();
    write(writer, place);
    const fits = start + writer.length === this.#starts[place + 1];
    writer.finishWith((item) => fits && this.#code.set(item, start));
    return fits;
  }

  #encode(count: number, { set, write }: ItemCode): void {
    this.#clear();
    for (let place = 0; place < count; place++) set(place);
    const writer = new CborWriter();
    this.#starts.length = 0;
    for (let place = 0; place < count; place++) {
      this.#starts.push(writer.length);
      write(writer, place);
    }
    this.#starts.push(writer.length);
    this.#code = writer.finish();
  }

  #clear(): void {
    this.uses.fill(NONE);
    this.#places.clear();
    const lists = [this.table, this.#names, this.#codes, this.#counts];
    for (const list of lists) list.length = 0;
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
