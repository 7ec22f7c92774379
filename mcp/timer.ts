/**
 * A pause that keeps no process alive.
 *
 * @module
 */

import { clearTimeout, setTimeout } from "node:timers";

/** Calls back once, after a pause of its own length, unless the function that it returns is called before. */
export type Timer = (call: () => void) => () => void;

/** Returns a timer of so many milliseconds. A process with nothing else to do ends in spite of it. */
export function idleTimer(ms: number): Timer {
  return (call) => {
    const pending = setTimeout(call, ms);
    pending.unref();
    return () => clearTimeout(pending);
  };
}
