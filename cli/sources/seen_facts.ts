/**
 * What a source said so far: a name that comes again with something else must not be lost, and one that
 * says the same need not be kept.
 *
 * @module
 */

import { digestOf } from "./digest.ts";

/** A fact that came before. */
export interface SaidBefore {
  /** The line of the very same; undefined: this one is new. */
  readonly same: number | undefined;
  /** The first line under that name, which may be this one's. */
  readonly first: number;
  /** How many different ones the name has by now. */
  readonly count: number;
}

/** A text that is longer is kept as its digest: a source may be large. */
const KEPT_UNITS = 64;

/** The facts of a source by their names. */
export class SeenFacts {
  readonly #names = new Map<string, Map<string, number>>();

  /** Tells whether a name came already. */
  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Adds what is said under a name in some line, and returns what came before. */
  add(name: string, said: string, line: number): SaidBefore {
    const text = said.length > KEPT_UNITS ? digestOf(said) : said;
    const seen = this.#names.get(name) ?? new Map<string, number>();
    const same = seen.get(text);
    if (same === undefined) seen.set(text, line);
    this.#names.set(name, seen);
    const [first = line] = seen.values();
    return { same, first, count: seen.size };
  }
}
