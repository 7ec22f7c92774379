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
 * hand; the others are read in one call, and none is made when all are at hand.
 */
export async function loadChunks<P extends Path>(
  source: ChunkSource,
  paths: readonly P[],
): Promise<readonly Loaded<P>[]> {
  return heldChunks(source, paths) ?? await readChunks(source, paths);
}

/** Does what {@linkcode loadChunks} does, at once, if every chunk is at hand. Most writes find it so. */
export function heldChunks<P extends Path>(
  source: ChunkSource,
  paths: readonly P[],
): readonly Loaded<P>[] | undefined {
  const loaded: Loaded<P>[] = [];
  for (const path of paths) {
    const { at } = path.ref;
    const chunk = isStored(at) ? source.held?.(path.ref) : at;
    if (chunk === undefined) return undefined;
    loaded.push({ ...path, chunk });
  }
  return loaded;
}

async function readChunks<P extends Path>(
  source: ChunkSource,
  paths: readonly P[],
): Promise<readonly Loaded<P>[]> {
  const refs = paths.map((path) => path.ref);
  const read = await source.read(refs.filter((ref) => isStored(ref.at)));
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
  const chunk = isStored(ref.at) ? source.held?.(ref) : ref.at;
  if (chunk !== undefined) return chunk;
  const [read] = await source.read([ref]);
  invariant(read !== undefined, "a chunk source answers every reference");
  return read;
}
