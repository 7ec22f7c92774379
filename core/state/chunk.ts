/**
 * The shapes of the state tree: entries, the chunks that hold them, and references to chunks.
 *
 * A state is a search tree whose shape follows from its node ids alone (FORMAT.md, "State"). Chunks
 * never change once made: a new state shares every chunk that the change did not touch.
 *
 * @module
 */

/** Where a value came from: the commit that wrote it. */
export interface Origin {
  /** The first 16 bytes of the commit's id, as 32 hex digits. */
  readonly commit: string;
  /** The time of that commit, in Unix milliseconds. */
  readonly timeMs: number;
  /** The generation of that commit, greater than that of each of its parents. */
  readonly generation: number;
}

/**
 * Stands for the commit that is being made, and is replaced by its real origin once the commit has
 * an id. Compared by identity: its fields mean nothing.
 */
export const SELF: Origin = Object.freeze({
  commit: "",
  timeMs: 0,
  generation: 0,
});

/** One node of a state. */
export interface Entry {
  /** The node id: well-formed text. */
  readonly id: string;
  /** The object id of the node, 32 bytes. */
  readonly object: Uint8Array;
  /** The commit that wrote this object. */
  readonly changed: Origin;
  /** The commit that added the id since it was last absent. */
  readonly born: Origin;
}

/**
 * What chunks of the same keys have in common, made when a chunk is first revised and handed on to
 * each that takes its place: the bytes of two such chunks differ in their ids alone. It holds the
 * ids of one of them at a time.
 */
export interface Mould {
  /** The canonical bytes. */
  readonly bytes: Uint8Array;
  /** Where in them the id of each entry or child begins, in the order of the chunk. */
  readonly places: Uint32Array;
  /** The ids, one behind the other in the order of the chunk. */
  readonly ids: Uint8Array;
  /** The number of the chunk whose ids it holds; 0 before the first. */
  holds: number;
}

/** How a chunk took the place of another with the same keys. */
export interface Cast {
  /** What both have in common. */
  readonly mould: Mould;
  /** Tells its ids from all others of the mould. */
  readonly number: number;
  /** The number of the one before; 0 where that had none. */
  readonly before: number;
  /** The entries or children of the one before. */
  readonly items: readonly unknown[];
  /** Where the two differ: places of entries or children, in order. */
  readonly places: readonly number[];
  /**
   * Whether all of the one before had an origin and an address: else what is settled with a commit
   * lies at other places as well.
   */
  readonly isOnSettled: boolean;
}

/** A run of neighbouring entries. */
export interface Leaf {
  /** Leaves are the lowest level. */
  readonly level: 0;
  /** The logical id, 32 bytes: BLAKE3-256 of the canonical bytes, which hold no origins. */
  readonly id: Uint8Array;
  /** The number of entries. */
  readonly count: number;
  /** In bytewise UTF-8 order of their ids; none only in the empty tree. */
  readonly entries: readonly Entry[];
  /** Set in one that is stored ahead of its commit: origins in it are still {@linkcode SELF}. */
  readonly isAhead?: boolean;
  /** Undefined in a leaf that took no other's place. */
  readonly cast?: Cast;
}

/** A run of neighbouring chunks of the level below. */
export interface Index {
  /** The height above the leaves, at least 1. */
  readonly level: number;
  /** The logical id, 32 bytes: BLAKE3-256 of the canonical bytes, which hold no addresses. */
  readonly id: Uint8Array;
  /** The number of entries below. */
  readonly count: number;
  /** At least one, in bytewise UTF-8 order of their keys. */
  readonly children: readonly ChunkRef[];
  /** Undefined in an index chunk that took no other's place. */
  readonly cast?: Cast;
}

/** A part of a state tree. */
export type Chunk = Leaf | Index;

/** Where a stored chunk lies: opaque to this layer. */
export interface ChunkAddress {
  /** The pack that holds it. */
  readonly pack: string;
  /** The part of the pack. */
  readonly part: number;
  /** The place within the part. */
  readonly index: number;
}

/** Names a chunk, and says where it is. */
export interface ChunkRef {
  /** The first node id below; "" in the empty tree. */
  readonly key: string;
  /** The logical id, 32 bytes. Two chunks of one logical id may differ in their origins. */
  readonly id: Uint8Array;
  /** The level of the chunk. */
  readonly level: number;
  /** The number of entries below. */
  readonly count: number;
  /** The address of a stored chunk, or the chunk itself while it is not stored. */
  readonly at: ChunkAddress | Chunk;
}

/** Reads stored chunks. */
export interface ChunkSource {
  /** Returns the chunk behind a reference that holds an address, if it is at hand without a round. */
  held?(ref: ChunkRef): Chunk | undefined;
  /**
   * Returns the chunks in the order of the references, each of which holds an address. One call is
   * one round to the storage.
   */
  read(refs: readonly ChunkRef[]): Promise<readonly Chunk[]>;
}

/** Tells a leaf from an index. */
export function isLeaf(chunk: Chunk): chunk is Leaf {
  return chunk.level === 0;
}

/** Tells whether a reference leads to a stored chunk or holds the chunk itself. */
export function isStored(at: ChunkAddress | Chunk): at is ChunkAddress {
  return "pack" in at;
}

/** Tells whether two origins are the same commit; {@linkcode SELF} is like no real one. */
export function sameOrigin(a: Origin, b: Origin): boolean {
  return a === b || a.commit === b.commit;
}

/** Tells whether two object ids or logical ids of 32 bytes are equal. */
export function sameId(a: Uint8Array, b: Uint8Array): boolean {
  if (a === b) return true;
  for (let i = 0; i < 32; i++) {
    if (a[i] !== b[i]) return false;
  }
  return true;
}

/** Tells whether two entries are equal in everything, origins included. */
export function sameEntry(a: Entry, b: Entry): boolean {
  return a === b ||
    a.id === b.id && sameId(a.object, b.object) &&
      sameOrigin(a.changed, b.changed) && sameOrigin(a.born, b.born);
}
