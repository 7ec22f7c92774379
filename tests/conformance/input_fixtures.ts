/**
 * What the conformance suite looks for that needs something of its client: by revision 2026-07-28 a
 * call says what it needs, and is made again with it.
 *
 * @module
 */

import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequest,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";

/** One thing that a call needs. */
interface Question {
  /** As it is sent. */
  readonly request: InputRequest;
  /** Returns what the client said under a key, as text; undefined if that is no answer. */
  answer(context: ServerContext, key: string): string | undefined;
}

/** What a call needs, each thing under the key that the suite answers to. */
type Questions = { readonly [key: string]: Question };

const description = "A fixture";

const NAME = { user_name: form("What is your name?", { name: z.string() }) };
const CONFIRM = { confirm: form("Please confirm", { ok: z.boolean() }) };
const GREETING = { greeting: completion("Generate a greeting") };
const ROOTS = { client_roots: folders() };

/** Tools that ask once. Those with a state send it along, signed, and get it back. */
const TOOLS: readonly (readonly [string, Questions, state?: string])[] = [
  ["test_input_required_result_elicitation", NAME],
  ["test_input_required_result_sampling", {
    capital_question: completion("What is the capital of France?"),
  }],
  ["test_input_required_result_list_roots", ROOTS],
  ["test_input_required_result_request_state", CONFIRM, "state-ok"],
  ["test_input_required_result_tampered_state", CONFIRM, "signed"],
  ["test_input_required_result_multiple_inputs", {
    ...NAME,
    ...GREETING,
    ...ROOTS,
  }, "signed"],
  ["test_missing_capability", GREETING],
  ["test_streaming_elicitation", NAME],
];

// Any key does: what the suite alters no longer fits its signature.
const codec = createRequestStateCodec<string>({ key: new Uint8Array(32) });

/** Adds it to a server that has no transport yet. */
export function addInputFixtures(server: McpServer): void {
  // The SDK takes the check from whoever makes a server, and the factory has no need of one.
  Object.assign(server.server, { _requestStateVerify: codec.verify });
  for (const [name, questions, state] of TOOLS) {
    server.registerTool(name, { description }, (context) => {
      const answers = answersIn(context, questions);
      return answers === undefined
        ? ask(questions, state)
        : said(...answers, context.mcpReq.requestState<string>() ?? "");
    });
  }
  addRounds(server);
  addCapabilities(server);
  addPrompt(server);
}

/** Asks twice, and knows by the state where it is. */
function addRounds(server: McpServer): void {
  const first = {
    step1: form("Step 1: What is your name?", { name: z.string() }),
  };
  const second = {
    step2: form("Step 2: What is your favorite color?", { color: z.string() }),
  };
  server.registerTool(
    "test_input_required_result_multi_round",
    { description },
    (context) => {
      const isSecond = context.mcpReq.requestState() === "second";
      const answers = answersIn(context, isSecond ? second : first);
      if (isSecond) {
        return answers === undefined ? ask(second, "second") : said(...answers);
      }
      return answers === undefined
        ? ask(first, "first")
        : ask(second, "second");
    },
  );
}

/** Asks for nothing that the client cannot give. */
function addCapabilities(server: McpServer): void {
  server.registerTool(
    "test_input_required_result_capabilities",
    { description },
    (context) => {
      const { sampling, elicitation } = capabilitiesIn(context);
      const questions = { ...sampling && GREETING, ...elicitation && NAME };
      const answers = answersIn(context, questions);
      return answers === undefined ? ask(questions) : said(...answers);
    },
  );
}

function addPrompt(server: McpServer): void {
  const questions = {
    user_context: form("What context should the prompt use?", {
      context: z.string(),
    }),
  };
  server.registerPrompt(
    "test_input_required_result_prompt",
    { description },
    (context) => {
      const answers = answersIn(context, questions);
      if (answers === undefined) return ask(questions);
      const text = answers.join();
      return { messages: [{ role: "user", content: { type: "text", text } }] };
    },
  );
}

/** Returns the answers to all questions, or undefined where one is missing. */
function answersIn(
  context: ServerContext,
  questions: Questions,
): string[] | undefined {
  const asked = Object.entries(questions);
  const answers = asked.flatMap(([key, question]) =>
    question.answer(context, key) ?? []
  );
  return answers.length === asked.length ? answers : undefined;
}

async function ask(
  questions: Questions,
  state?: string,
): Promise<InputRequiredResult> {
  const inputRequests = Object.fromEntries(
    Object.entries(questions).map(([key, { request }]) => [key, request]),
  );
  if (state === undefined) return inputRequired({ inputRequests });
  const requestState = await codec.mint(state);
  return inputRequired({ inputRequests, requestState });
}

function form(
  message: string,
  fields: { readonly [name: string]: z.ZodType },
): Question {
  const requestedSchema = z.object(fields);
  return {
    request: inputRequired.elicit({ message, requestedSchema }),
    answer: ({ mcpReq: { inputResponses } }, key) => {
      const filled = acceptedContent(inputResponses, key, requestedSchema);
      return filled && Object.values(filled).join();
    },
  };
}

function completion(text: string): Question {
  return {
    request: inputRequired.createMessage({
      messages: [{ role: "user", content: { type: "text", text } }],
      maxTokens: 100,
    }),
    answer: ({ mcpReq: { inputResponses } }, key) => {
      const view = inputResponse(inputResponses, key);
      return view.kind === "sampling"
        ? JSON.stringify(view.result.content)
        : undefined;
    },
  };
}

function folders(): Question {
  return {
    request: inputRequired.listRoots(),
    answer: ({ mcpReq: { inputResponses } }, key) => {
      const view = inputResponse(inputResponses, key);
      return view.kind === "roots"
        ? view.roots.map(({ uri }) => uri).join()
        : undefined;
    },
  };
}

/** Returns what the client said that it can do. */
function capabilitiesIn(
  { mcpReq: { envelope } }: ServerContext,
): { readonly [capability: string]: object | undefined } {
  return Object(envelope)[CLIENT_CAPABILITIES_META_KEY] ?? {};
}

function said(...texts: string[]): CallToolResult {
  return { content: texts.map((text) => ({ type: "text", text })) };
}
