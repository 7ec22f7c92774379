/**
 * Reads the nodes of a state in order.
 *
 * @module
 */

import { decodeNode, type MemoryNode } from "../object/memory_node.ts";
import { compareUtf8 } from "../object/utf8.ts";
import type { ChunkRef, Entry } from "../state/chunk.ts";
import type { EntryRange } from "../state/read_range.ts";
import type { Row } from "../storage/driver.ts";
import { nodesRange } from "../storage/keys.ts";
import { chooseEntries, type EntryChoice } from "./read_entries.ts";
import type { SharedStore } from "./shared_store.ts";

/** Nodes read one by one in one wave. */
const WAVE_NODES = 100;
/** Above so many nodes, one ordered list of all stored versions is cheaper than reading each. */
const SCAN_NODES_MIN = 1_000;
/** A list pays only while dead versions do not exceed so many times the living. */
const DEAD_PER_LIVE_MAX = 2;

/** Yields the nodes of a state that are chosen, in bytewise UTF-8 order of their ids. */
export async function* readNodes(
  store: SharedStore,
  root: ChunkRef,
  choice: EntryChoice = {},
): AsyncGenerator<MemoryNode> {
  const entries = chooseEntries(store.reader, root, choice);
  // Named nodes may lie anywhere: a list would pass over all that lies between.
  const isRange = choice.ids === undefined;
  const most = Math.min(root.count, choice.limit ?? Infinity);
  const isLarge = most > SCAN_NODES_MIN && (choice.prefix ?? "") === "";
  // Nodes to be read one by one first: how many have a prefix shows only on the way.
  let first = isLarge ? 0 : SCAN_NODES_MIN;
  let after = choice.after;
  let scan: VersionScan | undefined;
  try {
    for await (const wave of inWaves(entries, WAVE_NODES)) {
      if (isRange && scan === undefined && first <= 0) {
        scan = new VersionScan(store, { ...choice, after });
      }
      for (const bytes of await nodesOf(store, wave, scan)) {
        yield decodeNode(bytes);
      }
      after = wave.at(-1)!.id;
      if (scan === undefined) first -= wave.length;
      else if (!scan.pays) {
        // As many as it passed in vain, so that the lists given up never cost more than the rest.
        first = scan.dead;
        await scan.close();
        scan = undefined;
      }
    }
  } finally {
    await scan?.close();
  }
}

/** The bytes of entries, from the scan if there is one as far as it pays, else one by one. */
async function nodesOf(
  store: SharedStore,
  entries: readonly Entry[],
  scan: VersionScan | undefined,
): Promise<Uint8Array[]> {
  if (scan === undefined) return await store.reader.nodes(entries);
  const found: (Uint8Array | null)[] = [];
  for (const entry of entries) found.push(await scan.find(entry));
  const missing = entries.filter((_, i) => found[i] === null);
  const read = missing.length === 0 ? [] : await store.reader.nodes(missing);
  let next = 0;
  return found.map((bytes) => bytes ?? read[next++]!);
}

/** An ordered walk over all stored versions of nodes, beside the entries of one state. */
class VersionScan {
  readonly #store: SharedStore;
  readonly #rows: AsyncIterator<Row>;
  #row: Row | undefined;
  #started = false;
  #live = 0;
  #dead = 0;

  constructor(store: SharedStore, range: EntryRange) {
    this.#store = store;
    const { prefix = "", after = "" } = range;
    const from = compareUtf8(after, prefix) > 0 ? after : prefix;
    // Without an end: nobody asks for a row beyond the last entry.
    this.#rows = store.driver.list(nodesRange(from))[Symbol.asyncIterator]();
  }

  /** How many rows it passed that are of no entry. */
  get dead(): number {
    return this.#dead;
  }

  /** Whether reading on is cheaper than reading each node. */
  get pays(): boolean {
    return this.#dead <= DEAD_PER_LIVE_MAX * (this.#live + SCAN_NODES_MIN);
  }

  /** The bytes of an entry, checked; null if the walk does not pass it. Entries must come in order. */
  async find(entry: Entry): Promise<Uint8Array | null> {
    if (!this.#started) await this.#step();
    this.#started = true;
    while (this.#row !== undefined && this.pays) {
      const order = compareRow(this.#row, entry);
      if (order > 0) return null;
      const row = this.#row;
      await this.#step();
      if (order === 0) {
        this.#live++;
        const payload = await this.#store.reader.payload(row, false);
        return this.#store.reader.checkNode(entry, payload);
      }
      this.#dead++;
    }
    return null;
  }

  async close(): Promise<void> {
    await this.#rows.return?.();
  }

  async #step(): Promise<void> {
    const { done, value } = await this.#rows.next();
    this.#row = done ? undefined : value;
  }
}

/** Where a row stands to an entry: by node id, then by object id. */
function compareRow(row: Row, entry: Entry): number {
  const id = row.key[1];
  const byId = compareUtf8(typeof id === "string" ? id : "", entry.id);
  if (byId !== 0) return byId;
  const part = row.key.at(-1);
  const object = part instanceof Uint8Array ? part : new Uint8Array();
  for (let i = 0; i < 16; i++) {
    const difference = (object[i] ?? 0) - entry.object[i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Gathers items in arrays of at most so many. */
export async function* inWaves<T>(
  items: AsyncIterable<T>,
  size: number,
): AsyncGenerator<T[]> {
  let wave: T[] = [];
  for await (const item of items) {
    wave.push(item);
    if (wave.length === size) {
      yield wave;
      wave = [];
    }
  }
  if (wave.length > 0) yield wave;
}
