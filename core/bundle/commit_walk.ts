/**
 * Gathers what commits name: the chunks of their states, and the nodes that they wrote.
 *
 * @module
 */

import { shortOf } from "../object/graph_commit.ts";
import { fromHex } from "../object/hex.ts";
import { blake3 } from "../object/hash.ts";
import type { ObjectKind } from "../object/object_fields.ts";
import {
  type Chunk,
  type ChunkRef,
  type Entry,
  isLeaf,
  sameId,
} from "../state/chunk.ts";
import { encodeIndex, encodeLeaf } from "../state/make_chunk.ts";
import {
  addressOf,
  otherChunk,
  readRecord,
  type RecordHome,
} from "../storage/chunk_record.ts";
import { type CommitRow, originOf } from "../storage/commit_row.ts";
import type { NodeName, StoreReader } from "../storage/store_reader.ts";
import { NAMED_TAG, tagOf } from "./export_tags.ts";
import { leafObject } from "./leaf_record.ts";
import type { Sorter } from "./sorter.ts";

/** Nodes that are read at once. */
const WAVE_NODES = 500;

const NOTHING = new Uint8Array();

/** What is gathered, and how. */
export interface WalkOptions {
  /** Takes objects and names. */
  readonly objects: Sorter;
  /** Reads nodes that are named, one by one; else names alone are gathered. */
  readonly readsNodes: boolean;
  /** Gathers the chunks of trees, and commits as they are; else neither. */
  readonly keepsTrees: boolean;
}

/** A chunk as an object. */
interface ChunkObject {
  readonly id: Uint8Array;
  readonly kind: ObjectKind;
  readonly bytes: Uint8Array;
  /** Chunks below it. */
  readonly children: readonly ChunkRef[];
  /** Nodes that are not named yet. */
  readonly entries: readonly Entry[];
}

/** A walk over commits. */
export class CommitWalk {
  readonly #reader: StoreReader;
  readonly #options: WalkOptions;
  // The commits whose states are trees, and their first parents.
  readonly #trees = new Map<string, string | undefined>();
  #names: NodeName[] = [];

  /** Walks over commits that a reader reads. */
  constructor(reader: StoreReader, options: WalkOptions) {
    this.#reader = reader;
    this.#options = options;
  }

  /** Takes a commit, in any order; `records` are the chunks of its row, if they are at hand, and nodes are only named. */
  async take(row: CommitRow, records?: readonly Uint8Array[]): Promise<void> {
    const { objects, keepsTrees } = this.#options;
    const { commit, form, changes } = row;
    const isTree = keepsTrees && form === "tree";
    if (keepsTrees) objects.add(fromHex(commit.id), tagOf("commit"), row.bytes);
    if (isTree) {
      const parent = commit.parents[0];
      this.#trees.set(shortOf(commit.id), parent && shortOf(parent));
    }
    for (const { id, object } of changes ?? []) {
      if (object !== null) await this.#name({ id, object });
    }
    if (changes !== null && !isTree) return;
    const short = shortOf(commit.id);
    for (let refs = await this.#own([row.root], short); refs.length > 0;) {
      const below: ChunkRef[] = [];
      for (const object of await this.#read(refs, row, records)) {
        if (isTree) this.#keep(object);
        below.push(...object.children);
        if (changes === null) await this.#nameOwn(object.entries, short);
      }
      refs = await this.#own(below, short);
    }
  }

  /** Whether a commit was taken together with its tree. */
  tookTree(short: string): boolean {
    return this.#trees.has(short);
  }

  /** After the last commit: what remains. */
  async end(): Promise<void> {
    for (const [commit, parent] of this.#trees) {
      // What a tree has in common with that of its first parent was gathered there.
      if (parent !== undefined && this.#trees.has(parent)) continue;
      let refs: readonly ChunkRef[] = [
        (await this.#reader.commit(commit)).root,
      ];
      while (refs.length > 0) {
        const chunks = await this.#reader.read(refs);
        for (const chunk of chunks) this.#keep(objectOf(chunk));
        refs = chunks.flatMap((chunk) => isLeaf(chunk) ? [] : chunk.children);
      }
    }
    await this.#readNames();
  }

  /** Those of some chunks that lie in the rows of a commit itself. */
  async #own(
    refs: readonly ChunkRef[],
    short: string,
  ): Promise<readonly ChunkRef[]> {
    const packs = new Set(
      refs.map((ref) => addressOf(ref)).filter(({ pack, part }) =>
        part > 0 && pack !== short
      ).map(({ pack }) => pack),
    );
    const owners = await this.#reader.packOwners([...packs]);
    const own = new Set(
      [...packs].filter((_, i) => owners[i]?.commit === short),
    ).add(short);
    return refs.filter((ref) => own.has(addressOf(ref).pack));
  }

  async #read(
    refs: readonly ChunkRef[],
    row: CommitRow,
    records: readonly Uint8Array[] | undefined,
  ): Promise<readonly ChunkObject[]> {
    if (records === undefined) {
      return (await this.#reader.read(refs)).map(objectOf);
    }
    const self = originOf(row);
    const elsewhere = refs.filter((ref) => addressOf(ref).part > 0);
    const read = elsewhere.length === 0
      ? []
      : await this.#reader.read(elsewhere);
    let next = 0;
    return refs.map((ref) => {
      const { pack, part, index } = addressOf(ref);
      if (part > 0) return objectOf(read[next++]!);
      const record = records[index]!;
      const object = ref.level > 0
        ? indexObject(record, { self, pack }, ref)
        : this.#leafObject(record, ref, row);
      if (!object || !sameId(blake3(object.bytes), ref.id)) {
        throw otherChunk(ref);
      }
      return object;
    });
  }

  /** A leaf without its entries, whose nodes are named already. */
  #leafObject(
    record: Uint8Array,
    { id, count }: ChunkRef,
    { changes }: CommitRow,
  ): ChunkObject | undefined {
    const made = leafObject(record, (object) => {
      if (changes !== null) return;
      this.#options.objects.add(object, NAMED_TAG, NOTHING);
    });
    return made?.count === count
      ? { id, kind: "state", bytes: made.bytes, children: [], entries: [] }
      : undefined;
  }

  #keep({ id, kind, bytes }: ChunkObject): void {
    this.#options.objects.add(id, tagOf(kind), bytes);
  }

  async #nameOwn(entries: readonly Entry[], short: string): Promise<void> {
    for (const entry of entries) {
      if (entry.changed.commit === short) await this.#name(entry);
    }
  }

  async #name({ id, object }: NodeName): Promise<void> {
    this.#options.objects.add(object, NAMED_TAG, NOTHING);
    if (!this.#options.readsNodes) return;
    this.#names.push({ id, object });
    if (this.#names.length >= WAVE_NODES) await this.#readNames();
  }

  async #readNames(): Promise<void> {
    const names = this.#names;
    this.#names = [];
    const bytes = await this.#reader.nodes(names);
    names.forEach(({ object }, i) => {
      this.#options.objects.add(object, tagOf("memory_node"), bytes[i]!);
    });
  }
}

function objectOf(chunk: Chunk): ChunkObject {
  const { id } = chunk;
  if (isLeaf(chunk)) {
    const { entries } = chunk;
    const bytes = encodeLeaf(entries);
    return { id, kind: "state", bytes, children: [], entries };
  }
  const { level, children } = chunk;
  const bytes = encodeIndex(level, children);
  return { id, kind: "state_index", bytes, children, entries: [] };
}

function indexObject(
  record: Uint8Array,
  home: RecordHome,
  { id, count, level }: ChunkRef,
): ChunkObject | undefined {
  const inside = readRecord(record, home);
  return "entries" in inside || inside.level !== level
    ? undefined
    : objectOf({ id, count, ...inside });
}
