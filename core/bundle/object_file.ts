/**
 * Objects in the order of their ids, each found by its id: what a history is made of, while it is
 * built. At hand is one id for some kilobytes of objects.
 *
 * @module
 */

import type { ObjectKind } from "../object/object_fields.ts";
import type { ScratchFile, ScratchFolder } from "./scratch_folder.ts";
import { ITEM_HEAD_BYTES, itemAt, itemBytes, writeItem } from "./item_bytes.ts";
import { compareIds, IdList } from "./id_list.ts";

/** Bytes that are kept at hand before a file is made. */
const AT_HAND_BYTES = 8 * 1024 * 1024;

/** Objects begin within so many bytes of the first of their block. */
const BLOCK_BYTES = 8 * 1024;

/** An object's head, and its id. */
const HEAD_BYTES = ITEM_HEAD_BYTES + 32;

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
  /** Its canonical bytes, to be kept by whoever wants them. */
  readonly bytes: Uint8Array;
  /** Its number in the order of the ids. */
  readonly number: number;
}

/** Objects that are found by their ids. */
export class ObjectFile {
  readonly #scratch: ScratchFolder;
  readonly #atHand: number;
  #file: ScratchFile | undefined;
  #bytes = new Uint8Array(64 * 1024);
  #size = 0;
  #count = 0;
  // Of each block: the id of its first object, where it begins, and that object's number.
  readonly #firsts = new IdList();
  readonly #starts: number[] = [];
  readonly #numbers: number[] = [];

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
    const item = { name: id, tag, value: bytes };
    if (this.#file === undefined) writeItem(this.#bytes, this.#size, item);
    else {
      const framed = new Uint8Array(size);
      writeItem(framed, 0, item);
      this.#file.append(framed);
    }
    this.#size += size;
    this.#count++;
  }

  /** The object of an id; null if there is none. */
  find(id: Uint8Array): FoundObject | null {
    const block = this.#firsts.lastUpTo(id);
    if (block < 0) return null;
    let at = this.#starts[block]!;
    const end = this.#starts[block + 1] ?? this.#size;
    const heads = this.#read(at, Math.min(end - at, BLOCK_BYTES + HEAD_BYTES));
    const first = at;
    for (let number = this.#numbers[block]!; at < end; number++) {
      const place = at - first;
      const name = heads.subarray(
        place + ITEM_HEAD_BYTES,
        place + HEAD_BYTES,
      );
      const size = itemBytes(heads, place);
      if (compareIds(name, id) === 0) {
        const whole = place + size <= heads.length
          ? heads.subarray(place, place + size)
          : this.#read(at, size);
        const { tag, value } = itemAt(whole, 0);
        return { kind: KIND_TAGS[tag]!, bytes: value, number };
      }
      at += size;
    }
    return null;
  }

  /** Every object, in the order of the ids. */
  *all(): Generator<FoundObject & { readonly id: Uint8Array }> {
    let number = 0;
    for (let at = 0; at < this.#size; number++) {
      const head = this.#read(at, HEAD_BYTES);
      const size = itemBytes(head, 0);
      const { name, tag, value } = itemAt(this.#read(at, size), 0);
      yield { id: name, kind: KIND_TAGS[tag]!, bytes: value, number };
      at += size;
    }
  }

  /** Bytes of it: a view of what is at hand, or fresh ones. */
  #read(place: number, size: number): Uint8Array {
    if (this.#file === undefined) {
      return this.#bytes.subarray(place, place + size);
    }
    const bytes = new Uint8Array(size);
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
