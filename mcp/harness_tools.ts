/**
 * The tools for an agent's harness: branches, and what becomes of them. Listed with `--tools=all`.
 *
 * @module
 */

import { provenanceOf } from "@mnem/agents";
import type { Json, Resolution, Store } from "@mnem/core";
import type { ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import { callName } from "./call_name.ts";
import { EVIDENCE_ARGUMENTS, evidenceOf } from "./evidence.ts";
import { branchesPage, mergePage, type PageOptions } from "./pages.ts";
import {
  anyJson,
  argumentsOf,
  changesResult,
  nodeResult,
  optionalFlag,
  optionalInteger,
  optionalMapOf,
  optionalText,
  optionalWord,
  requiredText,
} from "./schemas.ts";
import { defineTool, type Tool } from "./tool.ts";

const MOVES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const LISTS: ToolAnnotations = { ...MOVES, readOnlyHint: true };
// A side that forgot a node takes it out of memory here too.
const MERGES: ToolAnnotations = { ...MOVES, destructiveHint: true };

const FIND_BRANCHES_STEP = "branch without name lists branches";

const page = {
  limit: optionalInteger("Branches of the page; default 50", 1),
  cursor: optionalText("next_cursor, to go on"),
};
const branchNames = z.looseObject({}).meta({
  additionalProperties: { type: "string" },
});

const word = z.enum(["ours", "theirs", "base", "delete"]);
const node = argumentsOf({
  content: anyJson("Any JSON value, stored as it is"),
  content_kind: optionalWord("note if left out", ["note", "claim"]),
  ...EVIDENCE_ARGUMENTS,
});
const resolution = z.union([word, node]);

const side = z.union([nodeResult, z.null()]);
const merged = z.object({
  status: z.string(),
  commit: z.any().meta({
    anyOf: [
      { type: "string", description: "The merge; theirs if fast-forwarded" },
      { type: "null" },
    ],
  }),
  conflicts: z.array(z.object({
    id: z.string(),
    kind: z.string(),
    base: side,
    ours: side,
    theirs: side,
  })),
  changes: changesResult,
  reconciled: z.array(z.string()),
  conflicts_omitted: z.int().optional(),
  changes_omitted: z.int().optional(),
  reconciled_omitted: z.int().optional(),
  next_cursor: z.string().optional(),
});

/** `branch` of a server that only reads: it lists. */
export const LISTING_TOOL: Tool = defineTool({
  name: "branch",
  title: "Branches",
  description:
    "List the branches: result {name: commit}. Use it to see which lines of memory there are; to read one of them, recall_at with its name as commit. This server only reads: it makes no branch.",
  annotations: LISTS,
  input: argumentsOf(page),
  output: z.object({
    result: branchNames,
    next_cursor: z.string().optional(),
  }),
  run: (args, { store }) => branchesPage(store, args),
});

/** The tools for a harness, in the order in which they are listed. */
export const HARNESS_TOOLS: readonly Tool[] = [
  defineTool({
    name: "branch",
    title: "Branch",
    description:
      "Make a branch: a line of memory that changes without changing the others. Use it before you try what may be thrown away, or to give each agent a line of its own; then switch to it, which this does not. Without name, list branches. Returns branch and commit; of the list, result {name: commit}. conflict if the branch stands at another commit.",
    annotations: MOVES,
    input: argumentsOf({
      name: optionalText("Branch to make, such as try/new-plan"),
      start: optionalText("Where it begins: commit or branch; default HEAD"),
      ...page,
    }),
    output: z.object({
      branch: z.string().optional(),
      commit: z.string().optional(),
      result: branchNames.optional(),
      next_cursor: z.string().optional(),
    }),
    nextSteps: { conflict: "take another name, or switch to it" },
    run: (args, { store }) => makeOrList(store, args),
  }),
  defineTool({
    name: "switch",
    title: "Switch",
    description:
      'Go on at another branch: calls that follow read and write there. Use it to work on a branch and to come back; only to read one, recall_at with its name as commit. Unless this server is bound to a branch, others on the store move too. Returns head: "ref: NAME"; after a switch to a commit it is the commit, where nothing can be written.',
    annotations: MOVES,
    // A host may send a switch and what is meant to follow it at once.
    alone: true,
    input: argumentsOf({ target: requiredText("Branch or commit") }),
    output: z.object({ head: z.string() }),
    nextSteps: { invalid_ref: FIND_BRANCHES_STEP },
    run: (args, { store }) => switchTo(store, args.target),
  }),
  defineTool({
    name: "merge",
    title: "Merge",
    description:
      "Bring another branch into the current one, as one commit. Use it when work on a branch is to count here; with dry_run first, to see what would come of it. Returns status: merged, fast-forwarded, up-to-date, or conflicts. With conflicts nothing was written, and base, ours and theirs are shown with their evidence: decide, and call again with resolutions. Not for facts of your own: remember or revise.",
    annotations: MERGES,
    input: argumentsOf({
      theirs: requiredText("Branch or commit to bring in"),
      resolutions: optionalMapOf(
        "By node id: ours, theirs, base, delete, or a node that says what holds",
        resolution,
        (value) => typeof value === "string" ? word : node,
      ),
      strategy: optionalWord("Side that wins where no resolution says more", [
        "ours",
        "theirs",
      ]),
      message: optionalText("Commit message"),
      dry_run: optionalFlag("Only say what would come of it"),
      key: optionalText("As in remember"),
    }),
    output: merged,
    nextSteps: {
      invalid_ref: FIND_BRANCHES_STEP,
      not_found: "dry_run shows what conflicts",
    },
    run: async (args, context) => {
      const { store, author } = context;
      const { theirs, resolutions = new Map(), strategy, message } = args;
      const result = await store.merge(theirs, {
        resolutions: Object.fromEntries(
          Array.from(resolutions, ([id, value]) => [id, resolutionOf(value)]),
        ),
        strategy,
        message,
        author,
        dryRun: args.dry_run,
        key: callName(args.key, context),
      });
      return mergePage(result);
    },
  }),
];

interface BranchArguments extends PageOptions {
  readonly name?: string | undefined;
  readonly start?: string | undefined;
}

async function makeOrList(store: Store, args: BranchArguments): Promise<Json> {
  const { name, start, limit, cursor } = args;
  if (name === undefined) {
    if (start === undefined) return await branchesPage(store, args);
    throw new TypeError("Cannot branch: start needs a name to be given");
  }
  if (limit !== undefined || cursor !== undefined) {
    throw new TypeError(
      "Cannot branch: limit and cursor are for the list, not beside name",
    );
  }
  // By its id, so that the answer is what the branch was made at.
  const commit = await store.resolve(start ?? "HEAD");
  await store.createBranch(name, { at: commit });
  return { branch: name, commit };
}

async function switchTo(store: Store, target: string): Promise<Json> {
  await store.switchTo(target);
  const { branch, commit } = await store.head();
  return { head: branch === null ? commit : `ref: ${branch}` };
}

function resolutionOf(given: z.output<typeof resolution>): Resolution {
  if (typeof given === "string") return given;
  return {
    content: given.content,
    contentKind: given.content_kind,
    provenance: provenanceOf(evidenceOf(given)),
    eventTimeMs: given.event_time,
  };
}
