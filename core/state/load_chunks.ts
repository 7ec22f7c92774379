/**
 * Reads the chunks behind references, in one round at most.
 *
 * @module
 */

import { invariant } from "../errors.ts";
import {
  type Chunk,
  type ChunkRef,
  type ChunkSource,
  isStored,
} from "./chunk.ts";

/** Something that a walk knows about a chunk before it has been read. */
export interface Path {
  /** The chunk to read. */
  readonly ref: ChunkRef;
}

/** The same, with the chunk. */
export type Loaded<P extends Path> = P & { readonly chunk: Chunk };

/**
 * Adds to each path the chunk it leads to, in the same order. Chunks that are not stored yet are at
 * hand; the others are read in one call, and none is made when there are none.
 */
export async function loadChunks<P extends Path>(
  source: ChunkSource,
  paths: readonly P[],
): Promise<readonly Loaded<P>[]> {
  const refs = paths.map((path) => path.ref);
  const stored = refs.filter((ref) => isStored(ref.at));
  const read = stored.length === 0 ? [] : await source.read(stored);
  let next = 0;
  return paths.map((path) => {
    const { at } = path.ref;
    const chunk = isStored(at) ? read[next++] : at;
    invariant(chunk !== undefined, "a chunk source answers every reference");
    return { ...path, chunk };
  });
}

/** Returns the chunk behind one reference, which is read unless it is at hand. */
export async function loadChunk(
  source: ChunkSource,
  ref: ChunkRef,
): Promise<Chunk> {
  const [path] = await loadChunks(source, [{ ref }]);
  invariant(path !== undefined, "a chunk source answers every reference");
  return path.chunk;
}
