/**
 * What was sent for some writes, and may have landed whatever came back.
 *
 * @module
 */

import type { Key, Row } from "../storage/driver.ts";
import type { Head } from "../storage/head.ts";
import { commitKey } from "../storage/keys.ts";
import { describeKey } from "../storage/row.ts";
import { keptOf, landingsOf, type Outcome } from "./outcome.ts";

/** A chain of commits that was sent. */
export interface Attempt {
  /** The head that it rests on. */
  readonly head: Head;
  /** What becomes of the first writes if it lands. */
  readonly outcomes: readonly Outcome[];
  /** The ids of its commits; none where only a request is kept. */
  readonly commits: readonly string[];
  /** Whether no answer came, at least one of the times that it was sent. */
  unanswered: boolean;
  /** Whether a check failed and nobody looked since: of a client that asked twice its own write did that. */
  refused: boolean;
}

/** Attempts looked at together with a head: more would not be of the same moment. */
const ATTEMPTS_MAX = 6;

/** The attempts of one landing that may have landed, or still may. */
export class Attempts {
  #all: readonly Attempt[] = [];

  /** Adds a chain that is about to be sent. To send the same again is the same attempt. */
  add(head: Head, outcomes: readonly Outcome[]): Attempt {
    const commits = landingsOf(outcomes);
    const same = this.#all.find((one) =>
      describeChecks(one.head) === describeChecks(head) &&
      one.commits.at(-1) === commits.at(-1)
    );
    if (same !== undefined) return same;
    const doubt = { unanswered: false, refused: false };
    const attempt = { head, outcomes, commits, ...doubt };
    this.#all = [...this.#all, attempt].slice(-ATTEMPTS_MAX);
    return attempt;
  }

  /** The key of each attempt's first commit. */
  keys(): Key[] {
    return this.#all.flatMap(({ commits: [first] }) =>
      first === undefined ? [] : [commitKey(first)]
    );
  }

  /**
   * Takes what was found at {@linkcode Attempts.keys}, read in one round with a head. Forgets what
   * is not stored and cannot land any more, because what it rests on is gone for ever. Returns those
   * whose first commit is stored.
   */
  found(head: Head, rows: readonly (Row | null)[]): readonly Attempt[] {
    let next = 0;
    const stored = new Set(
      this.#all.filter(({ commits }) => commits.length > 0 && rows[next++]),
    );
    for (const one of this.#all) one.refused &&= stored.has(one);
    this.#all = this.#all.filter((one) =>
      stored.has(one) || !isOver(one, head)
    );
    return [...stored];
  }

  /** Whether something of the write at this place may have landed, or still may. */
  mayHold(place: number): boolean {
    return this.#all.some((one) =>
      isOpen(one) && writes(one.outcomes.slice(place, place + 1))
    );
  }

  /** How many of the first writes are in an attempt of which it is not known what became. */
  get unanswered(): number {
    const open = this.#all.filter(isOpen);
    return Math.max(0, ...open.map(({ outcomes }) => outcomes.length));
  }
}

/** Whether outcomes write anything. */
export function writes(outcomes: readonly Outcome[]): boolean {
  return landingsOf(outcomes).length > 0 || keptOf(outcomes).length > 0;
}

function isOpen({ unanswered, refused }: Attempt): boolean {
  return unanswered || refused;
}

/**
 * Whether the head that an attempt rests on can never be there again. A version never comes back,
 * but the absence of a branch does.
 */
function isOver(attempt: Attempt, now: Head): boolean {
  const versions = new Map(
    now.checks.map(({ key, versionstamp }) => [describeKey(key), versionstamp]),
  );
  return attempt.head.checks.some(({ key, versionstamp }) => {
    const current = versions.get(describeKey(key));
    return versionstamp !== null && current !== undefined &&
      current !== versionstamp;
  });
}

/** What a write on a head checks, as text: equal for heads that are the same. */
export function describeChecks({ checks }: Head): string {
  return checks.map(({ key, versionstamp }) =>
    `${describeKey(key)} ${versionstamp}`
  ).join(" ");
}
