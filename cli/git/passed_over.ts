/**
 * What an import could not take as it is, and went on without.
 *
 * @module
 */

import { MnemError } from "@mnem/core";
import type { JsonObject } from "../report.ts";

/** So many are told one by one. */
const TOLD_MAX = 100;

/** One thing that was passed over. */
export interface PassedOver {
  /** The commit of git; undefined for what is of none. */
  readonly commit?: string;
  /** The file, or the branch. */
  readonly name?: string;
  /** What is wrong with it. */
  readonly what: string;
}

/** A list of them, which in strict imports is an error at its first. */
export class PassedOverList {
  /** The first ones. */
  readonly told: PassedOver[] = [];
  /** How many there are. */
  count = 0;
  readonly #isStrict: boolean;

  /** Begins an empty list. */
  constructor(isStrict: boolean) {
    this.#isStrict = isStrict;
  }

  /**
   * Adds one.
   *
   * @throws {MnemError} `corrupt_store` in a strict import.
   */
  add(one: PassedOver): void {
    if (this.#isStrict) {
      throw new MnemError("corrupt_store", `Cannot import: ${describe(one)}`);
    }
    this.count += 1;
    if (this.told.length < TOLD_MAX) this.told.push(one);
  }

  /** The lines that tell of it. */
  lines(): string[] {
    const left = this.count - this.told.length;
    return [
      ...this.told.map((one) => `passed over ${describe(one)}`),
      ...left > 0 ? [`passed over ${left} more`] : [],
    ];
  }

  /** The same for a program. */
  json(): JsonObject {
    return {
      passed_over: this.told.map(({ commit = null, name = null, what }) => ({
        commit,
        name,
        what,
      })),
      passed_over_count: this.count,
    };
  }
}

function describe({ commit, name, what }: PassedOver): string {
  const where = [
    ...commit === undefined ? [] : [`commit ${commit.slice(0, 12)}`],
    ...name === undefined ? [] : [JSON.stringify(name)],
  ];
  return `${where.join(", ")}: ${what}`;
}
