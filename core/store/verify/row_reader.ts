/**
 * Reads rows that may be damaged: what cannot be read is a fault, never an error.
 *
 * @module
 */

import { toHex } from "../../object/hex.ts";
import type { Driver, Key, Row } from "../../storage/driver.ts";
import {
  describeKey,
  hasSeal,
  joinPieces,
  type Unframed,
  unframeRow,
} from "../../storage/row.ts";
import { type FaultList, isDamage } from "./fault_list.ts";

type Shape = readonly ("text" | number)[];

/** Reads rows, and counts those that were looked at. */
export class RowReader {
  readonly #driver: Driver;
  readonly #faults: FaultList;
  readonly #joined = new Set<string>();
  readonly #partial = new Set<string>();
  readonly #unreadable = new Set<string>();
  #checked = 0;

  /** Reads through a driver. */
  constructor(driver: Driver, faults: FaultList) {
    this.#driver = driver;
    this.#faults = faults;
  }

  /** How many rows were looked at. */
  get checked(): number {
    return this.#checked;
  }

  /** Whether not all rows of a kind could be listed: of what is missing nothing can be said. */
  isPartial(head: string): boolean {
    return this.#partial.has(head);
  }

  /** Whether a row is stored that the client could not return. */
  isUnreadable(key: Key): boolean {
    return this.#unreadable.has(describeKey(key));
  }

  /**
   * The rows of a kind, each counted. Keys of another shape are a fault, and so are rows that the
   * client cannot return. A shape is what comes after the head: texts, and byte strings by length.
   */
  async *list(head: string, ...shapes: readonly Shape[]): AsyncGenerator<Row> {
    try {
      for await (const row of this.#driver.list({ prefix: [head] })) {
        this.#checked++;
        if (shapes.some((shape) => isShaped(row, shape))) yield row;
        else {
          const name = `Row ${describeKey(row.key)}`;
          this.#faults.add("row", `${name} has a key that no such row has`);
        }
      }
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#partial.add(head);
      const name = `A row [${
        JSON.stringify(head)
      }, …], and what comes after it,`;
      this.#faults.addError(name, error);
    }
  }

  /** Rows, null where there is none or the client cannot return it: the latter is a fault. One round. */
  async rows(keys: readonly Key[]): Promise<(Row | null)[]> {
    if (keys.length === 0) return [];
    try {
      return await this.#driver.getMany(keys);
    } catch (error) {
      if (!isDamage(error)) throw error;
      const [key] = keys;
      if (keys.length === 1 && key !== undefined) {
        this.#unreadable.add(describeKey(key));
        this.#faults.addError(`Row ${describeKey(key)}`, error);
        return [null];
      }
    }
    const rows: (Row | null)[] = [];
    for (const key of keys) rows.push(...await this.rows([key]));
    return rows;
  }

  /** The same, counted where it is there. */
  async counted(keys: readonly Key[]): Promise<(Row | null)[]> {
    const rows = await this.rows(keys);
    this.#checked += rows.filter((row) => row !== null).length;
    return rows;
  }

  /** What a row holds, its pieces joined; null after a fault. */
  async payload(row: Row, sealed: boolean): Promise<Uint8Array | null> {
    const inside = this.#open(row, sealed);
    if (inside === null || "payload" in inside) return inside?.payload ?? null;
    const name = `Row ${describeKey(row.key)}`;
    const pieces = await this.rows(inside.pieces);
    const missing = pieces.indexOf(null);
    if (missing >= 0) {
      this.#faults.add(
        "link",
        `${name} is split, and its piece ${missing} is not stored`,
      );
      return null;
    }
    const parts = pieces.flatMap((piece) =>
      piece === null ? [] : [piece.value]
    );
    const payload = this.#faults.attempt(
      name,
      () => joinPieces(row.key, parts, inside),
      "object_id",
    );
    const digest = toHex(inside.digest);
    if (!this.#joined.has(digest)) this.#checked += pieces.length;
    this.#joined.add(digest);
    return payload;
  }

  #open({ key, value }: Row, sealed: boolean): Unframed | null {
    const name = `Row ${describeKey(key)}`;
    if (sealed && value.length > 8 && !hasSeal(key, value)) {
      this.#faults.add("seal", `${name} does not match its seal`);
      return null;
    }
    return this.#faults.attempt(name, () => unframeRow(key, value, sealed));
  }
}

function isShaped({ key }: Row, shape: Shape): boolean {
  return key.length === shape.length + 1 && shape.every((expected, i) => {
    const part = key[i + 1];
    return typeof part === "string"
      ? expected === "text"
      : part?.length === expected;
  });
}
