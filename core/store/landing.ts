/**
 * Lands writes on a branch (FORMAT.md, "A commit"): plan on the head, write atomically if the head is
 * still there, else look what happened and try again.
 *
 * @module
 */

import { monotonicMs } from "../clock.ts";
import { isMnemError, MnemError } from "../errors.ts";
import { COMMIT_BUDGET_MS } from "../limits.ts";
import type { AtomicWrite, Driver } from "../storage/driver.ts";
import type { Head, Position } from "../storage/head.ts";
import { isFull } from "../storage/kv_errors.ts";
import { describeKey } from "../storage/row.ts";
import { type Attempt, Attempts, describeChecks } from "./attempts.ts";
import { BulkWrite } from "./bulk_write.ts";
import { backOff } from "../chance.ts";
import { deleteStaged, withStage } from "./delete_staged.ts";
import {
  adoption,
  landedOutcomes,
  outcomesUpTo,
  storedCommits,
} from "./landed_commits.ts";
import {
  type Chain,
  commitsOf,
  landingsOf,
  type Outcome,
  planChain,
  type Proposal,
} from "./plan_chain.ts";
import type { PreparedWrite } from "./prepared_write.ts";
import { chainWrite, keepChain } from "./send_chain.ts";
import type { SharedStore } from "./shared_store.ts";
import { StageMoved } from "./stage_moved.ts";
import { outOfTime, withOutcome } from "./until_landed.ts";
import { writeAhead } from "./write_ahead.ts";

/** A write, merge or revert that waits for its answer. */
export interface Call {
  /** What is to be done. */
  readonly proposal: Proposal;
  /** Answers it: with an error where it failed. */
  readonly answer: (outcome: Outcome) => void;
}

/**
 * Lands the first of some calls, as many as one atomic write holds, and answers them, with an error
 * if it must be; returns the others. Never throws.
 */
export async function landCalls(
  store: SharedStore,
  position: Position,
  calls: readonly Call[],
): Promise<readonly Call[]> {
  const proposals = calls.map(({ proposal }) => proposal);
  const outcomes = await new Landing(store, position, proposals).run();
  outcomes.forEach((outcome, i) => calls[i]!.answer(outcome));
  return calls.slice(outcomes.length);
}

/** What a look at the branch found: where it stands, or that it is all done. */
type Look = { readonly head: Head } | { readonly outcomes: readonly Outcome[] };

class Landing {
  readonly #store: SharedStore;
  readonly #position: Position;
  readonly #proposals: readonly Proposal[];
  readonly #staged: PreparedWrite["staged"];
  readonly #attempts = new Attempts();
  // Keys of pieces that are written: another attempt names the same.
  readonly #pieces = new Set<string>();
  #bulk: BulkWrite | undefined;
  // Nobody else wrote since this process did.
  #alone = true;
  // How many of the proposals an error concerns.
  #concerned: number;
  #endMs: number | undefined;
  #lastError: MnemError | undefined;

  constructor(
    store: SharedStore,
    position: Position,
    proposals: readonly Proposal[],
  ) {
    this.#store = store;
    this.#position = position;
    const [first] = proposals;
    this.#proposals = proposals;
    this.#staged = first && "staged" in first ? first.staged : undefined;
    this.#concerned = proposals.length;
  }

  /** Returns what became of the first writes, at least of one. */
  async run(): Promise<readonly Outcome[]> {
    try {
      return this.#withDoubt(await this.#land());
    } catch (error) {
      const count = Math.max(this.#concerned, this.#attempts.unanswered);
      const failed = this.#proposals.slice(0, count);
      return this.#withDoubt(failed.map(() => ({ is: "failed", error })));
    }
  }

  /** Says of an error that something may have been written where that is so. */
  #withDoubt(outcomes: readonly Outcome[]): readonly Outcome[] {
    return outcomes.map((outcome, i) => {
      const doubtful = outcome.is === "failed" && isMnemError(outcome.error) &&
        this.#attempts.mayHold(i);
      return doubtful
        ? { is: "failed", error: withOutcome(outcome.error, true) }
        : outcome;
    });
  }

  async #land(): Promise<readonly Outcome[]> {
    const written = this.#store.written(this.#position);
    // Where nobody else writes the head is known, and one round is enough.
    let known = written?.alone ? written.head : undefined;
    for (let tries = 0;; tries++) {
      const look: Look = known === undefined
        ? await this.#look(written?.head)
        : { head: known };
      if ("outcomes" in look) return look.outcomes;
      const { head } = look;
      if (head.branch === null) throw new MnemError("invalid_ref", DETACHED);
      const chain = await this.#plan(head, head.branch);
      if (chain.bulk !== null) {
        this.#concerned = 1;
        this.#bulk = await BulkWrite.prepare(this.#store, head.row, chain.bulk);
      } else if (landingsOf(chain.outcomes).length > 0) {
        this.#concerned = chain.outcomes.length;
        if (await this.#send(head, chain)) return chain.outcomes;
        await backOff(tries);
      } else if (known === undefined) {
        // Only a stored commit may rest on a head that was not read just now.
        return chain.outcomes;
      }
      known = undefined;
    }
  }

  async #plan({ row }: Head, branch: string): Promise<Chain> {
    if (this.#bulk !== undefined) return await this.#bulk.plan(row);
    return await planChain(this.#store, { row, branch }, this.#proposals);
  }

  /**
   * Reads the head and, in the same round, the commits of earlier attempts. What landed is decided
   * before anything else: before the time is up, and before a conflict with what came later.
   */
  async #look(before: Head | undefined): Promise<Look> {
    const staged = this.#staged;
    const keys = this.#attempts.keys();
    const also = staged === undefined ? keys : [...keys, staged.mark.key];
    const reading = await this.#store.heads.read(this.#position, also);
    const { head } = reading;
    if (before && describeChecks(before) !== describeChecks(head)) {
      this.#alone = false;
    }
    const rows = reading.also.slice(0, keys.length);
    const mark = reading.also[keys.length]?.versionstamp ?? null;
    for (const attempt of this.#attempts.found(head, rows)) {
      const outcomes = await this.#landed(head, attempt);
      if (outcomes !== null) return { outcomes };
    }
    if (staged !== undefined && mark !== staged.mark.versionstamp) {
      return { outcomes: [{ is: "failed", error: new StageMoved() }] };
    }
    this.#checkBudget();
    return { head };
  }

  /** What became of an attempt whose first commit is stored; null if it must be planned anew. */
  async #landed(
    head: Head,
    attempt: Attempt,
  ): Promise<readonly Outcome[] | null> {
    const stored = await storedCommits(this.#store, attempt);
    const landed = await landedOutcomes(this.#store, head, attempt, stored);
    if (landed !== null) {
      await this.#emptyStage(this.#staged?.mark.versionstamp ?? null);
      return landed;
    }
    const write = adoption(head, attempt, stored);
    return write !== null && await this.#commit(attempt, write) !== null
      ? outcomesUpTo(attempt, stored.length)
      : null;
  }

  /** Sends a chain; false if it must be looked what came of it. */
  async #send(head: Head, chain: Chain): Promise<boolean> {
    const { outcomes, chunks } = chain;
    const write = await chainWrite(head, outcomes, chunks);
    await this.#writePieces(outcomes);
    this.#store.setWritten(this.#position, undefined);
    const attempt = this.#attempts.add(head, outcomes);
    const version = await this.#commit(attempt, write);
    if (version === null) return false;
    const made = keepChain(this.#store, head, outcomes, version);
    this.#store.setWritten(this.#position, { head: made, alone: this.#alone });
    return true;
  }

  /** Pieces of long values come first: what names them must find them. */
  async #writePieces(outcomes: readonly Outcome[]): Promise<void> {
    const pieces = commitsOf(outcomes).flatMap(({ rows }) => rows.ahead)
      .filter(({ key }) => !this.#pieces.has(describeKey(key)));
    if (pieces.length > 0) await writeAhead(this.#store.driver, pieces);
    for (const { key } of pieces) this.#pieces.add(describeKey(key));
  }

  /** Makes one atomic write, what is staged included; null if it must be looked what came of it. */
  async #commit(attempt: Attempt, write: AtomicWrite): Promise<string | null> {
    const whole = withStage(write, this.#staged);
    this.#endMs ??= monotonicMs() + COMMIT_BUDGET_MS;
    this.#lastError = undefined;
    let sent: Awaited<ReturnType<Driver["commit"]>>;
    try {
      sent = await this.#store.driver.commit(whole);
    } catch (error) {
      this.#doubt(attempt, error);
      return null;
    }
    attempt.refused = !sent.ok;
    if (!sent.ok) return null;
    if (whole.deletes === undefined) await this.#emptyStage(sent.versionstamp);
    return sent.versionstamp;
  }

  /** Deletes what was staged when the stage had this version. */
  async #emptyStage(versionstamp: string | null): Promise<void> {
    if (this.#staged === undefined) return;
    const { mark: { key }, rows } = this.#staged;
    try {
      await deleteStaged(this.#store.driver, rows, { key, versionstamp });
    } catch (error) {
      // The commit itself is there.
      throw isMnemError(error) ? withOutcome(error, true) : error;
    }
  }

  /** A lock is tried again, and so is a lost answer, once it is known not to have landed. */
  #doubt(attempt: Attempt, error: unknown): void {
    if (!isMnemError(error)) throw error;
    if (error.outcome === "unknown") attempt.unanswered = true;
    else if (error.code !== "busy") throw error;
    this.#lastError = error;
  }

  /** Time bounds the attempts, from the first one sent; what is damaged is not tried again. */
  #checkBudget(): void {
    const error = this.#lastError;
    const isOver = this.#endMs !== undefined && monotonicMs() >= this.#endMs;
    const isHopeless = error?.code === "corrupt_store" || isFull(error);
    if (!isHopeless && !isOver) return;
    // What was not answered did not land after all, unless it still may.
    throw withOutcome(outOfTime("write", error), false);
  }
}

const DETACHED =
  "Cannot write: HEAD is detached, must be on a branch (switch to one first)";
