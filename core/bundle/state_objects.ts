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
import { readRange } from "../state/read_range.ts";
import { addressOf } from "../storage/chunk_record.ts";
import { ByteCache } from "../storage/byte_cache.ts";
import type { StateForm } from "../storage/commit_row.ts";
import { diffFlat, type StateDifference } from "./flat_difference.ts";
import type { FoundObject, ObjectFile } from "./object_file.ts";
import { corruptObject } from "./object_reader.ts";
import { readChunk } from "./chunk_object.ts";

/** Bytes of chunks that are kept, as one state mostly repeats the one before. */
const CHUNKS_KEPT_BYTES = 4 * 1024 * 1024;

/** A state object that is the whole of a state. */
export interface StateObject {
  /** How its id was made. */
  readonly form: StateForm;
  /** The object. */
  readonly found: FoundObject;
}

/** Reads states. Objects that it read are marked: they are named by a commit. */
export class StateObjects implements ChunkSource {
  readonly #objects: ObjectFile;
  readonly #chunks = new ByteCache<Chunk>(CHUNKS_KEPT_BYTES);
  readonly #named: Uint8Array;
  // The flat object that was read last: most commits are compared with it.
  #last: { readonly id: string; readonly bytes: Uint8Array } | undefined;

  /** Reads from the objects of a bundle. */
  constructor(objects: ObjectFile) {
    this.#objects = objects;
    this.#named = new Uint8Array((objects.count >> 3) + 1);
  }

  /** Whether an object was read as a part of a state, given its number. */
  isNamed(number: number): boolean {
    return (this.#named[number >> 3]! & (1 << (number & 7))) !== 0;
  }

  /** The form of a state that a commit names. Throws `corrupt_store` if it is no state of the bundle. */
  formOf(state: string, commit: string): StateForm {
    return this.#root(state, commit).form;
  }

  /**
   * Yields what is different in a state: against another one, or against none. In bytewise UTF-8 order
   * of the ids for trees, in that of a flat object else.
   */
  async *differences(
    before: string | null,
    after: string,
    commit: string,
  ): AsyncGenerator<StateDifference> {
    const now = this.#root(after, commit);
    const old = before === null ? null : this.#root(before, commit);
    const isTree = now.form === "tree" && (old === null || old.form === "tree");
    if (!isTree) {
      const from = old === null ? undefined : await this.#flat(before!, old);
      yield* diffFlat(from, await this.#flat(after, now));
      return;
    }
    if (old === null) {
      for await (
        const { id, object } of readRange(this, this.#ref(after, now))
      ) {
        yield { id, object };
      }
      return;
    }
    const refs = [this.#ref(before!, old), this.#ref(after, now)] as const;
    for await (const { id, new: entry } of diffTrees(this, ...refs)) {
      yield { id, object: entry?.object ?? null };
    }
  }

  /** Reads chunks by their ids: they have no other address here. */
  read(refs: readonly ChunkRef[]): Promise<readonly Chunk[]> {
    return Promise.resolve(refs.map((ref) => this.#chunk(ref)));
  }

  #chunk(ref: ChunkRef): Chunk {
    const name = toHex(ref.id);
    const kept = this.#chunks.get(name);
    if (kept !== undefined) return kept;
    const found = this.#find(name, addressOf(ref).pack);
    const chunk = readChunk(found.bytes, name, found.kind);
    const first = isLeaf(chunk) ? chunk.entries[0]?.id : chunk.children[0]?.key;
    if (chunk.level !== ref.level || first !== ref.key) {
      throw corruptObject(name, "it is not at its place in a state");
    }
    this.#chunks.set(name, chunk, 3 * found.bytes.length);
    return chunk;
  }

  #root(state: string, commit: string): StateObject {
    const found = this.#find(state, commit);
    return { found, form: found.kind === "state" ? "flat" : "tree" };
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
  async #flat(id: string, { found, form }: StateObject): Promise<Uint8Array> {
    if (this.#last?.id === id) return this.#last.bytes;
    let bytes = found.bytes;
    if (form === "tree") {
      const entries: Entry[] = [];
      const ref = this.#ref(id, { found, form });
      for await (const entry of readRange(this, ref)) entries.push(entry);
      bytes = flatImage(entries).bytes;
    }
    this.#last = { id, bytes };
    return bytes;
  }

  #ref(id: string, { found }: StateObject): ChunkRef {
    const chunk = readChunk(found.bytes, id, found.kind);
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
      at: { pack: id, part: 0, index: 0 },
    };
  }
}
