/**
 * What to do about a failure, for a model that reads nothing of it but its text.
 *
 * @module
 */

import { isMnemError, MnemError, type MnemErrorCode } from "@mnem/core";

/** What a tool knows to help, by code: mostly another tool. The end of a sentence, without a stop. */
export type NextSteps = { readonly [code in MnemErrorCode]?: string };

/** Where an id is none of memory. */
export const FIND_IDS_STEP =
  "recall by prefix or query finds the ids there are";
/** Where a revision names no commit. */
export const FIND_COMMITS_STEP = "history lists commits";

const NOT_OURS = "no call can mend it, tell the user";
const OF_ANY_TOOL: NextSteps = {
  busy: "try again",
  refused: "nothing was written, and the same again will be refused too",
  store_io: "if it stays so, tell the user",
  corrupt_store: NOT_OURS,
  format_version: NOT_OURS,
  no_store: NOT_OURS,
};
const MAYBE_WRITTEN =
  "it may have been written all the same, recall before you try again";

const ONCE = "try again with the same key, it is written once";

/**
 * Returns the error with what to do about it at the end of its message. Any other than a store's comes
 * back as it is. A call that is repeatable has a key.
 */
export function withNextStep(
  error: unknown,
  steps: NextSteps,
  isRepeatable = false,
): unknown {
  if (!isMnemError(error)) return error;
  const { code, message, outcome, data } = error;
  // Of a key that stands for another request the store says it all.
  if (data !== undefined && "key" in data) return error;
  const step = outcome === "unknown"
    ? isRepeatable ? ONCE : MAYBE_WRITTEN
    : steps[code] ?? OF_ANY_TOOL[code];
  // The store itself says of most that are busy to try again.
  if (step === undefined || message.endsWith(step)) return error;
  return new MnemError(code, `${message}; ${step}`, {
    cause: error,
    outcome,
    ...data === undefined ? {} : { data },
  });
}
