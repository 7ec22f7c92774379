/**
 * BLAKE3's own tree over bytes that are patched: what did not change is not hashed again
 * (ADR-0029). The libraries compute whole hashes alone; this is the algorithm of section 2 of the
 * BLAKE3 paper, and the library is its oracle in the tests.
 *
 * @module
 */

import { blake3 } from "./hash.ts";

const CHUNK_BYTES = 1024;
const BLOCK_BYTES = 64;
const CV_WORDS = 8;

const CHUNK_START = 1;
const CHUNK_END = 2;
const PARENT = 4;
const ROOT = 8;

const IV = Int32Array.of(
  0x6a09e667,
  0xbb67ae85,
  0x3c6ef372,
  0xa54ff53a,
  0x510e527f,
  0x9b05688c,
  0x1f83d9ab,
  0x5be0cd19,
);

/** The words of the message as each of the seven rounds takes them: permuted once more each time. */
const SCHEDULE = schedule([
  2,
  6,
  3,
  10,
  7,
  0,
  4,
  13,
  1,
  11,
  12,
  5,
  9,
  14,
  15,
  8,
]);

const state = new Int32Array(16);
const message = new Int32Array(16);
const lastBlock = new DataView(new ArrayBuffer(BLOCK_BYTES));

/** Below this the library hashes the whole in the time that one chunk takes here. */
const TREE_BYTES_MIN = 8 * CHUNK_BYTES;

/** To build a tree takes as long as so many whole hashes by the library. */
const WHOLE_HASHES = 8;

/** Other bytes at a place. */
export interface Patch {
  /** The first place. */
  readonly place: number;
  /** What stands there from now on. */
  readonly bytes: Uint8Array;
}

/** Some bytes and their hash. Neither changes: what is patched is a copy. */
export class PatchedBytes {
  /** The bytes. */
  readonly bytes: Uint8Array;
  /** Their BLAKE3-256, 32 bytes. */
  readonly id: Uint8Array;
  // The chaining values of the chunks, and of each level of parents above them, up to two nodes;
  // none until it is worth it.
  readonly #levels: readonly Int32Array[];
  // How often the whole was hashed since the bytes were new.
  readonly #wholes: number;

  /** Takes over some bytes, which must not change any more, and hashes them unless that is known. */
  constructor(bytes: Uint8Array, { id, levels, wholes }: Known = {}) {
    this.bytes = bytes;
    this.id = id ?? blake3(bytes);
    this.#levels = levels ?? [];
    this.#wholes = wholes ?? 0;
  }

  /** The bytes after patches, none of which goes over their end. */
  patched(patches: readonly Patch[]): PatchedBytes {
    const bytes = this.bytes.slice();
    for (const patch of patches) bytes.set(patch.bytes, patch.place);
    const isKept = this.#levels.length > 0;
    const wholes = this.#wholes + 1;
    const isWorth = bytes.length >= TREE_BYTES_MIN && wholes > WHOLE_HASHES;
    if (!isKept && !isWorth) return new PatchedBytes(bytes, { wholes });
    const levels = isKept
      ? this.#levels.map((level) => level.slice())
      : emptyLevels(bytes.length);
    const dirty = isKept ? chunksOf(patches) : allChunks(bytes.length);
    const id = rehash(bytes, levels, dirty);
    return new PatchedBytes(bytes, { id, levels });
  }
}

/** What is known of bytes beside themselves. */
interface Known {
  readonly id?: Uint8Array;
  readonly levels?: readonly Int32Array[];
  readonly wholes?: number;
}

function emptyLevels(size: number): readonly Int32Array[] {
  const levels: Int32Array[] = [];
  let nodes = Math.ceil(size / CHUNK_BYTES);
  for (; nodes > 1; nodes = (nodes + 1) >> 1) {
    levels.push(new Int32Array(nodes * CV_WORDS));
  }
  return levels;
}

function allChunks(size: number): number[] {
  return Array.from({ length: Math.ceil(size / CHUNK_BYTES) }, (_, i) => i);
}

function chunksOf(patches: readonly Patch[]): number[] {
  const chunks = new Set<number>();
  for (const { place, bytes } of patches) {
    const last = Math.floor((place + bytes.length - 1) / CHUNK_BYTES);
    for (let i = Math.floor(place / CHUNK_BYTES); i <= last; i++) chunks.add(i);
  }
  return [...chunks];
}

/** Hashes some chunks, and what is above them; returns the hash of all. */
function rehash(
  bytes: Uint8Array,
  levels: readonly Int32Array[],
  chunks: readonly number[],
): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (const chunk of chunks) hashChunk(view, levels[0]!, chunk);
  let nodes = chunks;
  for (let level = 1; level < levels.length; level++) {
    nodes = [...new Set(nodes.map((node) => node >> 1))];
    for (const node of nodes) {
      joinNodes(levels[level - 1]!, levels[level]!, node);
    }
  }
  const root = new Int32Array(CV_WORDS);
  compressParent(levels.at(-1)!, 0, root, 0, PARENT | ROOT);
  return toBytes(root);
}

function hashChunk(view: DataView, values: Int32Array, chunk: number): void {
  const at = chunk * CV_WORDS;
  values.set(IV, at);
  const end = Math.min(view.byteLength, (chunk + 1) * CHUNK_BYTES);
  let flags = CHUNK_START;
  for (let place = chunk * CHUNK_BYTES; place < end; place += BLOCK_BYTES) {
    const length = Math.min(BLOCK_BYTES, end - place);
    if (place + length === end) flags |= CHUNK_END;
    readBlock(view, place, length);
    compress(values, at, chunk, length, flags);
    flags = 0;
  }
}

function readBlock(view: DataView, place: number, length: number): void {
  let [from, at] = [view, place];
  if (length < BLOCK_BYTES) {
    for (let i = 0; i < BLOCK_BYTES; i++) {
      lastBlock.setUint8(i, i < length ? view.getUint8(place + i) : 0);
    }
    [from, at] = [lastBlock, 0];
  }
  for (let word = 0; word < 16; word++) {
    message[word] = from.getInt32(at + 4 * word, true);
  }
}

/** One node above two; above one, which is the last of an odd number, that one itself. */
function joinNodes(below: Int32Array, own: Int32Array, node: number): void {
  const [from, to] = [node * 2 * CV_WORDS, node * CV_WORDS];
  if (from + CV_WORDS === below.length) {
    own.set(below.subarray(from), to);
  } else compressParent(below, from, own, to, PARENT);
}

function compressParent(
  below: Int32Array,
  from: number,
  own: Int32Array,
  to: number,
  flags: number,
): void {
  for (let word = 0; word < 16; word++) message[word] = below[from + word]!;
  own.set(IV, to);
  compress(own, to, 0, BLOCK_BYTES, flags);
}

/** Compresses the message into a chaining value. */
function compress(
  values: Int32Array,
  at: number,
  counter: number,
  length: number,
  flags: number,
): void {
  for (let i = 0; i < 8; i++) state[i] = values[at + i]!;
  for (let i = 0; i < 4; i++) state[8 + i] = IV[i]!;
  // A counter of 32 bits is enough for 4 TiB.
  state[12] = counter;
  state[13] = 0;
  state[14] = length;
  state[15] = flags;
  for (let i = 0; i < SCHEDULE.length; i += 16) {
    mix(0, 4, 8, 12, i);
    mix(1, 5, 9, 13, i + 2);
    mix(2, 6, 10, 14, i + 4);
    mix(3, 7, 11, 15, i + 6);
    mix(0, 5, 10, 15, i + 8);
    mix(1, 6, 11, 12, i + 10);
    mix(2, 7, 8, 13, i + 12);
    mix(3, 4, 9, 14, i + 14);
  }
  for (let i = 0; i < 8; i++) values[at + i] = state[i]! ^ state[i + 8]!;
}

/** The quarter round: mixes two words of the message into four of the state. */
function mix(a: number, b: number, c: number, d: number, word: number): void {
  let [x, y, z, w] = [state[a]!, state[b]!, state[c]!, state[d]!];
  x = x + y + message[SCHEDULE[word]!]! | 0;
  w = rotate(w ^ x, 16);
  z = z + w | 0;
  y = rotate(y ^ z, 12);
  x = x + y + message[SCHEDULE[word + 1]!]! | 0;
  w = rotate(w ^ x, 8);
  z = z + w | 0;
  y = rotate(y ^ z, 7);
  state[a] = x;
  state[b] = y;
  state[c] = z;
  state[d] = w;
}

function rotate(word: number, bits: number): number {
  return word >>> bits | word << 32 - bits;
}

function schedule(permutation: readonly number[]): Uint8Array {
  let order = Array.from({ length: 16 }, (_, i) => i);
  const all: number[] = [];
  for (let round = 0; round < 7; round++) {
    all.push(...order);
    order = permutation.map((place) => order[place]!);
  }
  return Uint8Array.from(all);
}

function toBytes(words: Int32Array): Uint8Array {
  const bytes = new Uint8Array(words.length * 4);
  const view = new DataView(bytes.buffer);
  words.forEach((word, i) => view.setInt32(4 * i, word, true));
  return bytes;
}
