/**
 * The flags that say what a commit says of itself.
 *
 * @module
 */

import type { Summary } from "@mnem/agents";
import type { CommitOptions, Store } from "@mnem/core";
import type { OptionSpec } from "./command.ts";
import type { Given } from "./given.ts";

/** What each command that makes a commit takes. */
export const COMMIT_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "-m, --message <text>",
    what: "what the commit says; given twice: a paragraph each",
    repeated: true,
  },
  { flags: "--author <name>", what: "who makes it (else MNEM_AUTHOR)" },
  { flags: "--time-ms <ms>", what: "its time, Unix milliseconds (else now)" },
];

/** What each of them takes that makes one commit at most. */
export const ONCE_OPTION: OptionSpec = {
  flags: "--key <key>",
  what: "make the commit once: the same key again gives the same answer",
};

/** What was read before writing. */
export const BASE_OPTION: OptionSpec = {
  flags: "--base <commit>",
  what: 'the commit you had read, or "none": refuse if a node changed since',
};

/** Reads the flags of a commit. */
export function commitOptionsOf(given: Given): CommitOptions {
  const message = given.has("message")
    ? given.texts("message").join("\n\n")
    : undefined;
  return {
    message,
    author: given.text("author"),
    timeMs: given.integer("timeMs"),
    key: given.text("key"),
  };
}

/** Reads the flags of a commit that a verb makes. */
export async function summaryOf(given: Given, store: Store): Promise<Summary> {
  const { message, author, timeMs, key } = commitOptionsOf(given);
  const base = given.text("base");
  return {
    summary: message,
    author,
    timeMs,
    key,
    base: base === undefined
      ? undefined
      : base === "none"
      ? null
      : await store.resolve(base),
  };
}
