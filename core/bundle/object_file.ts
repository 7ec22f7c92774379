/**
 * Objects in the order of their ids, each found by its id: what a history is made of, while it is
 * built. At hand is one id for some kilobytes of objects.
 *
 * @module
 */

import type { ObjectKind } from "../object/object_fields.ts";
import type { ScratchFile, ScratchFolder } from "./scratch_folder.ts";
import { IdList, isIdAt } from "./id_list.ts";
import {
  ITEM_HEAD_BYTES,
  itemBytes,
  itemOf,
  itemTag,
  PlaceCursor,
  writeItemHead,
} from "./item_bytes.ts";
import { RunMerge } from "./run_merge.ts";
import type { Sorter } from "./sorter.ts";

/** Bytes that are kept at hand before a file is made. */
const AT_HAND_BYTES = 2 * 1024 * 1024;

/** Objects begin within so many bytes of the first of their block. */
const BLOCK_BYTES = 8 * 1024;

/** An object's head, and its id. */
const HEAD_BYTES = ITEM_HEAD_BYTES + 32;

/** What of a block holds the heads of all its objects. */
const HEADS_BYTES = BLOCK_BYTES + HEAD_BYTES;

/** The kinds by the numbers that stand for them. */
export const KIND_TAGS: readonly ObjectKind[] = [
  "memory_node",
  "state",
  "state_index",
  "commit",
];

/** An object that was found. */
export interface FoundObject {
  /** What it is. */
  readonly kind: ObjectKind;
  /** Its canonical bytes, good until the next object is read. */
  readonly bytes: Uint8Array;
  /** Its number in the order of the ids. */
  readonly number: number;
}

/** Objects that are found by their ids. */
export class ObjectFile {
  readonly #scratch: ScratchFolder;
  readonly #atHand: number;
  #file: ScratchFile | undefined;
  readonly #head = new Uint8Array(HEAD_BYTES);
  readonly #block = new Uint8Array(HEADS_BYTES);
  #bytes = new Uint8Array(64 * 1024);
  #size = 0;
  #count = 0;
  // Of each block: the id of its first object, where it begins, and that object's number.
  readonly #firsts = new IdList();
  readonly #starts: number[] = [];
  readonly #numbers: number[] = [];

  /** Makes one of what a sorter holds. */
  static of(sorter: Sorter, scratch: ScratchFolder): ObjectFile {
    const file = new ObjectFile(scratch);
    for (const { name, tag, value } of sorter.sorted()) {
      file.append(name, tag, value);
    }
    return file;
  }

  /** Makes an empty one; `atHand` bytes are kept in memory. */
  constructor(
    scratch: ScratchFolder,
    options: { readonly atHand?: number } = {},
  ) {
    this.#scratch = scratch;
    this.#atHand = options.atHand ?? AT_HAND_BYTES;
  }

  /** How many objects there are. */
  get count(): number {
    return this.#count;
  }

  /** Adds an object; its id must come after all others. */
  append(id: Uint8Array, tag: number, bytes: Uint8Array): void {
    const begun = this.#starts.at(-1);
    if (begun === undefined || this.#size - begun >= BLOCK_BYTES) {
      this.#firsts.push(id);
      this.#starts.push(this.#size);
      this.#numbers.push(this.#count);
    }
    const size = HEAD_BYTES + bytes.length;
    this.#makeRoom(size);
    const head = { name: id, tag, valueBytes: bytes.length };
    if (this.#file === undefined) {
      const place = writeItemHead(this.#bytes, this.#size, head);
      this.#bytes.set(bytes, place);
    } else {
      writeItemHead(this.#head, 0, head);
      this.#file.append(this.#head);
      this.#file.append(bytes);
    }
    this.#size += size;
    this.#count++;
  }

  /** The object of an id; null if there is none. */
  find(id: Uint8Array): FoundObject | null {
    const block = this.#firsts.lastUpTo(id);
    if (block < 0) return null;
    const first = this.#starts[block]!;
    const end = this.#starts[block + 1] ?? this.#size;
    const heads = this.#heads(first, Math.min(end - first, HEADS_BYTES));
    let at = first;
    for (let number = this.#numbers[block]!; at < end; number++) {
      const place = at - first;
      const size = itemBytes(heads, place);
      if (isIdAt(heads, place + ITEM_HEAD_BYTES, id)) {
        const kind = KIND_TAGS[itemTag(heads, place)]!;
        const bytes = this.#read(at + HEAD_BYTES, size - HEAD_BYTES);
        return { kind, bytes, number };
      }
      at += size;
    }
    return null;
  }

  /** Every object in the order of the ids, each good until the next one. */
  *all(): Generator<FoundObject & { readonly id: Uint8Array }> {
    const items = this.#file === undefined
      ? new PlaceCursor(this.#bytes, placesIn(this.#bytes, this.#size))
      : new RunMerge(this.#file, [{ start: 0, end: this.#size }]);
    for (let number = 0; items.step(); number++) {
      const { name, tag, value } = itemOf(items);
      yield { id: name, kind: KIND_TAGS[tag]!, bytes: value, number };
    }
  }

  /** The heads of a block, good until the next block is read. */
  #heads(place: number, size: number): Uint8Array {
    if (this.#file === undefined) return this.#read(place, size);
    const heads = this.#block.subarray(0, size);
    this.#file.read(place, heads);
    return heads;
  }

  /** Bytes of it, good until the next ones are read. */
  #read(place: number, size: number): Uint8Array {
    if (this.#file === undefined) {
      return this.#bytes.subarray(place, place + size);
    }
    if (this.#bytes.length < size) this.#bytes = new Uint8Array(2 * size);
    const bytes = this.#bytes.subarray(0, size);
    this.#file.read(place, bytes);
    return bytes;
  }

  #makeRoom(size: number): void {
    const needed = this.#size + size;
    if (this.#file !== undefined || needed <= this.#bytes.length) return;
    if (needed > this.#atHand) {
      this.#file = this.#scratch.file();
      this.#file.append(this.#bytes.subarray(0, this.#size));
      this.#bytes = new Uint8Array(0);
      return;
    }
    const grown = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    grown.set(this.#bytes.subarray(0, this.#size));
    this.#bytes = grown;
  }
}

/** Where items begin that lie one behind the other. */
function* placesIn(
  bytes: Uint8Array,
  end: number,
): Generator<number, undefined> {
  for (let place = 0; place < end; place += itemBytes(bytes, place)) {
    yield place;
  }
}
