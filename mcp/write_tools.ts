/**
 * The tools that write: one call, one commit.
 *
 * @module
 */

import { forget, remember, rememberMany, type Summary } from "@mnem/agents";
import type { Json } from "@mnem/core";
import type { ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import { callName } from "./call_name.ts";
import {
  EVIDENCE_ARGUMENTS,
  evidenceOf,
  KNOWN_EVIDENCE_ARGUMENTS,
} from "./evidence.ts";
import { FIND_IDS_STEP } from "./next_step.ts";
import { NO_COMMIT, writtenPage } from "./pages.ts";
import {
  anyJson,
  argumentsOf,
  changesResult,
  listOf,
  optionalText,
  requiredText,
} from "./schemas.ts";
import { defineTool, type Tool, type ToolContext } from "./tool.ts";

// Repeating a write changes nothing: an equal value makes no commit.
const RECORDS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
// What lets a host ask the user first, although history keeps the node.
const REMOVES: ToolAnnotations = { ...RECORDS, destructiveHint: true };

const written = z.object({
  commit: z.string(),
  changes: changesResult,
  next_cursor: z.string().optional().describe("The rest is in whats_new"),
});

const nodeId = requiredText("Node id");
// What remember says of the same arguments is listed once.
const base = optionalText();
const key = optionalText();

const fact = argumentsOf({
  id: requiredText("Node id, such as customer/alice/plan"),
  content: anyJson("Any JSON, stored as it is"),
  ...EVIDENCE_ARGUMENTS,
  summary: optionalText("Commit message"),
  base: optionalText("as_of you read; conflict if the node changed since"),
  key: optionalText("Any text, the same on a retry: done once"),
});
const revision = argumentsOf({
  id: nodeId,
  content: anyJson("The whole new value"),
  ...KNOWN_EVIDENCE_ARGUMENTS,
  summary: optionalText(),
  base,
  key,
});
const facts = argumentsOf({
  items: listOf(argumentsOf({
    id: nodeId,
    content: anyJson(),
    ...KNOWN_EVIDENCE_ARGUMENTS,
  })),
  summary: optionalText(),
  base,
  key,
});

const CONFLICT_STEP =
  "recall what changed, and write again with the new as_of as base if it should still be so";

/** The tools that write, in the order in which they are listed. */
export const WRITE_TOOLS: readonly Tool[] = [
  defineTool({
    name: "remember",
    title: "Remember",
    description:
      "Record one fact with its evidence, as one commit. Use it when you learn something worth keeping; revise if the node exists, remember_many for facts that came together. Returns commit and changes {id: kind}; the same again makes none.",
    annotations: RECORDS,
    input: fact,
    output: written,
    nextSteps: { conflict: CONFLICT_STEP },
    run: rememberFact,
  }),
  defineTool({
    name: "revise",
    title: "Revise a belief",
    description:
      "Change what a node says: content and evidence replace the old, which history keeps. Use it, not forget and remember, when a belief was wrong or changed. Arguments and result as for remember.",
    annotations: RECORDS,
    input: revision,
    output: written,
    nextSteps: { conflict: CONFLICT_STEP },
    run: rememberFact,
  }),
  defineTool({
    name: "remember_many",
    title: "Remember many",
    description:
      "Record facts that came together as one commit, all or none. Each item takes the arguments of remember, with its own evidence. For one fact, remember. Returns commit and changes.",
    annotations: RECORDS,
    input: facts,
    output: written,
    nextSteps: { conflict: CONFLICT_STEP },
    run: async (args, context) => {
      const items = args.items.map((item) => ({
        id: item.id,
        content: item.content,
        ...evidenceOf(item),
      }));
      const { store } = context;
      return writtenPage(
        await rememberMany(store, items, summaryOf(args, context)),
      );
    },
  }),
  defineTool({
    name: "forget",
    title: "Forget",
    description:
      "Remove a node from current memory, as one commit. Use it when nothing takes its place; to correct it, revise. History keeps it: nothing is erased. Returns commit and changes; not_found if absent.",
    annotations: REMOVES,
    input: argumentsOf({ id: nodeId, summary: optionalText(), base, key }),
    output: written,
    nextSteps: { conflict: CONFLICT_STEP, not_found: FIND_IDS_STEP },
    run: async (args, context) =>
      writtenPage(
        await forget(context.store, args.id, summaryOf(args, context)),
      ),
  }),
];

// Two names for one thing: a model reaches for the one that says what it means.
async function rememberFact(
  args: z.output<typeof fact>,
  context: ToolContext,
): Promise<Json> {
  return writtenPage(
    await remember<Json>(context.store, args.id, args.content, {
      ...evidenceOf(args),
      ...summaryOf(args, context),
    }),
  );
}

interface SummaryArguments {
  readonly summary?: string | undefined;
  readonly base?: string | undefined;
  readonly key?: string | undefined;
}

function summaryOf(args: SummaryArguments, context: ToolContext): Summary {
  return {
    summary: args.summary,
    author: context.author,
    base: args.base === NO_COMMIT ? null : args.base,
    key: callName(args.key, context),
  };
}
