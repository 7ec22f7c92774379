/**
 * What a failure means to whoever started a program of ours: one table for every skin.
 *
 * @module
 */

import { isMnemError, type MnemErrorCode } from "./errors.ts";

const EXIT_USAGE = 2;
const EXIT_DEFECT = 70;
const EXIT_STATUS: { readonly [code in MnemErrorCode]: number } = {
  not_found: 3,
  invalid_ref: 3,
  conflict: 4,
  refused: 4,
  busy: 5,
  no_store: 6,
  format_version: 6,
  store_exists: 6,
  corrupt_store: 7,
  store_io: 7,
};

/**
 * Returns the status that a program ends with over an error: 3 to 7 by the code of a `MnemError`, 2
 * for a bad argument, 70 for anything else, which is a defect of ours.
 *
 * @example
 * ```ts
 * import { exitStatus, openStore } from "@mnem/core";
 *
 * try {
 *   await openStore("./no-such-folder");
 * } catch (error) {
 *   if (exitStatus(error) !== 6) throw error; // no_store
 * }
 * ```
 */
export function exitStatus(error: unknown): number {
  if (isMnemError(error)) return EXIT_STATUS[error.code];
  return isBadArgument(error) ? EXIT_USAGE : EXIT_DEFECT;
}

/**
 * Tells whether an error is the caller's mistake: a TypeError, RangeError or SyntaxError, unless it
 * reads as the engine's own, which is a defect of the program.
 */
export function isBadArgument(error: unknown): error is Error {
  const isKind = error instanceof TypeError || error instanceof RangeError ||
    error instanceof SyntaxError;
  return isKind && !ENGINE_FAULT.test(error.message);
}

/** What the engine itself says where a program is wrong. */
const ENGINE_FAULT =
  /^Cannot (read|set) propert|^Cannot (destructure|convert|access) |is not (a function|iterable|a constructor)|^Maximum call stack|^Invalid (array|string) length/;
