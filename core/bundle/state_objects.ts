/**
 * The states of a bundle, as its objects have them: the nodes on which two of them differ.
 *
 * @module
 */

import { FLAT_ENTRIES_MAX } from "../limits.ts";
import { fromHex, toHex } from "../object/hex.ts";
import {
  type Chunk,
  type ChunkRef,
  type ChunkSource,
  type Entry,
  isLeaf,
} from "../state/chunk.ts";
import { diffTrees } from "../state/diff_trees.ts";
import { flatImage } from "../state/flat_image.ts";
import { emptyRoot } from "../state/make_chunk.ts";
import { readRange } from "../state/read_range.ts";
import { addressOf } from "../storage/chunk_record.ts";
import type { StateForm } from "../storage/commit_row.ts";
import { diffFlat, type StateDifference } from "./flat_difference.ts";
import type { FoundObject, ObjectFile } from "./object_file.ts";
import { corruptObject } from "./object_reader.ts";
import { addressIn, isOfBundle, readChunk } from "./chunk_object.ts";
import type { CommitAt } from "./state_edits.ts";

/** Reads states. Objects that it read are marked: they are named by a commit. */
export class StateObjects implements ChunkSource {
  readonly #objects: ObjectFile;
  readonly #stored: ChunkSource;
  readonly #named: Uint8Array;
  // The flat object that was read last: most commits are compared with it.
  #last: { readonly id: string; readonly bytes: Uint8Array } | undefined;
  // The top of the tree that is read: it is asked for twice.
  #top: { readonly id: string; readonly chunk: Chunk } | undefined;

  /** Reads from the objects of a bundle, and what is stored of it already. */
  constructor(objects: ObjectFile, stored: ChunkSource) {
    this.#objects = objects;
    this.#stored = stored;
    this.#named = new Uint8Array((objects.count >> 3) + 1);
  }

  /** Whether an object was read as a part of a state, given its number. */
  isNamed(number: number): boolean {
    return (this.#named[number >> 3]! & (1 << (number & 7))) !== 0;
  }

  /** The form of a state that a commit names. Throws `corrupt_store` if it is no state of the bundle. */
  formOf(state: string, commit: string): StateForm {
    return this.#find(state, commit).kind === "state" ? "flat" : "tree";
  }

  /**
   * Yields what is different in a state against that of its first parent, which is stored, or against
   * none. In bytewise UTF-8 order of the ids for trees, in that of a flat object else.
   */
  async *differences(
    { id, state, parents: [first] }: CommitAt,
  ): AsyncGenerator<StateDifference> {
    const form = this.formOf(state, id);
    if (form === "flat" || first?.form === "flat") {
      const before = first && await this.#flat(first.commit.state, id);
      yield* diffFlat(before, await this.#flat(state, id));
      return;
    }
    const before = first?.root ?? emptyRoot();
    const after = this.#ref(state, id);
    for await (const { id, old, new: now } of diffTrees(this, before, after)) {
      yield { id, object: now?.object ?? null, old };
    }
  }

  /** Reads chunks: those of the bundle by their ids, all others where they are stored. */
  async read(refs: readonly ChunkRef[]): Promise<readonly Chunk[]> {
    const stored = refs.filter((ref) => !isOfBundle(ref));
    const read = stored.length === 0 ? [] : await this.#stored.read(stored);
    let next = 0;
    return refs.map((ref) =>
      isOfBundle(ref) ? this.#chunk(ref) : read[next++]!
    );
  }

  #chunk(ref: ChunkRef): Chunk {
    const name = toHex(ref.id);
    const chunk = this.#top?.id === name
      ? this.#top.chunk
      : this.#read(name, addressOf(ref).pack);
    const first = isLeaf(chunk) ? chunk.entries[0]?.id : chunk.children[0]?.key;
    if (chunk.level !== ref.level || first !== ref.key) {
      throw corruptObject(name, "it is not at its place in a state");
    }
    return chunk;
  }

  #read(id: string, by: string): Chunk {
    const { bytes, kind } = this.#find(id, by);
    return readChunk(bytes, id, kind);
  }

  /** The object of a part of a state; `by` is what names it. */
  #find(id: string, by: string): FoundObject {
    const found = this.#objects.find(fromHex(id));
    const isState = found?.kind === "state" || found?.kind === "state_index";
    if (!isState) {
      throw corruptObject(
        by,
        `${id}, which it names, is no state of the bundle`,
      );
    }
    this.#named[found.number >> 3]! |= 1 << (found.number & 7);
    return found;
  }

  /** A state as the bytes of its flat object, made if it is a tree. */
  async #flat(id: string, commit: string): Promise<Uint8Array> {
    if (this.#last?.id === id) return this.#last.bytes;
    const { bytes, kind } = this.#find(id, commit);
    let image: Uint8Array = bytes.slice();
    if (kind !== "state") {
      const entries: Entry[] = [];
      const ref = this.#ref(id, commit);
      for await (const entry of readRange(this, ref)) entries.push(entry);
      image = flatImage(entries).bytes;
    }
    this.#last = { id, bytes: image };
    return image;
  }

  #ref(id: string, commit: string): ChunkRef {
    const chunk = this.#read(id, commit);
    this.#top = { id, chunk };
    if (isLeaf(chunk) || chunk.count <= FLAT_ENTRIES_MAX) {
      throw corruptObject(
        id,
        `it is a whole state of ${chunk.count} nodes, which must be flat`,
      );
    }
    return {
      key: chunk.children[0]?.key ?? "",
      id: chunk.id,
      level: chunk.level,
      count: chunk.count,
      at: addressIn(id),
    };
  }
}
