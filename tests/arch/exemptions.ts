/**
 * Every exemption from a rule, with its reason. One that nothing needs any more is itself a finding.
 *
 * @module
 */

import type { Finding } from "./project.ts";

/** A break of a rule that is allowed. */
export interface Exemption {
  /** The rule. */
  readonly rule: string;
  /** The file; a folder with a slash at its end; empty for anywhere. */
  readonly path: string;
  /** A part of the finding's text. */
  readonly what: string;
  /** Why it is right here. */
  readonly reason: string;
}

/** All of them. */
export const EXEMPTIONS: readonly Exemption[] = [
  {
    rule: "L2",
    path: "cli/sources/item_store.ts",
    what: "imports (computed), which is no entry of a package",
    reason: "the module that a user names makes the store that is imported",
  },
  {
    rule: "L3",
    path: "core/errors.ts",
    what: "ground imports object: core/object/json.ts (type)",
    reason: "an error's data is JSON, and the type Json is defined once",
  },
  {
    rule: "L5",
    path: "core/object/hash.ts",
    what: "imports npm blake3-jit",
    reason: "BLAKE3 is not among the built-ins; one file hides the package",
  },
  {
    rule: "L5",
    path: "core/storage/",
    what: "imports npm @deno/kv",
    reason: "KV where Deno.openKv is missing: Node, Bun, a jsr: program",
  },
  {
    rule: "L6",
    path: "cli/sources/digest.ts",
    what: "imports node:crypto",
    reason: "SHA-256, which is a function of its text",
  },
  {
    rule: "L6",
    path: "core/clock.ts",
    what: "uses Date.now",
    reason: "the one reader of the system's time",
  },
  {
    rule: "L6",
    path: "core/clock.ts",
    what: "uses performance.now",
    reason: "the one reader of a clock that only moves forward",
  },
  {
    rule: "L6",
    path: "core/storage/open_driver.ts",
    what: "uses process.env",
    reason: "variables that redirect a KV file, and the token of a remote one",
  },
  {
    rule: "L6",
    path: "core/chance.ts",
    what: "uses crypto.getRandomValues",
    reason: "names of packs and stores that no other process draws",
  },
  {
    rule: "L6",
    path: "core/chance.ts",
    what: "uses Math.random",
    reason: "jitter between two attempts",
  },
  {
    rule: "L6",
    path: "mcp/main.ts",
    what: "uses process.env",
    reason: "the program reads MNEM_STORE and MNEM_AUTHOR",
  },
  {
    rule: "L6",
    path: "mcp/main.ts",
    what: "uses console",
    reason: "turns what a dependency prints away from the protocol",
  },
  {
    rule: "L6",
    path: "cli/mod.ts",
    what: "uses console",
    reason: "--version is there before anything else is loaded",
  },
  {
    rule: "L6",
    path: "cli/main.ts",
    what: "uses process.env",
    reason: "the program reads MNEM_STORE, MNEM_AUTHOR, NO_COLOR and TERM",
  },
  {
    rule: "L6",
    path: "cli/main.ts",
    what: "uses Date.now",
    reason: "the clock of a program, handed on to the store that it opens",
  },
  {
    rule: "exports",
    path: "scripts/npm/compact_plugin.ts",
    what: "has a default export",
    reason: "Deno's linter asks a plugin for one",
  },
  {
    rule: "glossary",
    path: "",
    what: "exports MemoryNode: ",
    reason: "the stored kind is memory_node, and the type is named after it",
  },
  {
    rule: "glossary",
    path: "",
    what: "exports Snapshot: ",
    reason: "the type of memory as of a commit",
  },
  {
    rule: "glossary",
    path: "core/store/commit_snapshot.ts",
    what: "exports CommitSnapshot: ",
    reason: "is a Snapshot",
  },
  {
    rule: "glossary",
    path: "core/storage/",
    what: 'for "key" say',
    reason: "here a key is a key of KV",
  },
  {
    rule: "glossary",
    path: "core/limits.ts",
    what: 'for "key" say',
    reason: "limits of KV's keys",
  },
  {
    rule: "glossary",
    path: "core/storage/chunk_record.ts",
    what: 'for "record" say',
    reason: "a chunk record is a part of a row, no node",
  },
  {
    rule: "glossary",
    path: "langgraph/testing/",
    what: 'for "key" say',
    reason: "a key of LangGraph: with the namespace it names an item",
  },
  {
    rule: "glossary",
    path: "mcp/",
    what: '_META_KEY: for "key" say',
    reason: "a key of _meta, as MCP calls it",
  },
];

/** What is left of the findings, and a finding for each exemption that none of them needed. */
export function withoutExempt(
  findings: readonly Finding[],
  exemptions: readonly Exemption[],
): Finding[] {
  const needed = new Set<Exemption>();
  const left = findings.filter((finding) => {
    const exemption = exemptions.find((one) => covers(one, finding));
    if (exemption !== undefined) needed.add(exemption);
    return exemption === undefined;
  });
  const idle = exemptions.filter((one) => !needed.has(one));
  return [
    ...left,
    ...idle.map(({ rule, path, what }) => ({
      rule,
      path,
      line: 0,
      what: `is exempt for "${what}", which it does not need`,
    })),
  ];
}

function covers(exemption: Exemption, finding: Finding): boolean {
  const { rule, path, what } = exemption;
  return rule === finding.rule && finding.what.includes(what) &&
    (path === "" || path.endsWith("/")
      ? finding.path.startsWith(path)
      : finding.path === path);
}
