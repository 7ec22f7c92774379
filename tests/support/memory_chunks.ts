/**
 * A chunk store in memory, which counts what is read from it.
 *
 * @module
 */

import {
  type Chunk,
  type ChunkAddress,
  type ChunkRef,
  type ChunkSource,
  isLeaf,
  isStored,
} from "../../core/state/chunk.ts";

/** Stores the fresh chunks of trees, as a commit would, and serves them by address. */
export class MemoryChunks implements ChunkSource {
  /** Calls of `read` so far. */
  reads = 0;
  /** Chunks read so far. */
  chunksRead = 0;
  readonly #packs: Chunk[][] = [];
  readonly #addresses = new Map<Chunk, ChunkAddress>();

  /** Stores fresh chunks, children before parents, and returns the root with its address. */
  store(tree: { root: ChunkRef; fresh: readonly Chunk[] }): ChunkRef {
    const pack: Chunk[] = [];
    const name = String(this.#packs.push(pack) - 1);
    for (const chunk of tree.fresh) {
      const stored = isLeaf(chunk)
        ? { ...chunk, entries: Object.freeze([...chunk.entries]) }
        : {
          ...chunk,
          children: Object.freeze(chunk.children.map((ref) => this.#kept(ref))),
        };
      this.#addresses.set(chunk, { pack: name, part: 0, index: pack.length });
      pack.push(Object.freeze(stored));
    }
    return this.#kept(tree.root);
  }

  /** Serves stored chunks in the order of the references. */
  read(refs: readonly ChunkRef[]): Promise<readonly Chunk[]> {
    this.reads++;
    this.chunksRead += refs.length;
    return Promise.resolve(refs.map((ref) => this.chunk(ref)));
  }

  /** Starts counting anew. */
  resetCounts(): void {
    this.reads = 0;
    this.chunksRead = 0;
  }

  /** Returns the chunk behind a reference. Not counted. */
  chunk({ key, at }: ChunkRef): Chunk {
    if (!isStored(at)) return at;
    const chunk = this.#packs[Number(at.pack)]?.[at.index];
    if (chunk === undefined) throw new Error(`"${key}" is not stored`);
    return chunk;
  }

  /** Returns all references of a tree, one list a level, the leaves first. Not counted. */
  levels(root: ChunkRef): (readonly ChunkRef[])[] {
    const levels: (readonly ChunkRef[])[] = [];
    let refs: readonly ChunkRef[] = [root];
    while (refs.length > 0) {
      levels.unshift(refs);
      refs = refs.flatMap((ref) => {
        const chunk = this.chunk(ref);
        return isLeaf(chunk) ? [] : chunk.children;
      });
    }
    return levels;
  }

  #kept(ref: ChunkRef): ChunkRef {
    if (isStored(ref.at)) return ref;
    const at = this.#addresses.get(ref.at);
    if (at === undefined) throw new Error(`"${ref.key}" was never fresh`);
    return Object.freeze({ ...ref, at });
  }
}
