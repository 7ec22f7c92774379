/**
 * Reads immutable rows: commits, chunks of states, nodes. All are cached within bounds in bytes, and
 * each is checked against the id that names it when it is first decoded.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import {
  CHUNK_CACHE_BYTES_MAX,
  COMMIT_CACHE_BYTES_MAX,
  NODE_CACHE_BYTES_MAX,
} from "../limits.ts";
import { shortOf } from "../object/graph_commit.ts";
import { blake3 } from "../object/hash.ts";
import { toHex } from "../object/hex.ts";
import {
  type Chunk,
  type ChunkAddress,
  type ChunkRef,
  type ChunkSource,
  type Origin,
  sameId,
} from "../state/chunk.ts";
import { ByteCache } from "./byte_cache.ts";
import { addressOf, decodeChunk } from "./chunk_record.ts";
import { chunkWeight, nodeWeight } from "./cached_weight.ts";
import {
  type CommitRow,
  decodeCommitRow,
  decodeMetaBlock,
  originOf,
} from "./commit_row.ts";
import type { Driver, Key, Row } from "./driver.ts";
import { commitKey, lastPartHex, nodeKey, partKey } from "./keys.ts";
import { decodePackOwner, decodePackPart } from "./pack_row.ts";
import { joinPieces, unframeRow } from "./row.ts";

/** Names a stored node: its id and its object id. */
export interface NodeName {
  /** The node id. */
  readonly id: string;
  /** The object id, 32 bytes. */
  readonly object: Uint8Array;
}

/** What a row may hold around a value. */
const FRAME_BYTES_MAX = 16;

/** What chunk records of one row need to be decoded. */
interface RecordRow {
  readonly self: Origin;
  readonly records: readonly Uint8Array[];
}

/** Reads what never changes once it is written. */
export class StoreReader implements ChunkSource {
  readonly #driver: Driver;
  readonly #chunks: ByteCache<Chunk>;
  readonly #commits: ByteCache<CommitRow>;
  readonly #nodes: ByteCache<Uint8Array>;
  readonly #packOwners: ByteCache<Origin>;
  // The rows of commits that were read last: what is asked for next is often their chunks.
  readonly #rows: ByteCache<RecordRow>;

  /** Reads through a driver; the caches may take that share of the usual memory. */
  constructor(driver: Driver, { share = 1 } = {}) {
    this.#driver = driver;
    this.#chunks = new ByteCache(CHUNK_CACHE_BYTES_MAX * share);
    this.#commits = new ByteCache(COMMIT_CACHE_BYTES_MAX * share);
    this.#nodes = new ByteCache(NODE_CACHE_BYTES_MAX * share);
    this.#packOwners = new ByteCache(COMMIT_CACHE_BYTES_MAX * share / 8);
    this.#rows = new ByteCache(COMMIT_CACHE_BYTES_MAX * share / 8);
  }

  /** How many bytes the caches hold, for whoever watches memory. */
  get cachedBytes(): number {
    return this.#chunks.bytes + this.#commits.bytes + this.#nodes.bytes +
      this.#rows.bytes;
  }

  /** The commits whose ids begin with these 32 hex digits; null where there is none. One round. */
  async commits(shorts: readonly string[]): Promise<(CommitRow | null)[]> {
    const found = new Map<string, CommitRow>();
    for (const short of shorts) {
      const cached = this.#commits.get(short);
      if (cached !== undefined) found.set(short, cached);
    }
    const missing = [...new Set(shorts)].filter((short) => !found.has(short));
    if (missing.length > 0) {
      const payloads = await this.payloads(missing.map(commitKey), true);
      missing.forEach((short, i) => {
        const payload = payloads[i];
        if (payload) found.set(short, this.#keepCommitRow(short, payload).row);
      });
    }
    return shorts.map((short) => found.get(short) ?? null);
  }

  /** The commit in a row that was listed. */
  async commitOf(row: Row): Promise<CommitRow> {
    const short = lastPartHex(row.key);
    return this.#keepCommitRow(short, await this.payload(row, true)).row;
  }

  /** A commit that a stored row names. Throws `corrupt_store` if it is missing. */
  async commit(short: string): Promise<CommitRow> {
    const [row] = await this.commits([short]);
    if (!row) {
      throw new MnemError(
        "corrupt_store",
        `Commit ${short} is named but not stored`,
      );
    }
    return row;
  }

  /** Stored chunks, in the order of the references. At most one round. */
  async read(refs: readonly ChunkRef[]): Promise<readonly Chunk[]> {
    const chunks = refs.map((ref) => this.held(ref));
    const missing = refs.filter((_, i) => chunks[i] === undefined).map(
      addressOf,
    );
    if (missing.length === 0) {
      return chunks.filter((chunk) => chunk !== undefined);
    }
    const rows = await this.#recordRows(missing);
    return refs.map((ref, i) => {
      const address = addressOf(ref);
      return chunks[i] ??
        this.#decode(ref, address, rows.get(rowName(address)));
    });
  }

  /** The bytes of nodes, in order, checked against their object ids. One round. */
  async nodes(names: readonly NodeName[]): Promise<Uint8Array[]> {
    const found = this.keptNodes(names);
    const missing = names.filter((_, i) => found[i] === undefined);
    if (missing.length === 0) return found.filter((one) => one !== undefined);
    const keys = missing.map((name) => nodeKey(name.id, name.object));
    const payloads = await this.payloads(keys, false);
    let next = 0;
    return names.map((name, i) =>
      found[i] ?? this.checkNode(name, payloads[next++] ?? null)
    );
  }

  /** A kept chunk, if it is the one that the reference names: another is found out when it is read. */
  held(ref: ChunkRef): Chunk | undefined {
    const chunk = this.#chunks.get(cacheName(addressOf(ref)));
    return chunk !== undefined && sameId(chunk.id, ref.id) ? chunk : undefined;
  }

  /** The bytes of nodes that are at hand, in order; undefined for the others. */
  keptNodes(names: readonly NodeName[]): (Uint8Array | undefined)[] {
    return names.map((name) => this.#nodes.get(toHex(name.object)));
  }

  /** Keeps the bytes of a node that was just written or read. */
  keepNode(
    node: { readonly object: Uint8Array; readonly bytes: Uint8Array },
  ): void {
    const bytes = withoutRoom(node.bytes);
    this.#nodes.set(toHex(node.object), bytes, nodeWeight(bytes));
  }

  /** The commits that packs of chunks belong to; null for a pack whose commit never came. One round. */
  async packOwners(packs: readonly string[]): Promise<(Origin | null)[]> {
    const missing = packs.filter((pack) =>
      this.#packOwners.get(pack) === undefined
    );
    const payloads = missing.length === 0 ? [] : await this.payloads(
      missing.map((pack) => partKey(pack, 0)),
      true,
    );
    const found = new Map<string, Origin>();
    missing.forEach((pack, i) => {
      const payload = payloads[i];
      if (!payload) return;
      const owner = decodePackOwner(payload);
      found.set(pack, owner);
      this.#packOwners.set(pack, owner, 200);
    });
    return packs.map((pack) =>
      found.get(pack) ?? this.#packOwners.get(pack) ?? null
    );
  }

  /** The bytes of a node in a row that was listed, checked. */
  nodeOf(name: NodeName, row: Row): Uint8Array | Promise<Uint8Array> {
    const inside = unframeRow(row.key, row.value, false);
    return "payload" in inside
      ? this.checkNode(name, inside.payload)
      : this.payload(row, false).then((bytes) => this.checkNode(name, bytes));
  }

  /** Checks a node's bytes and keeps them. Throws `corrupt_store` if they are missing or others. */
  checkNode(name: NodeName, bytes: Uint8Array | null): Uint8Array {
    if (bytes === null || !sameId(blake3(bytes), name.object)) {
      const what = bytes === null ? "is missing" : "does not match its id";
      throw new MnemError(
        "corrupt_store",
        `The stored node ${JSON.stringify(name.id)} ${what} (${
          toHex(name.object)
        })`,
      );
    }
    this.keepNode({ object: name.object, bytes });
    return bytes;
  }

  /** Keeps a commit that was just written or read with its branch. */
  keepCommit(row: CommitRow): void {
    const listed = row.changes?.length ?? 0;
    const bytes = row.bytes.length + 600 + row.skips.length * 120 +
      listed * 300;
    this.#commits.set(shortOf(row.commit.id), row, bytes);
  }

  /** Keeps a chunk that was just written or read with its branch. */
  keepChunk(address: ChunkAddress, chunk: Chunk): void {
    this.#chunks.set(cacheName(address), chunk, chunkWeight(chunk));
  }

  /** The payloads of rows, null where there is none; pieces are fetched and joined. */
  async payloads(
    keys: readonly Key[],
    sealed: boolean,
  ): Promise<(Uint8Array | null)[]> {
    const rows = await this.#driver.getMany(keys);
    return await Promise.all(
      rows.map((row) => row === null ? null : this.payload(row, sealed)),
    );
  }

  /** The payload of one row that was read; its pieces, if any, are fetched. */
  async payload(row: Row, sealed: boolean): Promise<Uint8Array> {
    const inside = unframeRow(row.key, row.value, sealed);
    if ("payload" in inside) return inside.payload;
    const pieces = await this.#driver.getMany(inside.pieces);
    return joinPieces(
      row.key,
      pieces.flatMap((piece) => piece === null ? [] : [piece.value]),
      inside,
    );
  }

  #keepCommitRow(
    short: string,
    payload: Uint8Array,
  ): { row: CommitRow } & RecordRow {
    const { meta, records } = decodeCommitRow(payload);
    // A copy, for the same reason as that of a chunk's ids.
    const row = decodeMetaBlock(meta.slice(), short);
    this.keepCommit(row);
    const read = { row, records, self: originOf(row) };
    this.#rows.set(short, read, payload.length + 600);
    return read;
  }

  #decode(
    ref: ChunkRef,
    address: ChunkAddress,
    row: RecordRow | undefined,
  ): Chunk {
    const record = row?.records[address.index];
    if (row === undefined || record === undefined) {
      throw new MnemError(
        "corrupt_store",
        `Chunk ${toHex(ref.id)} of the state is named but not stored`,
      );
    }
    const chunk = decodeChunk(
      record,
      { self: row.self, pack: address.pack },
      ref,
    );
    this.keepChunk(address, chunk);
    return chunk;
  }

  /** The rows that hold some chunks, by {@linkcode rowName}; parts of packs with their owners. */
  async #recordRows(
    addresses: readonly ChunkAddress[],
  ): Promise<Map<string, RecordRow>> {
    const rows = new Map<string, RecordRow>();
    const wanted = new Map<string, ChunkAddress>();
    for (const address of addresses) {
      const { pack, part } = address;
      const held = part === 0 ? this.#rows.get(pack) : undefined;
      if (held === undefined) wanted.set(rowName(address), address);
      else rows.set(rowName(address), held);
    }
    if (wanted.size === 0) return rows;
    const rowsWanted = [...wanted.values()];
    const packs = new Set(
      rowsWanted.filter(({ part }) => part > 0).map(({ pack }) => pack)
        .filter((pack) => this.#packOwners.get(pack) === undefined),
    );
    const keys = [
      ...rowsWanted.map(({ pack, part }) =>
        part === 0 ? commitKey(pack) : partKey(pack, part)
      ),
      ...[...packs].map((pack) => partKey(pack, 0)),
    ];
    const payloads = await this.payloads(keys, true);
    [...packs].forEach((pack, i) => {
      const payload = payloads[rowsWanted.length + i];
      if (payload) {
        this.#packOwners.set(pack, decodePackOwner(payload), 200);
      }
    });
    rowsWanted.forEach((address, i) => {
      const payload = payloads[i];
      if (!payload) return;
      const row = this.#recordRow(address, payload);
      if (row !== undefined) rows.set(rowName(address), row);
    });
    return rows;
  }

  #recordRow(
    address: ChunkAddress,
    payload: Uint8Array,
  ): RecordRow | undefined {
    if (address.part === 0) return this.#keepCommitRow(address.pack, payload);
    const self = this.#packOwners.get(address.pack);
    if (self === undefined) return undefined;
    return { self, records: decodePackPart(payload) };
  }
}

/** The same bytes, copied where they lie in much more room: it would be held as long as they are. */
function withoutRoom(bytes: Uint8Array): Uint8Array {
  const room = bytes.buffer.byteLength - bytes.length;
  return room <= FRAME_BYTES_MAX ? bytes : bytes.slice();
}

function rowName(address: ChunkAddress): string {
  return `${address.pack}/${address.part}`;
}

function cacheName(address: ChunkAddress): string {
  return `${address.pack}/${address.part}/${address.index}`;
}
