/**
 * The names of the tools, written down once for all tests, in the order in which they are listed.
 *
 * @module
 */

/** Tools for a model that write. */
export const WRITE_NAMES: readonly string[] = [
  "remember",
  "revise",
  "remember_many",
  "forget",
];

/** Tools for a model that read. */
export const READ_NAMES: readonly string[] = [
  "recall",
  "recall_at",
  "history",
  "why",
  "when_did",
  "whats_new",
];

/** All tools for a model. */
export const CORE_NAMES: readonly string[] = [...WRITE_NAMES, ...READ_NAMES];

/** Tools that a harness has beside them. */
export const HARNESS_NAMES: readonly string[] = ["branch", "switch", "merge"];

/** All tools. */
export const ALL_NAMES: readonly string[] = [...CORE_NAMES, ...HARNESS_NAMES];
