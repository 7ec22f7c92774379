/**
 * Puts any number of items in the order of their names, in bounded memory: runs are sorted at hand and
 * written to a file where they are too many, then merged.
 *
 * @module
 */

import {
  compareItems,
  ITEM_HEAD_BYTES,
  itemBytes,
  type ItemCursor,
  itemOf,
  ITEMS_MAX,
  PlaceCursor,
  type SortedItem,
  sortPlaces,
  writeItemHead,
} from "./item_bytes.ts";
import { type Run, RunMerge } from "./run_merge.ts";
import type { ScratchFile, ScratchFolder } from "./scratch_folder.ts";

/** Bytes of items that are kept at hand. */
const RUN_BYTES = 4 * 1024 * 1024;

const NOTHING = new Uint8Array();

/** Items that are sorted. */
export class Sorter {
  readonly #scratch: ScratchFolder;
  readonly #runBytes: number;
  #file: ScratchFile | undefined;
  readonly #runs: Run[] = [];
  // As large as it may become: the system gives memory where it is written to.
  #bytes: Uint8Array;
  #length = 0;
  #places = new Float64Array(1024);
  #count = 0;
  #isOrdered = true;

  /** Sorts with the help of a folder; `runBytes` are kept at hand. */
  constructor(
    scratch: ScratchFolder,
    options: { readonly runBytes?: number } = {},
  ) {
    this.#scratch = scratch;
    this.#runBytes = options.runBytes ?? RUN_BYTES;
    this.#bytes = new Uint8Array(this.#runBytes);
  }

  /** Adds an item, by copying it; the value may come in two parts. */
  add(
    name: Uint8Array,
    tag: number,
    value: Uint8Array,
    more: Uint8Array = NOTHING,
  ): void {
    const valueBytes = value.length + more.length;
    const size = ITEM_HEAD_BYTES + name.length + valueBytes;
    const isFull = this.#count > 0 && this.#length + size > this.#runBytes;
    if (isFull || this.#count === ITEMS_MAX) this.#spill();
    this.#reserve(size);
    const bytes = this.#bytes;
    const at = this.#length;
    const place = writeItemHead(bytes, at, { name, tag, valueBytes });
    bytes.set(value, place);
    bytes.set(more, place + value.length);
    this.#isOrdered &&= this.#count === 0 ||
      compareItems(bytes, this.#places[this.#count - 1]!, at) <= 0;
    this.#places[this.#count++] = at;
    this.#length = at + size;
  }

  /** Every item in order; equal ones in the order in which they were added. */
  *sorted(): Generator<SortedItem> {
    const cursor = this.cursor();
    while (cursor.step()) yield itemOf(cursor);
  }

  /** The same, without an object for each. */
  cursor(): ItemCursor {
    if (this.#runs.length === 0) {
      return new PlaceCursor(this.#bytes, this.#sortedPlaces().values());
    }
    this.#spill();
    return new RunMerge(this.#file!, this.#runs);
  }

  #spill(): void {
    if (this.#count === 0) return;
    const file = this.#file ??= this.#scratch.file();
    const start = file.size;
    for (const place of this.#sortedPlaces()) {
      file.append(
        this.#bytes.subarray(place, place + itemBytes(this.#bytes, place)),
      );
    }
    this.#runs.push({ start, end: file.size });
    // A single large item may have needed more.
    if (this.#bytes.length > this.#runBytes) {
      this.#bytes = new Uint8Array(this.#runBytes);
    }
    this.#length = this.#count = 0;
    this.#isOrdered = true;
  }

  #sortedPlaces(): Float64Array {
    const places = this.#places.subarray(0, this.#count);
    return this.#isOrdered ? places : sortPlaces(this.#bytes, places);
  }

  #reserve(size: number): void {
    // One item alone may be larger.
    if (this.#length + size > this.#bytes.length) {
      this.#bytes = new Uint8Array(size);
    }
    if (this.#count === this.#places.length) {
      const grown = new Float64Array(this.#count * 2);
      grown.set(this.#places);
      this.#places = grown;
    }
  }
}
