/**
 * Tries a small atomic write until it lands: refs, HEAD and the stage change this way.
 *
 * @module
 */

import { monotonicMs } from "../clock.ts";
import { isMnemError, MnemError } from "../errors.ts";
import { COMMIT_BUDGET_MS } from "../limits.ts";
import { backOff } from "../chance.ts";
import { isFull, isLocked } from "../storage/kv_errors.ts";

/**
 * Calls `attempt` until it gives an answer. Undefined asks for another attempt, and so does a locked
 * file or a lost answer; after five seconds `busy`. An attempt reads before it writes, so that one
 * whose answer was lost finds its own work done. Once an answer was lost, every error has the
 * outcome "unknown".
 */
export async function untilLanded<T>(
  what: string,
  attempt: () => Promise<T | undefined>,
): Promise<T> {
  const endMs = monotonicMs() + COMMIT_BUDGET_MS;
  let unanswered = false;
  for (let tries = 0;; tries++) {
    let failure: MnemError | undefined;
    try {
      const answer = await attempt();
      if (answer !== undefined) return answer;
    } catch (error) {
      if (!isMnemError(error)) throw error;
      const isLost = error.outcome === "unknown";
      unanswered ||= isLost;
      const again = error.code === "busy" ||
        isLost && error.code === "store_io" && !isFull(error);
      if (!again) throw withOutcome(error, unanswered);
      failure = error;
    }
    if (monotonicMs() >= endMs) {
      throw withOutcome(outOfTime(what, failure), unanswered);
    }
    await backOff(tries);
  }
}

/** An error like another one that says whether something may have been written. */
export function withOutcome(error: MnemError, unanswered: boolean): MnemError {
  const outcome = unanswered ? "unknown" : "none";
  if (error.outcome === outcome) return error;
  const { code, message, data } = error;
  return new MnemError(code, message, {
    cause: error,
    outcome,
    ...data === undefined ? {} : { data },
  });
}

/** The error of a write whose time is up: what went wrong last, or else that others were always faster. */
export function outOfTime(
  what: string,
  cause: MnemError | undefined,
): MnemError {
  if (cause !== undefined && cause.code !== "busy") return cause;
  const seconds = COMMIT_BUDGET_MS / 1000;
  const why = isLocked(cause)
    ? "another process held the lock of the file"
    : "other writers were faster";
  return new MnemError(
    "busy",
    `Cannot ${what}: ${why} for ${seconds} seconds; try again`,
    { cause },
  );
}
