/**
 * Branch names.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { BRANCH_NAME_BYTES_MAX } from "../limits.ts";
import { typeName } from "./check_text.ts";
import { quote } from "./quote.ts";
import { utf8Length } from "./utf8.ts";

/**
 * Returns a branch name as it is: letters and digits of any script and `- _ . /`, neither starting
 * nor ending with `/` or `.`, without `..`, not `HEAD`, at most 1,000 bytes of UTF-8. Throws an
 * MnemError `invalid_ref` for any other text, a TypeError unless it is a string.
 */
export function checkBranchName(name: unknown): string {
  if (typeof name !== "string") {
    throw new TypeError(
      `Cannot use branch name: ${typeName(name)}, must be a string`,
    );
  }
  const fault = findFault(name);
  if (fault !== undefined) {
    throw new MnemError(
      "invalid_ref",
      `Cannot use branch name ${quote(name)}: ${fault}`,
    );
  }
  return name;
}

/** Tells whether text could be the name of a branch. */
export function isBranchName(text: string): boolean {
  return findFault(text) === undefined;
}

function findFault(name: string): string | undefined {
  if (name === "") return "it is empty, must have a character";
  if (name === "HEAD") return "HEAD is not a branch";
  if (/^[/.]|[/.]$/.test(name)) {
    return 'it must not start or end with "/" or "."';
  }
  if (name.includes("..")) return 'it must not have ".."';
  // A lone surrogate is neither a letter nor a digit.
  const other = /[^\p{Alphabetic}\p{N}\-_./]/u.exec(name);
  if (other !== null) {
    return `it has ${
      quote(other[0])
    }, must have letters, digits and "-_./" only`;
  }
  const size = utf8Length(name);
  return size > BRANCH_NAME_BYTES_MAX
    ? `${size} bytes, the limit is ${BRANCH_NAME_BYTES_MAX}`
    : undefined;
}
