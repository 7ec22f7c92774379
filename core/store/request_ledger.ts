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

/** Bytes that a row takes at most: of a request five digests with their heads, and a few more. */
const ROW_BYTES_MAX = REQUESTS_IN_ROW_MAX * 90;

/** Which rows of a branch to read for requests of these names: the mark, then each row once. */
export function ledgerRows(branch: string, names: readonly string[]): Key[] {
  const keys = names.map((name) => requestKey(branch, name));
  const rows = new Map(keys.map((key) => [describeKey(key), key]));
  return [requestMarkKey(branch), ...rows.values()];
}

/** What keeping one request adds to an atomic write at most. */
export function keepingCost(branch: string): AtomicCost {
  const key = requestKey(branch, "00");
  const row = { key, value: new Uint8Array(ROW_BYTES_MAX) };
  return atomicCost({ sets: [requestMarkRow(branch), row] });
}

/** The rows that were read of a branch at one moment. */
export class RequestLedger {
  readonly #branch: string;
  readonly #mark: Check;
  readonly #rows = new Map<string, readonly KeptRequest[]>();

  private constructor(branch: string, mark: Row | null | undefined) {
    const versionstamp = mark?.versionstamp ?? null;
    this.#branch = branch;
    this.#mark = { key: requestMarkKey(branch), versionstamp };
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
    // No row before the mark: so what is of a later moment is found out by its check.
    const [mark, ...rows] = found ?? [
      ...await driver.getMany(keys.splice(0, GET_MANY_KEYS_MAX)),
      ...keys.length === 0 ? [] : await driver.getMany(keys),
    ];
    const ledger = new RequestLedger(branch, mark);
    for (const row of rows) {
      if (row === null) continue;
      const payload = await reader.payload(row, true);
      ledger.#rows.set(describeKey(row.key), readRequests(row.key, payload));
    }
    return ledger;
  }

  /** What is kept of the request of a name. */
  find(name: string): KeptRequest | undefined {
    return this.#beside(name).find((one) => one.name === name);
  }

  /** Those of some requests that are not kept; undefined: one of them is, with other commits. */
  missing(requests: readonly KeptRequest[]): KeptRequest[] | undefined {
    const isOther = requests.some(({ name, before, commit }) => {
      const kept = this.find(name) ?? { before, commit };
      return kept.before !== before || kept.commit !== commit;
    });
    return isOther
      ? undefined
      : requests.filter(({ name }) => !this.find(name));
  }

  /** What an atomic write must check and set beside, to keep these requests. */
  keep(
    requests: readonly KeptRequest[],
  ): Required<Pick<AtomicWrite, "checks" | "sets">> {
    const rows = new Map<string, readonly KeptRequest[]>();
    for (const one of requests) {
      const name = this.#nameOf(one.name);
      const others = (rows.get(name) ?? this.#beside(one.name))
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

  #beside(name: string): readonly KeptRequest[] {
    return this.#rows.get(this.#nameOf(name)) ?? [];
  }

  #nameOf(name: string): string {
    return describeKey(requestKey(this.#branch, name));
  }
}
