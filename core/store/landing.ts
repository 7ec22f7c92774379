/**
 * Lands writes on a branch (FORMAT.md, "A commit"): plan on the head, write atomically if the head is
 * still there, else look what happened and try again.
 *
 * @module
 */

import { monotonicMs } from "../clock.ts";
import { isMnemError, MnemError } from "../errors.ts";
import { COMMIT_BUDGET_MS, GET_MANY_KEYS_MAX } from "../limits.ts";
import type { AtomicWrite, Key } from "../storage/driver.ts";
import {
  type Head,
  HEAD_ROWS,
  type HeadReading,
  type Position,
} from "../storage/head.ts";
import { isFull } from "../storage/kv_errors.ts";
import { describeKey } from "../storage/row.ts";
import { type Attempt, Attempts, describeChecks, writes } from "./attempts.ts";
import { BulkWrite } from "./bulk_write.ts";
import { backOff } from "../chance.ts";
import { deleteStaged, withStage } from "./delete_staged.ts";
import {
  adoption,
  landedOutcomes,
  outcomesUpTo,
  storedCommits,
} from "./landed_commits.ts";
import { commitsOf, keptOf, type Outcome, type Proposal } from "./outcome.ts";
import { type Chain, planChain, planningGround } from "./plan_chain.ts";
import type { PreparedWrite } from "./prepared_write.ts";
import { planOnce } from "./repeat.ts";
import { ledgerRows, RequestLedger } from "./request_ledger.ts";
import {
  chainWrite,
  keepChain,
  keepContent,
  withRequests,
} from "./send_chain.ts";
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

/** What a look at the branch found: where it stands, that it is all done, or that it must be looked again. */
type Look = Standing | { readonly outcomes: readonly Outcome[] } | "again";

/** Where a branch stands, and what it keeps, if there are keys to look for. */
interface Standing {
  readonly head: Head;
  readonly ledger?: RequestLedger | undefined;
}

class Landing {
  readonly #store: SharedStore;
  readonly #position: Position;
  readonly #proposals: readonly Proposal[];
  readonly #staged: PreparedWrite["staged"];
  // The names of requests that may have been made before.
  readonly #names: readonly string[];
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
    this.#names = proposals.flatMap(({ asked }) => asked?.name ?? []);
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
    // Where nobody else writes the head is known, and one round is enough. What is kept must be read.
    const isKnown = written?.alone && this.#names.length === 0;
    let known = isKnown ? written.head : undefined;
    for (let tries = 0;; tries++) {
      const look: Look = known === undefined
        ? await this.#look(written?.head)
        : { head: known };
      if (look === "again") {
        await backOff(tries);
        continue;
      }
      if ("outcomes" in look) return look.outcomes;
      const { head } = look;
      const chain = await this.#plan(look);
      if (chain.bulk !== null) {
        this.#concerned = 1;
        this.#bulk = await BulkWrite.prepare(this.#store, head.row, chain.bulk);
      } else if (writes(chain.outcomes)) {
        this.#concerned = chain.outcomes.length;
        if (await this.#send(look, chain)) return chain.outcomes;
        await backOff(tries);
      } else if (known === undefined) {
        // Only a stored commit may rest on a head that was not read just now.
        if (chain.outcomes[0]?.is === "repeated") await this.#emptyStage();
        return chain.outcomes;
      }
      known = undefined;
    }
  }

  async #plan({ head: { row, branch }, ledger }: Standing): Promise<Chain> {
    if (branch === null) throw new MnemError("invalid_ref", DETACHED);
    const store = this.#store;
    const tip = { row, branch };
    const [first] = this.#proposals;
    const bulk = this.#bulk;
    if (bulk === undefined || first === undefined) {
      return await planChain(store, tip, this.#proposals, ledger);
    }
    const ground = planningGround(store);
    const made = { store, ground, head: tip, tip, ledger };
    return bulk.chainOf(await planOnce(made, first, () => bulk.plan(tip)));
  }

  /**
   * Reads the head and, in the same round, the commits of earlier attempts. What landed is decided
   * before anything else: before the time is up, and before a conflict with what came later.
   */
  async #look(before: Head | undefined): Promise<Look> {
    const staged = this.#staged;
    const keys = this.#attempts.keys();
    const also = staged === undefined ? keys : [...keys, staged.mark.key];
    const reading = await this.#read(also);
    const { head, ledger } = reading;
    if (before && describeChecks(before) !== describeChecks(head)) {
      this.#alone = false;
    }
    const rows = reading.also.slice(0, keys.length);
    const mark = reading.also[keys.length]?.versionstamp ?? null;
    for (const attempt of this.#attempts.found(head, rows)) {
      const landed = await this.#landed(reading, attempt);
      if (landed !== null) return landed;
    }
    if (staged !== undefined && mark !== staged.mark.versionstamp) {
      return { outcomes: [{ is: "failed", error: new StageMoved() }] };
    }
    this.#checkBudget();
    return { head, ledger };
  }

  /** Reads the head and other rows, and what is kept on the branch: in the same round if that is of one moment. */
  async #read(also: readonly Key[]): Promise<HeadReading & Standing> {
    const { heads } = this.#store;
    const names = this.#names;
    if (names.length === 0) return await heads.read(this.#position, also);
    const guess = heads.guess(this.#position);
    const beside = ledgerRows(guess, names);
    const fits = HEAD_ROWS + also.length + beside.length <= GET_MANY_KEYS_MAX;
    const reading = await heads.read(
      this.#position,
      fits ? [...also, ...beside] : also,
    );
    const { branch } = reading.head;
    if (branch === null) return reading;
    const found = fits && branch === guess
      ? reading.also.slice(also.length)
      : undefined;
    const ledger = await RequestLedger.read(
      this.#store,
      { branch, names },
      found,
    );
    return { ...reading, ledger };
  }

  /** What became of an attempt whose first commit is stored; null if it must be planned anew. */
  async #landed(look: Standing, attempt: Attempt): Promise<Look | null> {
    const { head } = look;
    const stored = await storedCommits(this.#store, attempt);
    const landed = await landedOutcomes(this.#store, head, attempt, stored);
    const outcomes = landed ?? outcomesUpTo(attempt, stored.length);
    const kept = keptOf(outcomes);
    const isHere = head.branch === attempt.head.branch;
    const ledger = isHere ? look.ledger : undefined;
    const missing = ledger === undefined ? [] : ledger.missing(kept);
    // Somebody else made the same commit, and another one under our key.
    if (missing === undefined) return null;
    if (landed !== null) {
      // It came otherwise, or so long ago that others have taken the place of its key.
      if (missing.length > 0) {
        const only = withRequests({ checks: head.checks }, ledger, missing);
        if (await this.#sendOne(attempt, only) === null) {
          this.#checkBudget();
          return "again";
        }
      }
      await this.#emptyStage();
      return { outcomes };
    }
    const write = adoption(head, attempt, stored);
    if (write === null) return null;
    const whole = withRequests(write, ledger, missing);
    return await this.#commit(attempt, whole) === null ? null : { outcomes };
  }

  /** Sends a chain; false if it must be looked what came of it. */
  async #send({ head, ledger }: Standing, chain: Chain): Promise<boolean> {
    const { outcomes } = chain;
    const write = await chainWrite(head, chain, ledger);
    await this.#writePieces(outcomes);
    this.#store.setWritten(this.#position, undefined);
    const attempt = this.#attempts.add(head, outcomes);
    const sent = this.#commit(attempt, write);
    const keep = () => keepContent(this.#store, outcomes);
    // This thread has nothing else to do meanwhile. Of a large write it would have too much.
    if (this.#bulk === undefined) keep();
    const version = await sent;
    if (version === null) return false;
    if (this.#bulk !== undefined) keep();
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
    const version = await this.#sendOne(attempt, whole);
    if (version !== null && whole.deletes === undefined) {
      await this.#emptyStage(version);
    }
    return version;
  }

  async #sendOne(attempt: Attempt, write: AtomicWrite): Promise<string | null> {
    this.#endMs ??= monotonicMs() + COMMIT_BUDGET_MS;
    this.#lastError = undefined;
    try {
      const sent = await this.#store.driver.commit(write);
      attempt.refused = !sent.ok;
      return sent.ok ? sent.versionstamp : null;
    } catch (error) {
      this.#doubt(attempt, error);
      return null;
    }
  }

  /** Deletes what was staged when the stage had this version: else that at which it was read. */
  async #emptyStage(
    versionstamp = this.#staged?.mark.versionstamp ?? null,
  ): Promise<void> {
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
