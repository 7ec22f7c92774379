/**
 * Finds the nodes of a state in one ordered list of all that is stored of nodes, other versions
 * included.
 *
 * @module
 */

import { compareUtf8 } from "../object/utf8.ts";
import type { Entry } from "../state/chunk.ts";
import type { Driver, Row, RowRange } from "../storage/driver.ts";

/** A row of a list costs about a quarter of one that is asked for by its key. */
const DEAD_PER_LIVE_MAX = 2;
/** Rows passed in vain before it is judged. */
const DEAD_ROWS_MIN = 100;

/** How many rows a list may pass in vain for so many nodes, and cost less than their keys. */
export function deadRowsMost(nodes: number): number {
  return DEAD_PER_LIVE_MAX * nodes + DEAD_ROWS_MIN;
}

/** An ordered walk over all stored versions of nodes, beside the entries of one state. */
export class VersionScan {
  readonly #rows: AsyncIterator<Row>;
  #row: Row | undefined;
  #first: Promise<Row | undefined> | undefined;
  #live = 0;
  #dead = 0;

  /** Walks over a range in which so many nodes are wanted. */
  constructor(driver: Driver, range: RowRange, wanted: number) {
    const limit = (1 + DEAD_PER_LIVE_MAX) * wanted;
    this.#rows = driver.list(range, { limit })[Symbol.asyncIterator]();
  }

  /** Asks for the first rows before it is known which are wanted. */
  start(): void {
    this.#first = this.#next();
    // Who finds the first row learns of it; who gives up before that does not need to.
    this.#first.catch(() => {});
  }

  /** How many rows it passed that are of no entry. */
  get dead(): number {
    return this.#dead;
  }

  /** Whether reading on is cheaper than reading each node. */
  get pays(): boolean {
    return this.#dead <= deadRowsMost(this.#live);
  }

  /**
   * Goes on to the last of some entries, and tells which row is that of each; undefined for those that
   * it does not pass. Entries must come in order.
   */
  async find(entries: readonly Entry[]): Promise<(Row | undefined)[]> {
    const found: (Row | undefined)[] = [];
    let row = this.#row ?? await (this.#first ?? this.#next());
    this.#first = undefined;
    for (const entry of entries) {
      let order = -1;
      while (row !== undefined && this.pays) {
        order = compareRow(row, entry);
        if (order >= 0) break;
        this.#dead++;
        row = await this.#next();
      }
      found.push(order === 0 ? row : undefined);
      if (order !== 0) continue;
      this.#live++;
      row = await this.#next();
    }
    this.#row = row;
    return found;
  }

  /** Ends the list. */
  async close(): Promise<void> {
    await this.#rows.return?.();
  }

  async #next(): Promise<Row | undefined> {
    const { done, value } = await this.#rows.next();
    return done ? undefined : value;
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
