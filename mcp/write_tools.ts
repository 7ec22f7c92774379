/**
 * The tools that write: one call, one commit.
 *
 * @module
 */

import { forget, remember, rememberMany, type Summary } from "@mnem/agents";
import type { Json } from "@mnem/core";
import type { ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import { EVIDENCE_ARGUMENTS, evidenceOf } from "./evidence.ts";
import { NO_COMMIT, writtenPage } from "./pages.ts";
import { anyJson, changesResult, listOf, optionalText } from "./schemas.ts";
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
  next_cursor: z.string().optional(),
});

const id = z.string().describe("Node id, such as user/plan");
const content = anyJson("Any JSON value, stored as it is");
const base = optionalText(
  'as_of you had read, or "none"; conflict if a node changed since',
);
const summary = optionalText("Commit message");

const fact = z.strictObject({
  id,
  content,
  ...EVIDENCE_ARGUMENTS,
  summary,
  base,
});
const facts = z.strictObject({
  items: listOf(z.strictObject({ id, content, ...EVIDENCE_ARGUMENTS })),
  summary,
  base,
});

/** The tools that write, in the order in which they are listed. */
export const WRITE_TOOLS: readonly Tool[] = [
  factTool(
    "remember",
    "Remember",
    "Record one fact as one commit, with its evidence. An equal value makes no commit.",
  ),
  factTool(
    "revise",
    "Revise a belief",
    "Change what you believe about a node, and say on what evidence. The old value stays in history.",
  ),
  defineTool({
    name: "remember_many",
    title: "Remember many",
    description: "Record several facts as one commit: all of them or none.",
    annotations: RECORDS,
    input: facts,
    output: written,
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
      "Remove one node from current memory, as one commit. History keeps it: recall_at still reads it. not_found if absent.",
    annotations: REMOVES,
    input: z.strictObject({ id, summary, base }),
    output: written,
    run: async (args, context) =>
      writtenPage(
        await forget(context.store, args.id, summaryOf(args, context)),
      ),
  }),
];

// Two names for one thing: a model reaches for the one that says what it means.
function factTool(name: string, title: string, description: string): Tool {
  return defineTool({
    name,
    title,
    description,
    annotations: RECORDS,
    input: fact,
    output: written,
    run: (args, context) => rememberFact(args, context),
  });
}

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
}

function summaryOf(args: SummaryArguments, context: ToolContext): Summary {
  return {
    summary: args.summary,
    author: context.author,
    base: args.base === NO_COMMIT ? null : args.base,
  };
}
