/**
 * Reads the nodes of a state in order: those at hand from the cache, many others from one ordered
 * list, few by their keys.
 *
 * @module
 */

import { GET_MANY_KEYS_MAX } from "../limits.ts";
import { type ChunkRef, type Entry, isLeaf } from "../state/chunk.ts";
import { loadChunk } from "../state/load_chunks.ts";
import type { CommitRow } from "../storage/commit_row.ts";
import { isKeyable, nodesRange } from "../storage/keys.ts";
import { chooseRuns, type EntryChoice } from "./read_entries.ts";
import type { SharedStore } from "./shared_store.ts";
import { deadRowsMost, VersionScan } from "./version_scan.ts";

/** Nodes read in one wave. */
const WAVE_NODES = 100;
/** Nodes read by their keys, at least, after a list that did not pay: it read 500 rows, or fewer. */
const BY_KEY_MIN = 1_000;

/** A state, and the generation of a commit that has it. */
export type StateAt = Pick<CommitRow, "root" | "generation">;

/** Yields the bytes of the nodes of a state that are chosen, in waves, in the order of their ids. */
export async function* readNodes(
  store: SharedStore,
  state: StateAt,
  choice: EntryChoice = {},
): AsyncGenerator<readonly Uint8Array[]> {
  const waves = new WaveReader(store, state.root, choice);
  try {
    await waves.start(state);
    for await (const run of chooseRuns(store.reader, state.root, choice)) {
      for (let at = 0; at < run.length; at += WAVE_NODES) {
        yield await waves.read(run, at);
      }
    }
  } finally {
    await waves.close();
  }
}

/** Decides, wave by wave, how nodes are read. */
class WaveReader {
  readonly #store: SharedStore;
  // Named nodes may lie anywhere: a list would pass over all that lies between.
  readonly #isRange: boolean;
  // A list of all nodes goes on from run to run; of others each run is a list, that ends with it.
  readonly #isWhole: boolean;
  /** Nodes of a whole memory that are left. */
  #left: number;
  /** Nodes to be read by their keys before a list is tried; undefined until the first are there. */
  #byKey: number | undefined;
  #scan: VersionScan | undefined;

  constructor(
    store: SharedStore,
    root: ChunkRef,
    { ids, prefix = "", limit, after = "" }: EntryChoice,
  ) {
    this.#store = store;
    this.#isRange = ids === undefined;
    this.#isWhole = this.#isRange && prefix === "" && after === "" &&
      limit === undefined;
    this.#left = root.count;
  }

  /** Begins a list beside the way down to the entries, where these are not at hand and it is likely to pay. */
  async start({ root, generation }: StateAt): Promise<void> {
    const { driver, reader } = this.#store;
    const isLikely = this.#isWhole && root.level > 0 &&
      generation <= deadRowsMost(root.count);
    if (!isLikely) return;
    if (reader.held(root) !== undefined) {
      const top = await loadChunk(reader, root);
      if (
        isLeaf(top) ||
        top.children.some((child) => reader.held(child) !== undefined)
      ) {
        return;
      }
    }
    this.#byKey = 0;
    this.#scan = new VersionScan(driver, nodesRange(""), root.count);
    this.#scan.start();
  }

  /** The bytes of one wave of a run, which begins at that place. */
  async read(run: readonly Entry[], at: number): Promise<Uint8Array[]> {
    const wave = run.slice(at, at + WAVE_NODES);
    const found = this.#store.reader.keptNodes(wave);
    if (!this.#isWhole && at === 0) await this.close();
    if (this.#isRange) await this.#list(run, at, found);
    this.#left -= wave.length;
    const missing = wave.filter((_, i) => found[i] === undefined);
    const read = missing.length === 0
      ? []
      : await this.#store.reader.nodes(missing);
    let next = 0;
    return found.map((bytes) => bytes ?? read[next++]!);
  }

  async close(): Promise<void> {
    const scan = this.#scan;
    this.#scan = undefined;
    await scan?.close();
  }

  /** Fills in what a list finds of a wave, as far as a list pays. */
  async #list(
    run: readonly Entry[],
    at: number,
    found: (Uint8Array | undefined)[],
  ): Promise<void> {
    this.#scan ??= this.#begin(run, at, found);
    if (this.#scan === undefined) return;
    const places = [...found.keys()].filter((i) => found[i] === undefined);
    if (places.length === 0) return;
    const rows = await this.#scan.find(places.map((i) => run[at + i]!));
    for (const [place, row] of rows.entries()) {
      if (row === undefined) continue;
      const i = places[place]!;
      found[i] = await this.#store.reader.nodeOf(run[at + i]!, row);
    }
    if (this.#scan.pays) return;
    // As many as it passed in vain, so that the lists given up never cost more than the rest.
    this.#byKey = Math.max(this.#scan.dead, BY_KEY_MIN);
    await this.close();
  }

  /** Begins a list at the first node of a wave that is missing, if one is likely to pay. */
  #begin(
    run: readonly Entry[],
    at: number,
    found: readonly (Uint8Array | undefined)[],
  ): VersionScan | undefined {
    const missing = found.reduce((sum, bytes) => sum + Number(!bytes), 0);
    if (missing <= GET_MANY_KEYS_MAX) return undefined;
    const wanted = this.#isWhole ? this.#left : run.length - at;
    this.#byKey ??= versionsMost(run) > deadRowsMost(wanted) ? BY_KEY_MIN : 0;
    if (this.#byKey > 0) {
      this.#byKey -= missing;
      return undefined;
    }
    const first = run.find((entry, i) =>
      i >= at && found[i - at] === undefined && isKeyable(entry.id)
    );
    const last = run.findLast((entry) => isKeyable(entry.id));
    if (first === undefined || last === undefined) return undefined;
    const range = nodesRange(first.id, this.#isWhole ? undefined : last.id);
    return new VersionScan(this.#store.driver, range, wanted);
  }
}

/**
 * How many other versions of some nodes there are at most, if each commit changed one node: for each
 * no more than commits between the one that added it and the one that wrote its value, and for all
 * no more than commits between the first and the last of these.
 */
function versionsMost(entries: readonly Entry[]): number {
  let [sum, low, high] = [0, Infinity, 0];
  for (const { changed, born } of entries) {
    sum += changed.generation - born.generation;
    low = Math.min(low, born.generation);
    high = Math.max(high, changed.generation);
  }
  return Math.min(sum, high - low);
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
