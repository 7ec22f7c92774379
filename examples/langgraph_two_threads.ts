/**
 * An assistant on LangGraph talks with one customer in two threads, which share what it remembers. A
 * guess is worked out by a subgraph on a branch apart: one holds and is merged, one does not and is
 * dropped. At the end a belief is asked why.
 *
 * The model is a fake, so that no key is needed: `deno run -A examples/langgraph_two_threads.ts`. Every
 * line it prints is computed from the store, and the times are fixed, so that the ids are the same
 * each time.
 *
 * @module
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
} from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import {
  END,
  type LangGraphRunnableConfig,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { openStore, type Store } from "@mnem/core";
import { mnemosyne, MnemosyneStore } from "@mnem/langgraph";

/** What a test may change about the story. */
export interface ExampleOptions {
  /** What the guess that holds rests on. */
  readonly observation?: string;
  /** Receives each line of output. */
  readonly print?: (line: string) => void;
}

type Print = (line: string) => void;
type Conversation = typeof MessagesAnnotation.State;

/** Where all that is known of the customer stands. */
const CUSTOMER = ["customers", "acme"];
const MONDAY_MS = Date.UTC(2026, 10, 2, 9);
const DAY_MS = 24 * 3_600_000;

/** Plays the story in a store in a temporary folder, which it removes. */
export async function main(options: ExampleOptions = {}): Promise<void> {
  const { observation = "two invoices in one month", print = toTerminal } =
    options;
  const folder = await mkdtemp(join(tmpdir(), "mnem-demo-"));
  try {
    let nowMs = MONDAY_MS;
    await using store = await openStore(folder, {
      create: true,
      author: "assistant",
      clock: () => nowMs,
    });
    const memory = new MnemosyneStore(store);
    const assistant = assistantOn(memory);
    await talk(assistant, print, "monday", "Hello, our plan is enterprise");
    nowMs += 3 * DAY_MS;
    await talk(assistant, print, "thursday", "What do you know about us?");

    const holds = { item: "account", guess: "acme-labs", observation };
    await consider(memory, print, holds);
    nowMs += DAY_MS;
    await talk(assistant, print, "monday", "By the way, our contact is bob");
    await settle(memory, print, { item: "account", store, holds: true });

    const fails = { item: "plan", guess: "pro", observation: "a typing error" };
    await consider(memory, print, fails);
    await settle(memory, print, { item: "plan", store, holds: false });

    await explain(memory, print, "account");
    await list(memory, print);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A graph that recalls, answers and learns: compiled as with any other store. */
function assistantOn(memory: MnemosyneStore) {
  return new StateGraph(MessagesAnnotation)
    .addNode("answer", answer)
    .addNode("learn", learn)
    .addEdge(START, "answer").addEdge("answer", "learn").addEdge("learn", END)
    .compile({ store: memory, checkpointer: new MemorySaver() });
}

/** One turn of one thread. */
async function talk(
  assistant: ReturnType<typeof assistantOn>,
  print: Print,
  thread: string,
  said: string,
): Promise<void> {
  const { messages } = await assistant.invoke(
    { messages: [new HumanMessage(said)] },
    { configurable: { thread_id: thread } },
  );
  print(`Thread ${thread}`);
  print(`  customer   ${said}`);
  print(`  assistant  ${messages.at(-1)?.text}`);
}

/** Reads through LangGraph's own store, as any node does. */
async function answer(
  { messages }: Conversation,
  { store }: LangGraphRunnableConfig,
): Promise<{ messages: BaseMessage[] }> {
  const items = await store?.search(CUSTOMER) ?? [];
  const known = items.map(({ key, value }) => `${key} is ${value["is"]}`);
  const reply = await assistantModel().invoke([
    new SystemMessage(known.join(", ")),
    ...messages,
  ]);
  return { messages: [reply] };
}

/** Writes through `mnemosyne`, which adds the thread to where a belief comes from. */
async function learn(
  { messages }: Conversation,
  config: LangGraphRunnableConfig,
): Promise<object> {
  const observation = messages.findLast((one) => one.type === "human")?.text ??
    "";
  const reply = messages.at(-1);
  const calls = AIMessage.isInstance(reply) ? reply.tool_calls ?? [] : [];
  for (const { args } of calls) {
    await mnemosyne(config).put(CUSTOMER, args["item"], {
      is: args["is"],
      _meta: { observation, step: "learn" },
    });
  }
  return {};
}

/** Stands for a model: it repeats what it is told, and calls a tool for what it hears. */
function assistantModel(): ReturnType<typeof fakeModel> {
  return fakeModel().respond((messages) => {
    const said = messages.at(-1)?.text ?? "";
    const [, item, is] = /our (\w+) is ([\w-]+)/.exec(said) ?? [];
    if (item === undefined) {
      return new AIMessage(`I know: ${messages[0]?.text}`);
    }
    const call = { name: "remember", args: { item, is }, id: "call-1" };
    return new AIMessage({
      content: `Noted: ${item} is ${is}`,
      tool_calls: [call],
    });
  });
}

/** What is guessed of one item. */
interface Guess {
  readonly item: string;
  readonly guess: string;
  readonly observation: string;
}

/** A subgraph works out a guess on a branch; what it writes reaches nobody else. */
async function consider(
  memory: MnemosyneStore,
  print: Print,
  { item, guess, observation }: Guess,
): Promise<void> {
  const work = new StateGraph(MessagesAnnotation)
    .addNode("guess", async (_state, config: LangGraphRunnableConfig) => {
      await config.store?.put(CUSTOMER, item, { is: guess });
      return {};
    })
    .addEdge(START, "guess").addEdge("guess", END).compile();
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("consider", async (state, config: LangGraphRunnableConfig) => {
      const here = mnemosyne(config).withProvenance({
        observation,
        step: "guess",
      });
      const branch = await here.branch(branchOf(item));
      // The view is the store of this one run.
      await work.invoke(state, { ...config, store: here.onBranch(branch) });
      return {};
    })
    .addEdge(START, "consider").addEdge("consider", END)
    .compile({ store: memory, checkpointer: new MemorySaver() });
  await graph.invoke({ messages: [] }, {
    configurable: { thread_id: "thursday" },
  });

  const there = await memory.onBranch(branchOf(item)).get(CUSTOMER, item);
  const here = await memory.get(CUSTOMER, item);
  print(`Guess on branch ${branchOf(item)}`);
  print(`  there      ${item} is ${there?.value["is"]}`);
  print(`  here       ${item} is ${here?.value["is"] ?? "unknown"}`);
}

/** The guess is merged if it holds, and dropped if not. */
async function settle(
  memory: MnemosyneStore,
  print: Print,
  { item, store, holds }: { item: string; store: Store; holds: boolean },
): Promise<void> {
  const branch = branchOf(item);
  if (holds) {
    const { status, commit, changes } = await memory.merge(branch);
    const told = Array.from(changes, (change) => change.join(" "));
    print(`It holds: ${branch}`);
    print(`  ${status.padEnd(9)}  ${short(commit)}  ${told.join(", ")}`);
  } else {
    await store.deleteBranch(branch);
    print(`It does not hold: ${branch}`);
  }
  const now = await memory.get(CUSTOMER, item);
  print(`  here       ${item} is ${now?.value["is"]}`);
  const branches = await store.branches();
  print(`  branches   ${[...branches.keys()].join(", ")}`);
}

async function explain(
  memory: MnemosyneStore,
  print: Print,
  item: string,
): Promise<void> {
  const { node, commit } = await memory.why(CUSTOMER, item);
  const found = await memory.whenDid(CUSTOMER, item, { present: true });
  const { source, observation, agentStep } = node.provenance;
  print(`Why ${item} is ${Object(node.content).is}`);
  print(`  written    ${short(commit.id)}  ${commit.message}`);
  print(`  here since ${short(found.commit.id)}  ${found.commit.message}`);
  print(`  rests on   ${observation}`);
  print(`  said in    ${source}, step ${agentStep}`);
}

async function list(memory: MnemosyneStore, print: Print): Promise<void> {
  const { commits } = await memory.history();
  print(`${commits.length} commits, newest first:`);
  for (const commit of commits) {
    print(`  ${short(commit.id)}  ${commit.message}`);
  }
}

function branchOf(item: string): string {
  return `guess/${item}`;
}

function short(id: string | null): string {
  return id?.slice(0, 12) ?? "nothing";
}

function toTerminal(line: string): void {
  // deno-lint-ignore no-console -- the example talks to whoever runs it
  console.log(line);
}

if (import.meta.main) await main();
