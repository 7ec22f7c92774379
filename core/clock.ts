/**
 * The only reader of system time. Everything else takes a {@linkcode Clock} as an argument, so that
 * a test, a replay or an import decides what time it is.
 *
 * @module
 */

/** Returns the time now in Unix milliseconds, an integer. */
export type Clock = () => number;

/** The system's clock. */
export const systemClock: Clock = () => Date.now();

/** A reading of a clock that only moves forward, in milliseconds, for deadlines and budgets. */
export function monotonicMs(): number {
  return performance.now();
}
