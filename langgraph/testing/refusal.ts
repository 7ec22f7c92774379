/**
 * Calls that a store must refuse.
 *
 * @module
 */

import assert from "node:assert/strict";

/** The error that a call ends with, thrown or by rejection; fails when it ends well. */
export async function refusalOf(
  what: string,
  call: () => unknown,
): Promise<Error> {
  try {
    await call();
  } catch (error) {
    assert.ok(isError(error), `${what} was refused with no Error`);
    return error;
  }
  return assert.fail(`${what} was accepted`);
}

/** Fails unless a call is refused with an error of that name: classes differ between loaded copies. */
export async function refusedAs(
  name: string,
  what: string,
  call: () => unknown,
): Promise<void> {
  const error = await refusalOf(what, call);
  assert.equal(error.name, name, `${what} was refused with ${error}`);
}

/** By its tag, so that an error of another realm is one too. */
function isError(value: unknown): value is Error {
  return Object.prototype.toString.call(value) === "[object Error]";
}
