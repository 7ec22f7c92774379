/**
 * Reads what a write is planned on: where a branch stands, and what it keeps of the requests before.
 *
 * @module
 */

import { GET_MANY_KEYS_MAX } from "../limits.ts";
import type { Key } from "../storage/driver.ts";
import {
  type Head,
  HEAD_ROWS,
  type HeadReading,
  type Position,
} from "../storage/head.ts";
import { ledgerRows, RequestLedger } from "./request_ledger.ts";
import type { SharedStore } from "./shared_store.ts";

/** Where a branch stands, and what it keeps, if there are keys to look for. */
export interface Standing {
  readonly head: Head;
  readonly ledger?: RequestLedger | undefined;
}

/** What to read beside a head. */
export interface Wanted {
  /** The names of requests that may be kept. */
  readonly names: readonly string[];
  /** Rows of the same moment. */
  readonly also: readonly Key[];
}

/** Reads the head and other rows, and what is kept on the branch: in the same round if that is of one moment. */
export async function readStanding(
  store: SharedStore,
  position: Position,
  { names, also }: Wanted,
): Promise<HeadReading & Standing> {
  const { heads } = store;
  if (names.length === 0) return await heads.read(position, also);
  const guess = heads.guess(position);
  const beside = ledgerRows(guess, names);
  const fits = HEAD_ROWS + also.length + beside.length <= GET_MANY_KEYS_MAX;
  const reading = await heads.read(
    position,
    fits ? [...also, ...beside] : also,
  );
  const { branch } = reading.head;
  if (branch === null) return reading;
  const found = fits && branch === guess
    ? reading.also.slice(also.length)
    : undefined;
  const ledger = await RequestLedger.read(store, { branch, names }, found);
  return { ...reading, ledger };
}
