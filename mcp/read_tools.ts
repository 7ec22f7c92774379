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
import { FIND_COMMITS_STEP, FIND_IDS_STEP } from "./next_step.ts";
import { changesPage, historyPage, NO_COMMIT, recallPage } from "./pages.ts";
import {
  argumentsOf,
  changesResult,
  commitResult,
  nodeResult,
  optionalFlag,
  optionalInteger,
  optionalJson,
  optionalText,
  requiredText,
} from "./schemas.ts";
import { defineTool, type Tool } from "./tool.ts";

const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const nodeId = requiredText("Node id");
const optionalId = optionalText("One node");
const limit = optionalInteger(undefined, 1);
const page = { limit, cursor: optionalText("next_cursor, to go on") };

const nextCursor = z.string().optional().describe(
  "There is more: pass it as cursor, and the other arguments again",
);
const recalled = z.object({
  result: z.union([nodeResult, z.array(nodeResult), z.null()]),
  next_cursor: nextCursor,
  as_of: z.string().describe('The commit read, "none" before the first'),
});
const blamed = z.object({
  commit: z.string(),
  node: nodeResult,
  time: z.int().describe("Unix ms"),
});

/** The tools that read, in the order in which they are listed. */
export const READ_TOOLS: readonly Tool[] = [
  defineTool({
    name: "recall",
    title: "Recall",
    description:
      "Read current memory; use it before you answer or write. With id: result is that node, or null. Without: a page of nodes in id order, all or by prefix and query. as_of is the commit read; next_cursor: there is more.",
    annotations: READS,
    input: argumentsOf({
      id: optionalId,
      prefix: optionalText("Only ids that begin so"),
      query: optionalText(
        "Only nodes with this in id or content, any case",
      ),
      limit,
      cursor: optionalText("next_cursor; repeat the other arguments"),
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
    description:
      "Read memory as it was at a commit; returns what recall does. Use it for what was believed before a change or at a time; for the reasons, why.",
    annotations: READS,
    input: argumentsOf({
      commit: requiredText(
        "Commit id (4+ digits), branch, HEAD, ID~1 (the one before), @{2026-11-03T12:00Z} (as of then)",
      ),
      id: optionalId,
      ...page,
    }),
    output: recalled,
    nextSteps: { invalid_ref: FIND_COMMITS_STEP },
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
    description:
      "List commits, newest first, with message, author and time. Use it to see what happened lately or to find a commit; about one node, why or when_did.",
    annotations: READS,
    input: argumentsOf(page),
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
      "Tell why a node is believed: the commit that set it, the node with its provenance (the evidence given then), the time. Use it when a belief is questioned. not_found if absent; if forgotten, give at.",
    annotations: READS,
    input: argumentsOf({ id: nodeId, at: optionalText("As of this commit") }),
    output: blamed,
    nextSteps: {
      invalid_ref: FIND_COMMITS_STEP,
      not_found:
        `${FIND_IDS_STEP}; of a forgotten node ask at a commit that had it`,
    },
    run: async (args, { store }) =>
      toWire(await why(store, args.id, { at: args.at })),
  }),
  defineTool({
    name: "when_did",
    title: "When did",
    description:
      "Find the first commit where a node equals a value, is gone or is there: give exactly one of equals, absent, present. Use it to find where a belief went wrong. Returns commit, blame (as why) and flips: all commits where the answer changed.",
    annotations: READS,
    input: argumentsOf({
      id: nodeId,
      equals: optionalJson("The whole value"),
      absent: optionalFlag("true: since when it is gone"),
      present: optionalFlag("true: since when it is there"),
      good: optionalText("After this commit"),
      bad: optionalText("Up to this commit; default HEAD"),
    }),
    output: z.object({
      commit: z.string(),
      written_in: z.string().describe(
        "The commit of a merged branch that wrote it; else the same",
      ),
      flips: z.array(z.string()).describe("Oldest first"),
      flips_complete: z.boolean(),
      blame: z.union([blamed, z.null()]),
    }),
    nextSteps: {
      invalid_ref: FIND_COMMITS_STEP,
      not_found: "recall shows what is there now",
    },
    run: (args, { store }) => answerWhen(store, args),
  }),
  defineTool({
    name: "whats_new",
    title: "What is new",
    description:
      "List what one commit added, modified and removed: result {id: kind}. Use it to see what else came with a fact; for values, recall_at; for the latest commits, history.",
    annotations: READS,
    input: argumentsOf({ commit: requiredText("As in recall_at"), ...page }),
    output: z.object({ result: changesResult, next_cursor: nextCursor }),
    nextSteps: { invalid_ref: FIND_COMMITS_STEP },
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
