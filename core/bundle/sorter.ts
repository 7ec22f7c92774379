/**
 * Puts any number of items in the order of their names, in bounded memory: runs are sorted at hand and
 * written to a file where they are too many, then merged.
 *
 * @module
 */

import {
  compareItems,
  ITEM_HEAD_BYTES,
  itemAt,
  itemBytes,
  ITEMS_MAX,
  type SortedItem,
  sortPlaces,
  writeItem,
} from "./item_bytes.ts";
import { mergeRuns, type Run } from "./run_merge.ts";
import type { ScratchFile, ScratchFolder } from "./scratch_folder.ts";

/** Bytes of items that are kept at hand. */
const RUN_BYTES = 16 * 1024 * 1024;

/** Items that are sorted. */
export class Sorter {
  readonly #scratch: ScratchFolder;
  readonly #runBytes: number;
  #file: ScratchFile | undefined;
  readonly #runs: Run[] = [];
  #bytes = new Uint8Array(64 * 1024);
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
  }

  /** Adds an item, by copying it. */
  add(name: Uint8Array, tag: number, value: Uint8Array): void {
    const size = ITEM_HEAD_BYTES + name.length + value.length;
    const isFull = this.#count > 0 && this.#length + size > this.#runBytes;
    if (isFull || this.#count === ITEMS_MAX) this.#spill();
    this.#reserve(size);
    const bytes = this.#bytes;
    const at = this.#length;
    writeItem(bytes, at, { name, tag, value });
    this.#isOrdered &&= this.#count === 0 ||
      compareItems(bytes, this.#places[this.#count - 1]!, at) <= 0;
    this.#places[this.#count++] = at;
    this.#length = at + size;
  }

  /** Every item in order; equal ones in the order in which they were added. */
  *sorted(): Generator<SortedItem> {
    if (this.#runs.length === 0) {
      const places = this.#sortedPlaces();
      for (const place of places) yield itemAt(this.#bytes, place);
      return;
    }
    this.#spill();
    yield* mergeRuns(this.#file!, this.#runs);
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
    this.#length = this.#count = 0;
    this.#isOrdered = true;
  }

  #sortedPlaces(): Float64Array {
    const places = this.#places.subarray(0, this.#count);
    return this.#isOrdered ? places : sortPlaces(this.#bytes, places);
  }

  #reserve(size: number): void {
    if (this.#length + size > this.#bytes.length) {
      const grown = new Uint8Array(
        Math.max(this.#length + size, this.#bytes.length * 2),
      );
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    if (this.#count === this.#places.length) {
      const grown = new Float64Array(this.#count * 2);
      grown.set(this.#places);
      this.#places = grown;
    }
  }
}
