/**
 * Puts the writes of one position in line. Those that wait while one is being made are made together,
 * as a chain of separate commits in one atomic write (group commit).
 *
 * @module
 */

import type { Position } from "../storage/head.ts";
import { type Call, landCalls } from "./landing.ts";
import {
  mergedBy,
  type Outcome,
  type PreparedMerge,
  type Proposal,
  writtenBy,
} from "./outcome.ts";
import type { PreparedWrite } from "./prepared_write.ts";
import type { SharedStore } from "./shared_store.ts";
import type { MergeResult, Written } from "./surface.ts";

/** A queue of writes. */
export class CommitQueue {
  readonly #store: SharedStore;
  readonly #position: Position;
  readonly #emptied: () => void;
  #waiting: Call[] = [];
  #draining = false;

  /** Makes an empty queue; `emptied` is called whenever nothing waits any more. */
  constructor(store: SharedStore, position: Position, emptied: () => void) {
    this.#store = store;
    this.#position = position;
    this.#emptied = emptied;
  }

  /** Makes one commit of a write, in its turn. Answered once the commit is stored. */
  submit(write: PreparedWrite): Promise<Written> {
    return this.#enqueue(write, writtenBy);
  }

  /** Makes a merge or revert, in its turn. Answered once its commit, if any, is stored. */
  merge(merge: PreparedMerge): Promise<MergeResult> {
    return this.#enqueue(merge, mergedBy);
  }

  #enqueue<A>(
    proposal: Proposal,
    read: (outcome: Outcome) => A,
  ): Promise<A> {
    return new Promise((resolve, reject) => {
      const answer = (outcome: Outcome) => {
        if (outcome.is === "failed") reject(outcome.error);
        else resolve(read(outcome));
      };
      this.#waiting.push({ proposal, answer });
      if (!this.#draining) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    // Calls of the same moment shall travel together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const calls = this.#waiting;
      this.#waiting = [];
      const rest = await landCalls(this.#store, this.#position, calls);
      this.#waiting = [...rest, ...this.#waiting];
    }
    this.#draining = false;
    this.#emptied();
  }
}
