/**
 * What a branch keeps of requests with keys, as far as some writes need it. All of it changes only
 * together with one mark: whoever finds that unchanged finds all unchanged.
 *
 * @module
 */

import { GET_MANY_KEYS_MAX, REQUESTS_IN_ROW_MAX } from "../limits.ts";
import { type AtomicCost, atomicCost } from "../storage/budget.ts";
import type { AtomicWrite, Check, Key, Row } from "../storage/driver.ts";
import {
  type KeptRequest,
  readRequests,
  requestMarkRow,
  requestsRow,
} from "../storage/kept_requests.ts";
import { requestKey, requestMarkKey } from "../storage/keys.ts";
import { describeKey } from "../storage/row.ts";
import type { SharedStore } from "./shared_store.ts";

/** Bytes that a kept request takes at most: five digests with their heads, and a few more. */
const KEPT_BYTES_MAX = 90;

/** Which rows of a branch to read for requests of these names: the mark, then each row once. */
export function ledgerRows(branch: string, names: readonly string[]): Key[] {
  const keys = names.map((name) => requestKey(branch, name));
  const rows = new Map(keys.map((key) => [describeKey(key), key]));
  return [requestMarkKey(branch), ...rows.values()];
}

/** What keeping one request adds to an atomic write at most. */
export function keepingCost(branch: string): AtomicCost {
  const value = new Uint8Array(REQUESTS_IN_ROW_MAX * KEPT_BYTES_MAX);
  const row = { key: requestKey(branch, "00"), value };
  return atomicCost({ sets: [requestMarkRow(branch), row] });
}

/** The rows that were read of a branch at one moment. */
export class RequestLedger {
  readonly #branch: string;
  readonly #mark: Check;
  readonly #rows: ReadonlyMap<string, readonly KeptRequest[]>;

  private constructor(
    branch: string,
    mark: Check,
    rows: ReadonlyMap<string, readonly KeptRequest[]>,
  ) {
    this.#branch = branch;
    this.#mark = mark;
    this.#rows = rows;
  }

  /** Reads the rows of some names; `found` are those of `ledgerRows`, if they were read already. */
  static async read(
    { driver, reader }: SharedStore,
    { branch, names }: {
      readonly branch: string;
      readonly names: readonly string[];
    },
    found?: readonly (Row | null)[],
  ): Promise<RequestLedger> {
    const keys = ledgerRows(branch, names);
    const read = async (part: Key[]) =>
      part.length === 0 ? [] : await driver.getMany(part);
    // No row before the mark: so what is of a later moment is found out by its check.
    const [mark, ...rows] = found ?? [
      ...await read(keys.slice(0, GET_MANY_KEYS_MAX)),
      ...await read(keys.slice(GET_MANY_KEYS_MAX)),
    ];
    const kept = new Map<string, KeptRequest[]>();
    for (const row of rows) {
      if (row === null) continue;
      const payload = await reader.payload(row, true);
      kept.set(describeKey(row.key), readRequests(row.key, payload));
    }
    const versionstamp = mark?.versionstamp ?? null;
    const check = { key: requestMarkKey(branch), versionstamp };
    return new RequestLedger(branch, check, kept);
  }

  /** What is kept of the request of a name. */
  find(name: string): KeptRequest | undefined {
    return this.#at(requestKey(this.#branch, name))
      .find((one) => one.name === name);
  }

  /** Those of some requests that are not kept. */
  missing(requests: readonly KeptRequest[]): KeptRequest[] {
    return requests.filter(({ name }) => this.find(name) === undefined);
  }

  /** Whether one of them is kept with other commits. */
  contradicts(requests: readonly KeptRequest[]): boolean {
    return requests.some(({ name, before, commit }) => {
      const kept = this.find(name) ?? { before, commit };
      return kept.before !== before || kept.commit !== commit;
    });
  }

  /** What an atomic write must check and set beside, to keep these requests. */
  keep(
    kept: readonly KeptRequest[],
  ): Required<Pick<AtomicWrite, "checks" | "sets">> {
    const rows = new Map<string, readonly KeptRequest[]>();
    for (const one of kept) {
      const key = requestKey(this.#branch, one.name);
      const name = describeKey(key);
      const others = (rows.get(name) ?? this.#at(key))
        .filter(({ name }) => name !== one.name);
      rows.set(name, [...others, one].slice(-REQUESTS_IN_ROW_MAX));
    }
    const sets = Array.from(
      rows.values(),
      (row) => requestsRow(this.#branch, row),
    );
    return {
      checks: [this.#mark],
      sets: [requestMarkRow(this.#branch), ...sets],
    };
  }

  #at(key: Key): readonly KeptRequest[] {
    return this.#rows.get(describeKey(key)) ?? [];
  }
}
