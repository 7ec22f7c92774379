/**
 * Revisions that name no commit, bases that do not fit, pages that cannot be.
 *
 * @module
 */

import { forget, history, recallAll, remember, whatsNew } from "@mnem/agents";
import { any, type BadInput } from "./bad_input.ts";
import { NO_COMMIT } from "./scene.ts";

/** What is wrong, and the revision. */
const BAD_REVISIONS: readonly (readonly [string, string])[] = [
  ["nothing of that name", "no-such-branch"],
  ["empty", ""],
  ["a commit that there is not", NO_COMMIT],
  ["a short one that there is not", "ffff"],
  ["too short", "abc"],
  ["before the root", "HEAD~99"],
  ["a third parent", "HEAD^3"],
  ["the second parent of a commit with one", "main~1^2"],
  ["a number that is none", "HEAD~x"],
  ["a time before the first commit", "@{1960-01-01T00:00Z}"],
  ["a time that is none", "@{yesterday}"],
  ["an open brace", "@{"],
  ["a range", "dev..main"],
  ["an option of git", "HEAD@{1}"],
  ["with NUL", "ma\0in"],
  ["half a character", "\ud800"],
  ["10,000 letters", "x".repeat(10_000)],
];

const REVISIONS: readonly BadInput[] = BAD_REVISIONS.flatMap((
  [name, revision],
) =>
  [
    {
      name: `revision to recall at: ${name}`,
      code: "invalid_ref",
      library: (store) => recallAll(store, { at: revision }),
      mcp: ["recall_at", { commit: revision }],
      cli: ["recall", `--at=${revision}`],
    },
    {
      name: `revision to merge: ${name}`,
      code: "invalid_ref",
      library: (store) => store.merge(revision),
      mcp: ["merge", { theirs: revision }],
      cli: ["merge", "--", revision],
    },
    {
      name: `revision to look into: ${name}`,
      code: "invalid_ref",
      library: (store) => whatsNew(store, revision),
      mcp: ["whats_new", { commit: revision }],
      cli: ["whats-new", "--", revision],
    },
  ] satisfies BadInput[]
);

const BASES: readonly (readonly [string, string, BadInput["code"]])[] = [
  ["a commit that there is not", NO_COMMIT, "invalid_ref"],
  ["no id", "the last one", "invalid_argument"],
  ["empty", "", "invalid_argument"],
  ['"none" where there is a commit that wrote it', "none", "conflict"],
];

const LIMITS: readonly (readonly [string, unknown])[] = [
  ["none", 0],
  ["less than none", -1],
  ["one and a half", 1.5],
  ["a word", "ten"],
  ["2^53", 2 ** 53],
];

/** Every one of them. */
export const BAD_REVISIONS_AND_PAGES: readonly BadInput[] = [
  ...REVISIONS,
  ...BASES.map(([name, base, code]): BadInput => ({
    name: `base: ${name}`,
    code,
    library: (store) =>
      remember(store, "a", "new", { base: base === "none" ? null : base }),
    mcp: ["remember", { id: "a", content: "new", base }],
    // The command line takes any revision, so there a word is a revision that names nothing.
    ...code === "invalid_argument"
      ? {}
      : { cli: ["remember", "a", "new", `--base=${base}`] },
  })),
  {
    name: "base: a revision that names nothing",
    code: "invalid_ref",
    cli: ["remember", "a", "new", "--base=the last one"],
  },
  {
    name: "base: the node was changed since",
    code: "conflict",
    library: async (store) => {
      const base = await store.resolve("HEAD~2");
      await forget(store, "a", { base });
    },
  },
  ...LIMITS.map(([name, limit]): BadInput => ({
    name: `limit: ${name}`,
    code: "invalid_argument",
    library: (store) => recallAll(store, { limit: any(limit) }),
    mcp: ["recall", { limit }],
    cli: ["recall", `--limit=${limit}`],
  })),
  ...LIMITS.map(([name, limit]): BadInput => ({
    name: `limit of the history: ${name}`,
    code: "invalid_argument",
    library: (store) => history(store, { limit: any(limit) }),
    mcp: ["history", { limit }],
    // As in git, a log of 0 commits is one.
    ...limit === 0 ? {} : { cli: ["log", `--limit=${limit}`] },
  })),
  {
    name: "cursor: one that no page gave",
    code: "invalid_argument",
    library: (store) => recallAll(store, { cursor: "next please" }),
    mcp: ["recall", { cursor: "next please" }],
    cli: ["recall", "--cursor=next please"],
  },
  {
    name: "cursor of the history: one that no page gave",
    code: "invalid_argument",
    library: (store) => history(store, { cursor: "next please" }),
    mcp: ["history", { cursor: "next please" }],
  },
  {
    name: "prefix: no text",
    code: "invalid_argument",
    library: (store) => recallAll(store, { prefix: any(5) }),
    mcp: ["recall", { prefix: [] }],
  },
  {
    name: "query: no text",
    code: "invalid_argument",
    library: (store) => recallAll(store, { query: any(5) }),
    mcp: ["recall", { query: {} }],
  },
];
