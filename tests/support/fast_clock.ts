/**
 * Makes time pass fast, so that what is bounded by seconds ends in milliseconds.
 *
 * @module
 */

/** Until the end of the scope, each reading of the forward clock is so many milliseconds after the one before. */
export function fastClock(stepMs: number): Disposable {
  const real = performance.now;
  let now = real.call(performance);
  performance.now = () => now += stepMs;
  return {
    [Symbol.dispose]() {
      performance.now = real;
    },
  };
}
