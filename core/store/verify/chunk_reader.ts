/**
 * Reads chunks of states that may be damaged.
 *
 * @module
 */

import { toHex } from "../../object/hex.ts";
import {
  type Chunk,
  type ChunkAddress,
  type ChunkRef,
  type ChunkSource,
  type Origin,
  sameId,
} from "../../state/chunk.ts";
import { addressOf, decodeAnyChunk } from "../../storage/chunk_record.ts";
import { decodeCommitRow } from "../../storage/commit_row.ts";
import type { Key } from "../../storage/driver.ts";
import { commitKey, partKey } from "../../storage/keys.ts";
import { decodePackPart } from "../../storage/pack_row.ts";
import { describeKey } from "../../storage/row.ts";
import type { StoreReader } from "../../storage/store_reader.ts";
import { type FaultList, isDamage } from "./fault_list.ts";
import type { KnownCommits } from "./known_commits.ts";
import type { Packs } from "./packs.ts";
import type { RowReader } from "./row_reader.ts";

/** What reading chunks needs. */
export interface ChunkGround {
  /** Reads and caches what is in order. */
  readonly reader: StoreReader;
  /** Reads what may not be. */
  readonly rows: RowReader;
  /** Whose the chunks in commit rows are. */
  readonly commits: KnownCommits;
  /** Whose those in packs are. */
  readonly packs: Packs;
  /** Where faults go. */
  readonly faults: FaultList;
}

/** Reads chunks; what cannot be read is a fault. */
export class ChunkReader implements ChunkSource {
  readonly #ground: ChunkGround;

  /** Reads on a ground. */
  constructor(ground: ChunkGround) {
    this.#ground = ground;
  }

  /** Chunks that are known to be in order. */
  read(refs: readonly ChunkRef[]): Promise<readonly Chunk[]> {
    return this.#ground.reader.read(refs);
  }

  /** Chunks, null for each that has not the id that names it. `by` says in faults who names them. */
  async readAny(
    refs: readonly ChunkRef[],
    by: string,
  ): Promise<readonly (Chunk | null)[]> {
    try {
      if (refs.every(isAtPlace)) return await this.read(refs);
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
    const chunks: (Chunk | null)[] = [];
    for (const ref of refs) chunks.push(await this.#readOne(ref, by));
    return chunks;
  }

  /** Takes the way to one chunk step by step, to tell where it ends. */
  async #readOne(ref: ChunkRef, by: string): Promise<Chunk | null> {
    const { rows, faults, reader } = this.#ground;
    if (!isAtPlace(ref)) {
      faults.add(
        "link",
        `${nameOf(ref)}, which ${by} names, lies at no possible place`,
      );
      return null;
    }
    const address = addressOf(ref);
    const key = rowKey(address);
    const [row] = await rows.rows([key]);
    if (!row && rows.isUnreadable(key)) return null;
    if (!row) {
      faults.add(
        "link",
        `${nameOf(ref)}, which ${by} names, is not stored: there is no row ${
          describeKey(key)
        }`,
      );
      return null;
    }
    const payload = await rows.payload(row, true);
    if (payload === null) return null;
    const records = faults.attempt(
      `Row ${describeKey(key)}`,
      () =>
        address.part === 0
          ? decodeCommitRow(payload).records
          : decodePackPart(payload),
    );
    if (records === null) return null;
    const record = records[address.index];
    if (record === undefined) {
      faults.add(
        "link",
        `${nameOf(ref)}, which ${by} names, is not stored: ${
          placeName(ref)
        } is not there`,
      );
      return null;
    }
    const self = this.#ownerOf(address);
    if (self === null) return null;
    const name = placeName(ref);
    const home = { self, pack: address.pack };
    const chunk = faults.attempt(name, () => decodeAnyChunk(record, home));
    if (chunk === null) return null;
    if (!sameId(chunk.id, ref.id)) {
      faults.add(
        "object_id",
        `${name} is not the ${toHex(ref.id)} that ${by} names`,
      );
      return null;
    }
    reader.keepChunk(address, chunk);
    return chunk;
  }

  #ownerOf({ pack, part }: ChunkAddress): Origin | null {
    const { commits, packs, faults } = this.#ground;
    if (part === 0) return commits.originOf(pack);
    const owner = packs.owner(pack);
    if (owner !== undefined) return owner;
    if (packs.isBroken(pack)) return null;
    faults.add(
      "link",
      `Pack ${pack} is named, and its part 0 is not stored`,
    );
    return null;
  }
}

/** Where a chunk lies, for a message. */
export function placeName(ref: ChunkRef): string {
  const address = addressOf(ref);
  return `chunk ${address.index} of row ${describeKey(rowKey(address))}`;
}

function nameOf(ref: ChunkRef): string {
  return `Chunk ${toHex(ref.id)}`;
}

function rowKey({ pack, part }: ChunkAddress): Key {
  return part === 0 ? commitKey(pack) : partKey(pack, part);
}

/** Whether there can be a row at an address. */
function isAtPlace(ref: ChunkRef): boolean {
  const { pack, part } = addressOf(ref);
  return pack.length === 32 && part < 2 ** 32;
}
