/**
 * The flags that decide conflicts, of merges and of reverts.
 *
 * @module
 */

import { provenanceOf } from "@mnem/agents";
import {
  type Json,
  type MergeOptions,
  parseJson,
  type Resolution,
} from "@mnem/core";
import type { OptionSpec } from "./command.ts";
import {
  COMMIT_OPTIONS,
  commitOptionsOf,
  ONCE_OPTION,
} from "./commit_options.ts";
import {
  EVIDENCE_NAMES,
  EVIDENCE_OPTIONS,
  evidenceOf,
} from "./content_options.ts";
import { type Given, UsageError } from "./given.ts";

/** What merges and reverts take. */
export const MERGE_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--resolve <id=side>",
    what: "decide a conflict: ours, theirs, base or delete",
    repeated: true,
  },
  {
    flags: "--set <id=json>",
    what: "decide a conflict by a content of your own",
    repeated: true,
  },
  ...EVIDENCE_OPTIONS.map(({ flags, what }) => ({
    flags,
    what: `${what}, for each --set`,
  })),
  {
    flags: "--strategy <side>",
    what: "decide all other conflicts",
    words: ["ours", "theirs"],
  },
  { flags: "--dry-run", what: "only say what would come of it" },
  ...COMMIT_OPTIONS,
  ONCE_OPTION,
];

const SIDES: ReadonlyMap<string, "ours" | "theirs" | "base" | "delete"> =
  new Map([
    ["ours", "ours"],
    ["theirs", "theirs"],
    ["base", "base"],
    ["delete", "delete"],
  ]);

/**
 * Reads the flags of a merge or a revert.
 *
 * @throws {UsageError} If a resolution has no side or no JSON, or a node is decided twice.
 */
export function mergeOptionsOf(given: Given): MergeOptions {
  const strategy = given.text("strategy");
  return {
    ...commitOptionsOf(given),
    resolutions: resolutionsOf(given),
    strategy: strategy === "ours" || strategy === "theirs"
      ? strategy
      : undefined,
    dryRun: given.has("dryRun"),
  };
}

function resolutionsOf(given: Given): { [id: string]: Resolution } {
  const sets = given.texts("set");
  const { eventTimeMs, ...evidence } = evidenceOf(given);
  if (sets.length === 0 && EVIDENCE_NAMES.some((name) => given.has(name))) {
    throw new UsageError("evidence is of a node: it needs --set <id=json>");
  }
  const provenance = provenanceOf(evidence);
  const all: (readonly [string, Resolution])[] = [
    ...given.texts("resolve").map(sideOf),
    ...sets.map((text) => {
      const [id, content] = contentOf(text);
      return [id, { content, provenance, eventTimeMs }] as const;
    }),
  ];
  const seen = new Set<string>();
  for (const [id] of all) {
    if (seen.has(id)) {
      throw new UsageError(`node ${JSON.stringify(id)} is decided twice`);
    }
    seen.add(id);
  }
  // Own properties: an id may be "__proto__".
  return Object.fromEntries(all);
}

/** The side stands after the last `=`, so that an id may hold others. */
function sideOf(text: string): readonly [string, Resolution] {
  const end = text.lastIndexOf("=");
  const side = SIDES.get(text.slice(end + 1));
  if (end < 0 || side === undefined) {
    throw new UsageError(
      `--resolve must be <id>=ours, theirs, base or delete, not ${
        JSON.stringify(text)
      }`,
    );
  }
  return [text.slice(0, end), side];
}

/** The content stands after the first `=` that JSON follows, so that both may hold others. */
function contentOf(text: string): readonly [string, Json] {
  for (
    let end = text.indexOf("=");
    end >= 0;
    end = text.indexOf("=", end + 1)
  ) {
    try {
      return [text.slice(0, end), parseJson(text.slice(end + 1))];
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  throw new UsageError(
    `--set must be <id>=<json>, not ${
      JSON.stringify(text)
    }; a text is JSON only in double quotes`,
  );
}
