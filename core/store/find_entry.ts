/**
 * Finds one node of a state, and reads ahead what will be asked for next.
 *
 * @module
 */

import type { Chunk, ChunkRef, ChunkSource, Entry } from "../state/chunk.ts";
import { readEntry } from "../state/read_entry.ts";
import type { StoreReader } from "../storage/store_reader.ts";

/** Finds the entry of a node, with its bytes already on their way where that saves a round. */
export async function findEntry(
  reader: StoreReader,
  root: ChunkRef,
  id: string,
): Promise<Entry | undefined> {
  const source = new AheadSource(reader, id);
  const entry = await readEntry(source, root, id);
  await source.ahead;
  return entry;
}

/** Reads chunks and, in the round that reads the leaf, some versions of the node. */
class AheadSource implements ChunkSource {
  readonly #reader: StoreReader;
  readonly #id: string;
  /** Ends when what is read ahead is there. */
  ahead: Promise<void> | undefined;

  constructor(reader: StoreReader, id: string) {
    this.#reader = reader;
    this.#id = id;
  }

  held(ref: ChunkRef): Chunk | undefined {
    return this.#reader.held(ref);
  }

  read(refs: readonly ChunkRef[]): Promise<readonly Chunk[]> {
    const isNew = refs.some((ref) =>
      ref.level === 0 && !this.#reader.held(ref)
    );
    if (isNew) this.ahead ??= this.#reader.readAhead(this.#id);
    return this.#reader.read(refs);
  }
}
