/**
 * The code of a caller's mistake. Failures of the store carry theirs already.
 *
 * @module
 */

import { InvalidNamespaceError } from "@langchain/langgraph-checkpoint";

/** As on every other door. */
const CODE = "invalid_argument";

const KINDS = [TypeError, RangeError, SyntaxError, InvalidNamespaceError];

/**
 * Makes a call; an error that says that an argument was wrong carries the code `invalid_argument`.
 */
export async function withCode<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw coded(error);
  }
}

/** Makes a call that answers at once, likewise. */
export function withCodeNow<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw coded(error);
  }
}

function coded(error: unknown): unknown {
  const canTake = KINDS.some((kind) => error instanceof kind) &&
    typeof error === "object" && error !== null && !("code" in error) &&
    Object.isExtensible(error);
  if (canTake) Object.defineProperty(error, "code", { value: CODE });
  return error;
}
