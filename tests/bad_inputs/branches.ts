/**
 * Branches that cannot be or are not, merges and reverts that do not fit, questions that are none.
 *
 * @module
 */

import { whenDid } from "@mnem/agents";
import { any, type BadInput } from "./bad_input.ts";

const BAD_NAMES: readonly (readonly [string, string])[] = [
  ["empty", ""],
  ["HEAD", "HEAD"],
  ["two dots", "a..b"],
  ["a slash in front", "/a"],
  ["a slash behind", "a/"],
  ["a dot in front", ".a"],
  ["a dot behind", "a."],
  ["a space", "a b"],
  ["a tilde", "a~1"],
  ["a brace", "@{x}"],
  ["a colon", "a:b"],
  ["a control character", "a\u0007"],
  ["half a character", "a\ud800"],
  ["1,001 bytes", "x".repeat(1_001)],
];

const QUESTIONS: readonly (readonly [string, object, string[]])[] = [
  ["nothing asked", {}, []],
  ["two at once", { equals: 1, absent: true }, ["--equals=1", "--absent"]],
  ["present and absent", { present: true, absent: true }, [
    "--present",
    "--absent",
  ]],
];

/** Every one of them. */
export const BAD_BRANCHES: readonly BadInput[] = [
  ...BAD_NAMES.map(([name, branch]): BadInput => ({
    name: `new branch: ${name}`,
    code: "invalid_ref",
    library: (store) => store.createBranch(branch),
    mcp: ["branch", { name: branch }],
    cli: ["branch", "--", branch],
  })),
  {
    name: "new branch: there already, at another commit",
    code: "conflict",
    library: (store) => store.createBranch("dev"),
    mcp: ["branch", { name: "dev" }],
    cli: ["branch", "dev"],
  },
  {
    name: "new branch: from a commit that there is not",
    code: "invalid_ref",
    library: (store) => store.createBranch("new", { at: "nowhere" }),
    mcp: ["branch", { name: "new", start: "nowhere" }],
    cli: ["branch", "new", "nowhere"],
  },
  {
    name: "switch: to no branch",
    code: "invalid_ref",
    library: (store) => store.switchTo("nowhere"),
    mcp: ["switch", { target: "nowhere" }],
    cli: ["switch", "nowhere"],
  },
  {
    name: "delete: the branch that one is on",
    code: "conflict",
    library: (store) => store.deleteBranch("main"),
    cli: ["branch", "-d", "main"],
  },
  {
    name: "a view of a branch that there is not",
    code: "invalid_ref",
    library: (store) => store.on("nowhere").memory(),
  },
  {
    name: "merge: a resolution for what does not conflict",
    code: "not_found",
    library: (store) => store.merge("dev", { resolutions: { b: "ours" } }),
    mcp: ["merge", { theirs: "dev", resolutions: { b: "ours" } }],
    cli: ["merge", "dev", "--resolve=b=ours"],
  },
  {
    name: "merge: a resolution that is no word",
    code: "invalid_argument",
    library: (store) => store.merge("dev", { resolutions: { a: any("mine") } }),
    mcp: ["merge", { theirs: "dev", resolutions: { a: "mine" } }],
    cli: ["merge", "dev", "--resolve=a=mine"],
  },
  {
    name: "merge: a strategy that there is not",
    code: "invalid_argument",
    library: (store) => store.merge("dev", { strategy: any("octopus") }),
    mcp: ["merge", { theirs: "dev", strategy: "octopus" }],
    cli: ["merge", "dev", "--strategy=octopus"],
  },
  {
    name: "merge: a node of a resolution that cannot be stored",
    code: "invalid_argument",
    library: (store) =>
      store.merge("dev", { resolutions: { a: { content: 2n ** 64n } } }),
    mcp: ["merge", {
      theirs: "dev",
      resolutions: { a: { content: 2n ** 64n } },
    }],
    cli: ["merge", "dev", "--set=a=18446744073709551616"],
  },
  {
    name: "revert: a merge without a parent",
    code: "invalid_argument",
    library: (store) => store.revert("HEAD"),
    cli: ["revert", "HEAD"],
  },
  {
    name: "revert: a third parent",
    code: "invalid_argument",
    library: (store) => store.revert("HEAD", { parent: any(3) }),
    cli: ["revert", "HEAD", "--parent=3"],
  },
  {
    name: "revert: a commit that there is not",
    code: "invalid_ref",
    library: (store) => store.revert("nowhere"),
    cli: ["revert", "nowhere"],
  },
  ...QUESTIONS.map(([name, question, flags]): BadInput => ({
    name: `when did: ${name}`,
    code: "invalid_argument",
    library: (store) => whenDid(store, "a", any(question)),
    mcp: ["when_did", { id: "a", ...question }],
    cli: ["when-did", "a", ...flags],
  })),
  {
    name: "when did: it never was",
    code: "not_found",
    library: (store) => whenDid(store, "a", { equals: "never" }),
    mcp: ["when_did", { id: "a", equals: "never" }],
    cli: ["when-did", "a", '--equals="never"'],
  },
  {
    name: "when did: it was so at the beginning of the search",
    code: "invalid_ref",
    library: (store) => whenDid(store, "b", { equals: "two", good: "HEAD~1" }),
    mcp: ["when_did", { id: "b", equals: "two", good: "HEAD~1" }],
    cli: ["when-did", "b", '--equals="two"', "--good=HEAD~1"],
  },
  {
    name: "when did: good is not before bad",
    code: "invalid_ref",
    library: (store) =>
      whenDid(store, "a", { equals: "main", good: "HEAD", bad: "HEAD~1" }),
    mcp: ["when_did", {
      id: "a",
      equals: "main",
      good: "HEAD",
      bad: "HEAD~1",
    }],
    cli: ["when-did", "a", '--equals="main"', "--good=HEAD", "--bad=HEAD~1"],
  },
  {
    name: "diff: from a commit that there is not",
    code: "invalid_ref",
    library: (store) => Array.fromAsync(store.diff("nowhere")),
    cli: ["diff", "nowhere", "HEAD"],
  },
  {
    name: "a command or a tool that there is not",
    code: "invalid_argument",
    cli: ["rebase", "main"],
  },
  {
    name: "an option that there is not",
    code: "invalid_argument",
    mcp: ["recall", { ids: ["a"] }],
    cli: ["recall", "--ids=a"],
  },
];
