/**
 * What is planned but not written yet, laid over what is stored: a chain of commits is planned on it
 * before any of them exists.
 *
 * @module
 */

import { toHex } from "../object/hex.ts";
import type {
  Chunk,
  ChunkAddress,
  ChunkRef,
  ChunkSource,
} from "../state/chunk.ts";
import { addressOf } from "../storage/chunk_record.ts";
import type { NodeName, StoreReader } from "../storage/store_reader.ts";
import type { PlacedChunk } from "./place_chunks.ts";
import type { CommittedEdit } from "./plan_commit.ts";

/** Chunks and nodes of planned commits, and below them those of the store. */
export class PlannedLayer implements ChunkSource {
  readonly #below: StoreReader;
  readonly #chunks = new Map<string, Chunk>();
  readonly #nodes = new Map<string, Uint8Array>();
  // Named only once somebody asks: of a chain of one commit nobody does.
  readonly #unnamed: (readonly CommittedEdit[])[] = [];
  readonly #unplaced: (readonly PlacedChunk[])[] = [];

  /** Lays an empty layer over a store. */
  constructor(below: StoreReader) {
    this.#below = below;
  }

  /** Adds what a planned commit will store. */
  add(placed: readonly PlacedChunk[], edits: readonly CommittedEdit[]): void {
    this.#unplaced.push(placed);
    this.#unnamed.push(edits);
  }

  /** A chunk of the layer, or one that the reader below holds. */
  held(ref: ChunkRef): Chunk | undefined {
    return this.#own(ref) ?? this.#below.held(ref);
  }

  /** Reads chunks: from the layer, and from below what it does not hold. */
  async read(refs: readonly ChunkRef[]): Promise<readonly Chunk[]> {
    const found = refs.map((ref) => this.#own(ref));
    return await filled(found, refs, (missing) => this.#below.read(missing));
  }

  /** Reads the bytes of nodes, likewise. */
  async nodes(names: readonly NodeName[]): Promise<readonly Uint8Array[]> {
    this.#nameNodes();
    if (this.#nodes.size === 0) return await this.#below.nodes(names);
    const found = names.map(({ object }) => this.#nodes.get(toHex(object)));
    return await filled(found, names, (missing) => this.#below.nodes(missing));
  }

  #own(ref: ChunkRef): Chunk | undefined {
    for (const placed of this.#unplaced) {
      for (const { address, chunk } of placed) {
        this.#chunks.set(nameOf(address), chunk);
      }
    }
    this.#unplaced.length = 0;
    if (this.#chunks.size === 0) return undefined;
    return this.#chunks.get(nameOf(addressOf(ref)));
  }

  #nameNodes(): void {
    for (const { node } of this.#unnamed.splice(0).flat()) {
      if (node?.bytes != null) {
        this.#nodes.set(toHex(node.object), node.bytes);
      }
    }
  }
}

/** Puts what is read for the missing ones in their places. */
async function filled<N, V>(
  found: readonly (V | undefined)[],
  names: readonly N[],
  read: (missing: readonly N[]) => Promise<readonly V[]>,
): Promise<readonly V[]> {
  const missing = names.filter((_, i) => found[i] === undefined);
  const values = missing.length === 0 ? [] : await read(missing);
  let next = 0;
  return found.map((value) => value ?? values[next++]!);
}

function nameOf({ pack, part, index }: ChunkAddress): string {
  return `${pack}/${part}/${index}`;
}
