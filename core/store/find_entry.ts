/**
 * Finds one node of a state, and reads ahead what will be asked for next.
 *
 * @module
 */

import { blake3 } from "../object/hash.ts";
import type { Chunk, ChunkRef, ChunkSource, Entry } from "../state/chunk.ts";
import { readEntry } from "../state/read_entry.ts";
import { versionsRange } from "../storage/keys.ts";
import { unframeRow } from "../storage/row.ts";
import type { SharedStore } from "./shared_store.ts";

/** Versions of a node read ahead. */
const AHEAD_VERSIONS_MAX = 3;

/** Finds the entry of a node, with its bytes already on their way where that saves a round. */
export async function findEntry(
  store: SharedStore,
  root: ChunkRef,
  id: string,
): Promise<Entry | undefined> {
  const source = new AheadSource(store, id);
  const entry = await readEntry(source, root, id);
  await source.ahead;
  return entry;
}

/** Reads chunks and, in the round that reads the leaf, some versions of the node. */
class AheadSource implements ChunkSource {
  readonly #store: SharedStore;
  readonly #id: string;
  /** Ends when what is read ahead is there. */
  ahead: Promise<void> | undefined;

  constructor(store: SharedStore, id: string) {
    this.#store = store;
    this.#id = id;
  }

  held(ref: ChunkRef): Chunk | undefined {
    return this.#store.reader.held(ref);
  }

  read(refs: readonly ChunkRef[]): Promise<readonly Chunk[]> {
    const isNew = refs.some((ref) => ref.level === 0 && !this.held(ref));
    if (isNew) this.ahead ??= readAhead(this.#store, this.#id);
    return this.#store.reader.read(refs);
  }
}

/**
 * Reads some stored versions of a node before it is known which one is wanted: most nodes have few,
 * and a round is saved.
 */
async function readAhead(
  { driver, reader }: SharedStore,
  id: string,
): Promise<void> {
  try {
    const rows = driver.list(versionsRange(id), { limit: AHEAD_VERSIONS_MAX });
    for await (const row of rows) {
      const inside = unframeRow(row.key, row.value, false);
      if (!("payload" in inside)) continue;
      const { payload: bytes } = inside;
      reader.keepNode({ object: blake3(bytes), bytes });
    }
  } catch {
    // It is read again, and then says what is wrong.
  }
}
