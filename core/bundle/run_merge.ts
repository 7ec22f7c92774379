/**
 * Merges sorted runs of a file.
 *
 * @module
 */

import {
  compareItems,
  ITEM_HEAD_BYTES,
  itemBytes,
  type ItemCursor,
} from "./item_bytes.ts";
import type { ScratchFile } from "./scratch_folder.ts";

/** Where in the file the items of one run lie. */
export interface Run {
  /** The first byte. */
  readonly start: number;
  /** The byte after the last. */
  readonly end: number;
}

/** Bytes that all runs together read ahead. */
const AHEAD_BYTES = 1 * 1024 * 1024;
/** Bytes that one run reads ahead, at least and at most. */
const WINDOW_BYTES_MIN = 16 * 1024;
const WINDOW_BYTES_MAX = 512 * 1024;

/** Walks through the items of all runs in order, equal ones in the order of the runs. */
export class RunMerge implements ItemCursor {
  readonly #heap: RunCursor[];
  #isBegun = false;

  /** Stands before the first item. */
  constructor(file: ScratchFile, runs: readonly Run[]) {
    const share = Math.floor(AHEAD_BYTES / runs.length);
    const window = Math.min(
      WINDOW_BYTES_MAX,
      Math.max(WINDOW_BYTES_MIN, share),
    );
    this.#heap = runs.map((run, number) =>
      new RunCursor(file, run, { number, window })
    ).filter((cursor) => cursor.step());
    for (let i = this.#heap.length >> 1; i >= 0; i--) sink(this.#heap, i);
  }

  /** The bytes that the item lies in. */
  get bytes(): Uint8Array {
    return this.#heap[0]!.bytes;
  }

  /** Where it begins. */
  get place(): number {
    return this.#heap[0]!.place;
  }

  /** Goes to the next item; false after the last. */
  step(): boolean {
    const heap = this.#heap;
    if (this.#isBegun) {
      if (!heap[0]!.step()) {
        const last = heap.pop()!;
        if (heap.length > 0) heap[0] = last;
      }
      sink(heap, 0);
    }
    this.#isBegun = true;
    return heap.length > 0;
  }
}

/** Puts an element of a heap to its place among those below it. */
function sink(heap: RunCursor[], from: number): void {
  let at = from;
  for (;;) {
    const left = 2 * at + 1;
    let least = at;
    for (const child of [left, left + 1]) {
      if (child < heap.length && heap[child]!.isBefore(heap[least]!)) {
        least = child;
      }
    }
    if (least === at) return;
    [heap[at], heap[least]] = [heap[least]!, heap[at]!];
    at = least;
  }
}

/** Walks through one run. */
class RunCursor implements ItemCursor {
  readonly #file: ScratchFile;
  readonly #number: number;
  readonly #end: number;
  #bytes: Uint8Array;
  // Where in the file the window begins, and what of it holds bytes.
  #start: number;
  #filled = 0;
  #place = 0;
  #next = 0;

  constructor(
    file: ScratchFile,
    run: Run,
    options: { readonly number: number; readonly window: number },
  ) {
    this.#file = file;
    this.#number = options.number;
    this.#start = run.start;
    this.#end = run.end;
    this.#bytes = new Uint8Array(options.window);
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  get place(): number {
    return this.#place;
  }

  /** Goes to the next item; false after the last. */
  step(): boolean {
    this.#place = this.#next;
    if (this.#start + this.#place >= this.#end) return false;
    this.#need(ITEM_HEAD_BYTES);
    this.#need(itemBytes(this.#bytes, this.#place));
    this.#next = this.#place + itemBytes(this.#bytes, this.#place);
    return true;
  }

  /** Whether its item comes before that of another run. */
  isBefore(other: RunCursor): boolean {
    const order = compareItems(
      this.#bytes,
      this.#place,
      other.#place,
      other.#bytes,
    );
    return order === 0 ? this.#number < other.#number : order < 0;
  }

  /** Makes sure that so many bytes from the place on are in the window. */
  #need(size: number): void {
    if (this.#place + size <= this.#filled) return;
    const old = this.#bytes;
    if (size > old.length) this.#bytes = new Uint8Array(size);
    this.#bytes.set(old.subarray(this.#place, this.#filled));
    this.#filled -= this.#place;
    this.#start += this.#place;
    this.#place = 0;
    const most = Math.min(
      this.#bytes.length,
      this.#end - this.#start,
    );
    this.#file.read(
      this.#start + this.#filled,
      this.#bytes.subarray(this.#filled, most),
    );
    this.#filled = most;
  }
}
