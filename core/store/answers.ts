/**
 * What a caller is told of what became of its write or merge.
 *
 * @module
 */

import { invariant } from "../errors.ts";
import type { Outcome } from "./plan_chain.ts";
import type { MergeResult, Written } from "./surface.ts";

/** The answer to a write. */
export function writtenBy(outcome: Outcome): Written {
  if (outcome.is === "repeated") {
    invariant(outcome.written !== null, "a repeated write was one before");
    return outcome.written;
  }
  if (outcome.is === "commit") {
    const { made, changes } = outcome.planned;
    return { commit: made.row.commit.id, changes };
  }
  const head = outcome.is === "unchanged" ? outcome.head : null;
  return { commit: head?.commit.id ?? null, changes: new Map() };
}

/** The answer to a merge or revert. */
export function mergedBy(outcome: Outcome): MergeResult {
  const result = "result" in outcome ? outcome.result : null;
  invariant(result !== null, "a merge comes to a result");
  return result;
}
