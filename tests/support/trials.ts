/**
 * How many times a test that tries at random tries: a share of it in the tests that run all the time,
 * all of it where the environment asks for it, as the deep tests do.
 *
 * @module
 */

/** Set to 1, every trial is made. */
export const ALL_TRIALS = "MNEM_TEST_ALL_TRIALS";

const SHARE = Deno.env.get(ALL_TRIALS) === "1" ? 1 : 0.2;

/** Returns how many of so many trials are made now, one at least; also for what is counted in them. */
export function trials(all: number): number {
  return Math.ceil(all * SHARE);
}
