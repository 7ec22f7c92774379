/**
 * The tools that read: what is believed, what was, and why.
 *
 * @module
 */

import { type Question, toWire, whenDid, why } from "@mnem/agents";
import type { Json, Store } from "@mnem/core";
import type { ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import { FLIPS_MAX } from "./limits.ts";
import { changesPage, historyPage, NO_COMMIT, recallPage } from "./pages.ts";
import {
  changesResult,
  commitResult,
  nodeResult,
  optionalFlag,
  optionalInteger,
  optionalJson,
  optionalText,
} from "./schemas.ts";
import { defineTool, type Tool } from "./tool.ts";

const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const id = z.string().describe("Node id");
const optionalId = optionalText("One node; without it, a page of all");
const REVISION = "Commit id (4+ digits), branch, HEAD, HEAD~2";
const revision = z.string().describe(REVISION);
const page = {
  limit: optionalInteger("Entries of the page", 1),
  cursor: optionalText("next_cursor of the page before"),
};

const nextCursor = z.string().optional();
const recalled = z.object({
  result: z.union([nodeResult, z.array(nodeResult), z.null()]),
  next_cursor: nextCursor,
  as_of: z.string(),
});
const blamed = z.object({
  commit: z.string(),
  node: nodeResult,
  time: z.int(),
});

/** The tools that read, in the order in which they are listed. */
export const READ_TOOLS: readonly Tool[] = [
  defineTool({
    name: "recall",
    title: "Recall",
    description:
      "Read current memory: one node by id (null if absent), or a page of all nodes in id order. as_of names the commit read.",
    annotations: READS,
    input: z.strictObject({
      id: optionalId,
      prefix: optionalText("Only ids that begin so"),
      query: optionalText("Only nodes that contain this text"),
      ...page,
    }),
    output: recalled,
    run: (args, { store }) => {
      const { id, ...rest } = args;
      if (id === undefined) return recallPage(store, rest);
      for (const name of ["prefix", "query", "cursor"] as const) {
        if (rest[name] !== undefined) throw besideId("recall", name);
      }
      return recallNode(store, id);
    },
  }),
  defineTool({
    name: "recall_at",
    title: "Recall at a commit",
    description: "Read memory as it was at a commit: one node, or a page.",
    annotations: READS,
    input: z.strictObject({ commit: revision, id: optionalId, ...page }),
    output: recalled,
    run: (args, { store }) => {
      const { commit: at, id, limit, cursor } = args;
      if (id === undefined) return recallPage(store, { at, limit, cursor });
      if (cursor !== undefined) throw besideId("recall_at", "cursor");
      return recallNode(store, id, at);
    },
  }),
  defineTool({
    name: "history",
    title: "History",
    description: "List commits, newest first.",
    annotations: READS,
    input: z.strictObject(page),
    output: z.object({
      result: z.array(commitResult),
      next_cursor: nextCursor,
    }),
    run: (args, { store }) => historyPage(store, args),
  }),
  defineTool({
    name: "why",
    title: "Why",
    description:
      "Tell why a node is believed: the commit that set its value, with the evidence given then.",
    annotations: READS,
    input: z.strictObject({ id, at: optionalText(`As of: ${REVISION}`) }),
    output: blamed,
    run: async (args, { store }) =>
      toWire(await why(store, args.id, { at: args.at })),
  }),
  defineTool({
    name: "when_did",
    title: "When did",
    description:
      "Find the first commit where a node equals a value, is absent or is present. Give exactly one of the three. flips lists the commits where the answer changed.",
    annotations: READS,
    input: z.strictObject({
      id,
      equals: optionalJson("The value"),
      absent: optionalFlag("Ask when it was gone"),
      present: optionalFlag("Ask when it was there"),
      good: optionalText("Search after this commit"),
      bad: optionalText("Search up to this commit; default HEAD"),
    }),
    output: z.object({
      commit: z.string(),
      written_in: z.string(),
      flips: z.array(z.string()),
      flips_complete: z.boolean(),
      blame: z.union([blamed, z.null()]),
    }),
    run: (args, { store }) => answerWhen(store, args),
  }),
  defineTool({
    name: "whats_new",
    title: "What is new",
    description: "List what a commit added, modified and removed.",
    annotations: READS,
    input: z.strictObject({ commit: revision, ...page }),
    output: z.object({ result: changesResult, next_cursor: nextCursor }),
    run: ({ commit, ...rest }, { store }) => changesPage(store, commit, rest),
  }),
];

/** Reads a node together with the commit that it was read from. */
async function recallNode(
  store: Store,
  id: string,
  at?: string,
): Promise<Json> {
  const memory = await store.at(at);
  const node = await memory.node(id);
  return {
    result: node === null ? null : toWire(node),
    as_of: memory.commit?.id ?? NO_COMMIT,
  };
}

interface WhenArguments {
  readonly id: string;
  readonly equals?: Json | undefined;
  readonly absent?: boolean | undefined;
  readonly present?: boolean | undefined;
  readonly good?: string | undefined;
  readonly bad?: string | undefined;
}

async function answerWhen(
  store: Store,
  args: WhenArguments,
): Promise<Json> {
  const found = await whenDid(store, args.id, questionOf(args));
  const flips = found.flips.slice(0, FLIPS_MAX);
  return {
    commit: found.commit.id,
    written_in: found.writtenIn.id,
    flips,
    flips_complete: found.flipsComplete && flips.length === found.flips.length,
    blame: found.blame === null ? null : toWire(found.blame),
  };
}

// A model that asks for absence may send `equals: null` beside it, meaning nothing by it.
function questionOf(args: WhenArguments): Question {
  const { good, bad } = args;
  const absent = args.absent === true;
  const present = args.present === true;
  const equals = args.equals !== undefined &&
    !(args.equals === null && (absent || present));
  if ([absent, present, equals].filter((asked) => asked).length !== 1) {
    throw new TypeError(
      "Cannot when_did: exactly one of equals, absent: true and present: true must be given",
    );
  }
  if (absent) return { good, bad, absent: true };
  if (present) return { good, bad, present: true };
  return { good, bad, equals: args.equals };
}

function besideId(tool: string, name: string): TypeError {
  return new TypeError(`Cannot ${tool}: ${name} is for a page, not beside id`);
}
