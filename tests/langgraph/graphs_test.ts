/**
 * The store inside real graphs, where an `InMemoryStore` stood before: threads, agents, tools, parallel
 * nodes, `Send`, interrupts, subgraphs; and beside other processes.
 *
 * @module
 */

import assert from "node:assert/strict";
import { AIMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { tool, type ToolRuntime } from "@langchain/core/tools";
import {
  Annotation,
  Command,
  END,
  getStore,
  interrupt,
  type LangGraphRunnableConfig,
  MemorySaver,
  Send,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import type { BaseStore } from "@langchain/langgraph-checkpoint";
import { mnemosyne, type MnemosyneStore } from "@mnem/langgraph";
import { z } from "zod";
import {
  call,
  INITIALIZE,
  resultOf,
  runServer,
} from "../mcp/server_process.ts";
import { checkHistory } from "../support/check_history.ts";
import { startWriter } from "../support/contending_writer.ts";
import {
  commitCount,
  keysOf,
  langGraphStore,
} from "../support/langgraph_store.ts";

const State = Annotation.Root({
  input: Annotation<string>,
  found: Annotation<string[]>({
    reducer: (a, b) => [...a, ...b],
    default: () => [],
  }),
});
type StateOf = typeof State.State;
type Config = LangGraphRunnableConfig;

function storeOf(config: Config): BaseStore {
  assert.ok(config.store);
  return config.store;
}

function thread(thread_id: string) {
  return { configurable: { thread_id } };
}

/** A graph of two nodes that run at the same time. */
function sideBySide(
  store: BaseStore,
  write: (name: string) => (state: StateOf, config: Config) => Promise<object>,
) {
  return new StateGraph(State)
    .addNode("left", write("left"))
    .addNode("right", write("right"))
    .addEdge(START, "left").addEdge(START, "right")
    .addEdge("left", END).addEdge("right", END)
    .compile({ store });
}

Deno.test("two threads share what they remember; a second telling makes no commit", async () => {
  await using temp = await langGraphStore();
  const { memory, store } = temp;
  const graph = new StateGraph(State)
    .addNode("recall", async (_state: StateOf, config: Config) => ({
      found: keysOf(await storeOf(config).search(["users", "u1"])),
    }))
    .addNode("save", async (state: StateOf) => {
      // From the context, as nodes without a config do.
      await getStore()?.put(["users", "u1"], state.input, {
        said: state.input,
      });
      return {};
    })
    .addEdge(START, "recall").addEdge("recall", "save").addEdge("save", END)
    .compile({ store: memory, checkpointer: new MemorySaver() });
  assert.deepEqual(
    (await graph.invoke({ input: "tea" }, thread("t1"))).found,
    [],
  );
  assert.deepEqual((await graph.invoke({ input: "tea" }, thread("t2"))).found, [
    "tea",
  ]);
  assert.deepEqual(
    (await graph.invoke({ input: "milk" }, thread("t2"))).found,
    ["tea", "tea"],
  );
  assert.equal(await commitCount(store), 2);
});

Deno.test("an agent's tools read and write, and ask why", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  const remember = tool(
    async ({ tier }: { tier: string }, runtime: ToolRuntime) => {
      await mnemosyne(runtime).put(["users", "u1"], "plan", {
        tier,
        _meta: { tool_call: runtime.toolCallId },
      });
      return "saved";
    },
    {
      name: "remember",
      description: "saves",
      schema: z.object({ tier: z.string() }),
    },
  );
  const explain = tool(
    async (_input: object, runtime: ToolRuntime) => {
      const { node } = await mnemosyne(runtime).why(["users", "u1"], "plan");
      return JSON.stringify(node.provenance);
    },
    { name: "explain", description: "says why", schema: z.object({}) },
  );
  const model = fakeModel()
    .respondWithTools([{
      name: "remember",
      args: { tier: "pro" },
      id: "call-1",
    }])
    .respondWithTools([{ name: "explain", args: {}, id: "call-2" }])
    .respond(new AIMessage("done"));
  const agent = createReactAgent({
    llm: model,
    tools: [remember, explain],
    store: memory,
    checkpointer: new MemorySaver(),
  });
  const { messages } = await agent.invoke(
    { messages: [{ role: "user", content: "hi" }] },
    thread("t1"),
  );
  assert.deepEqual((await memory.get(["users", "u1"], "plan"))?.value, {
    tier: "pro",
  });
  const { provenance } = (await memory.why(["users", "u1"], "plan")).node;
  assert.equal(provenance.source, "thread:t1");
  assert.match(provenance.agentStep ?? "", /^checkpoint:[0-9a-f-]{36}$/);
  assert.equal(provenance.toolCall, "call-1");
  const told = messages.find((message) => message.name === "explain");
  assert.deepEqual(JSON.parse(String(told?.content)), provenance);
});

Deno.test("nodes side by side share a batch and a commit: 200 rounds, nothing lost", async () => {
  await using temp = await langGraphStore();
  const { memory, store } = temp;
  const write = (name: string) => async (state: StateOf, config: Config) => {
    await storeOf(config).put(["round", state.input], name, { name });
    return {};
  };
  const graph = sideBySide(memory, write);
  for (let round = 0; round < 200; round++) {
    await graph.invoke({ input: `r${round}` });
  }
  const all = await memory.search(["round"], { limit: 1_000 });
  assert.equal(all.length, 400);
  for (let round = 0; round < 200; round++) {
    const values = await memory.search(["round", `r${round}`]);
    assert.deepEqual(values.map(({ value }) => value["name"]), [
      "left",
      "right",
    ]);
  }
  const { messages } = await checkHistory(store);
  assert.deepEqual(messages, Array(200).fill("remember 2 nodes"));
});

Deno.test("nodes side by side write one item: every round leaves one of the two values", async () => {
  await using temp = await langGraphStore();
  const { memory, store } = temp;
  const write = (name: string) => async (state: StateOf, config: Config) => {
    // Past LangGraph's queue, so that two batches are on their way at once.
    await mnemosyne(config).put(["shared"], "k", { name, round: state.input });
    return {};
  };
  const graph = sideBySide(memory, write);
  for (let round = 0; round < 50; round++) {
    await graph.invoke({ input: `r${round}` }, thread(`t${round}`));
    const item = await memory.get(["shared"], "k");
    assert.equal(item?.value["round"], `r${round}`);
  }
  const written = (await Array.fromAsync(store.versions("shared:k")))
    .map(({ node }) =>
      `${Object(node?.content).name} ${Object(node?.content).round}`
    );
  const expected = Array.from(
    { length: 50 },
    (_, i) => [`left r${i}`, `right r${i}`],
  ).flat();
  assert.deepEqual(written.toSorted(), expected.toSorted());
});

Deno.test("Send fans out to subgraphs of their own, and all of them are kept", async () => {
  await using temp = await langGraphStore();
  const { memory, store } = temp;
  const worker = new StateGraph(State)
    .addNode("work", async (state: StateOf, config: Config) => {
      await Promise.all(
        ["a", "b", "c"].map((key) =>
          storeOf(config).put(["work", state.input], key, { by: state.input })
        ),
      );
      return {};
    })
    .addEdge(START, "work").addEdge("work", END).compile();
  const graph = new StateGraph(State)
    .addNode("worker", async (state: StateOf, config: Config) => {
      await worker.invoke(state, config);
      return {};
    })
    .addConditionalEdges(
      START,
      () => ["w1", "w2", "w3"].map((input) => new Send("worker", { input })),
      ["worker"],
    )
    .addEdge("worker", END)
    .compile({ store: memory });
  await graph.invoke({ input: "go" });
  const all = await memory.search(["work"], { limit: 100 });
  assert.equal(all.length, 9);
  for (const input of ["w1", "w2", "w3"]) {
    const items = await memory.search(["work", input]);
    assert.deepEqual(items.map(({ value }) => value["by"]), [
      input,
      input,
      input,
    ]);
  }
  await checkHistory(store);
});

Deno.test("an interrupted node runs twice and remembers once", async () => {
  await using temp = await langGraphStore();
  const { memory, store } = temp;
  let runs = 0;
  const graph = new StateGraph(State)
    .addNode("ask", async (_state: StateOf, config: Config) => {
      runs++;
      await storeOf(config).put(["users", "u1"], "asked", {
        question: "tier?",
      });
      const answer: string = interrupt("tier?");
      await storeOf(config).put(["users", "u1"], "tier", { answer });
      return {};
    })
    .addEdge(START, "ask").addEdge("ask", END)
    .compile({ store: memory, checkpointer: new MemorySaver() });
  await graph.invoke({ input: "go" }, thread("t1"));
  assert.equal(await commitCount(store), 1);
  await graph.invoke(new Command({ resume: "pro" }), thread("t1"));
  assert.equal(runs, 2);
  assert.equal(await commitCount(store), 2);
  assert.deepEqual((await memory.get(["users", "u1"], "tier"))?.value, {
    answer: "pro",
  });
});

Deno.test("puts of one Promise.all are one commit, again none, and with a fault none", async () => {
  await using temp = await langGraphStore();
  const { memory, store } = temp;
  const graph = new StateGraph(State)
    .addNode("fill", async (state: StateOf, config: Config) => {
      const values = Array.from({ length: 3_000 }, (_, i) => ({ i }));
      const puts = values.map((value) =>
        storeOf(config).put(["many"], `k${value.i}`, value)
      );
      if (state.input === "fault") {
        puts.push(storeOf(config).put(["many"], "bad", { map: new Map() }));
      }
      await Promise.all(puts);
      return {};
    })
    .addEdge(START, "fill").addEdge("fill", END).compile({ store: memory });
  await assert.rejects(graph.invoke({ input: "fault" }), {
    name: "TypeError",
    code: "invalid_argument",
    message: /node "many:bad": value at "\/map" is an instance of Map/,
  });
  assert.equal(await commitCount(store), 0);
  await graph.invoke({ input: "go" });
  await graph.invoke({ input: "go" });
  assert.equal(await commitCount(store), 1);
  assert.equal((await store.changed()).size, 3_000);
});

Deno.test("twenty runs at once beside another process lose nothing", async () => {
  await using temp = await langGraphStore();
  const { memory, store } = temp;
  await memory.put(["seed"], "k", {});
  const graph = new StateGraph(State)
    .addNode("one", async (state: StateOf, config: Config) => {
      await storeOf(config).put(["runs", state.input], "one", { n: 1 });
      return {};
    })
    .addNode("two", async (state: StateOf, config: Config) => {
      const [seen] = await storeOf(config).search(["runs", state.input]);
      await storeOf(config).put(["runs", state.input], "two", {
        n: seen?.value["n"] + 1,
      });
      return {};
    })
    .addEdge(START, "one").addEdge("one", "two").addEdge("two", END)
    .compile({ store: memory });
  const writer = startWriter({
    folder: temp.path,
    label: "other",
    commits: 60,
  });
  const runs = Promise.all(
    Array.from({ length: 20 }, (_, i) => graph.invoke({ input: `r${i}` })),
  );
  const acknowledged = await Array.fromAsync(writer.acknowledged);
  await runs;
  assert.equal(await writer.ended, 0);
  assert.equal(acknowledged.length, 60);
  for (let i = 0; i < 20; i++) {
    const two = await memory.get(["runs", `r${i}`], "two");
    assert.deepEqual(two?.value, { n: 2 });
  }
  const { commits, memory: nodes } = await checkHistory(store);
  assert.ok(commits.every(({ parents }) => parents.length <= 1));
  assert.equal(commits.length, 1 + 40 + 60);
  for (const { id } of acknowledged) assert.ok(nodes.has(id));
});

Deno.test("a subgraph works on a hypothesis branch, and main is untouched until it is merged", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  await memory.put(["users", "u1"], "plan", { tier: "enterprise" });
  const sub = new StateGraph(State)
    .addNode("guess", async (_state: StateOf, config: Config) => {
      await storeOf(config).put(["users", "u1"], "plan", { tier: "pro" });
      return { found: keysOf(await mnemosyne(config).search(["users"])) };
    })
    .addEdge(START, "guess").addEdge("guess", END).compile();
  const seen: unknown[] = [];
  const graph = new StateGraph(State)
    .addNode("try", async (state: StateOf, config: Config) => {
      const here: MnemosyneStore = mnemosyne(config);
      await here.branch("hypothesis");
      await sub.invoke(state, {
        ...config,
        store: here.onBranch("hypothesis"),
      });
      seen.push((await storeOf(config).get(["users", "u1"], "plan"))?.value);
      seen.push(
        (await here.onBranch("hypothesis").get(["users", "u1"], "plan"))?.value,
      );
      seen.push((await here.merge("hypothesis")).status);
      seen.push((await storeOf(config).get(["users", "u1"], "plan"))?.value);
      seen.push(
        (await here.history()).commits.length,
        await here.listNamespaces(),
      );
      return {};
    })
    .addEdge(START, "try").addEdge("try", END)
    .compile({ store: memory, checkpointer: new MemorySaver() });
  await graph.invoke({ input: "go" }, thread("t1"));
  assert.deepEqual(seen, [
    { tier: "enterprise" },
    { tier: "pro" },
    "fast-forwarded",
    { tier: "pro" },
    2,
    [["users", "u1"]],
  ]);
});

Deno.test("a view given for one run wins over the compiled store", async () => {
  await using temp = await langGraphStore();
  const { memory } = temp;
  await memory.put(["a"], "seed", {});
  await memory.branch("other");
  const graph = new StateGraph(State)
    .addNode("save", async (_state: StateOf, config: Config) => {
      await storeOf(config).put(["a"], "k", {});
      return {};
    })
    .addEdge(START, "save").addEdge("save", END).compile({ store: memory });
  const view = memory.onBranch("other").withProvenance({
    source: "nightly run",
  });
  await graph.invoke({ input: "go" }, { store: view });
  assert.equal(await memory.get(["a"], "k"), null);
  const { node } = await view.why(["a"], "k");
  assert.deepEqual(node.provenance, { source: "nightly run" });
});

Deno.test("what an MCP server wrote is found, and what a graph wrote is recalled there", async () => {
  await using temp = await langGraphStore();
  const { memory, path } = temp;
  await memory.put(["users", "u1"], "plan", { tier: "pro" });
  const finished = await runServer(
    [`--store=${path}`],
    INITIALIZE +
      call(1, "remember", {
        id: "motto",
        content: "be kind",
        source: "poster",
      }) +
      call(2, "remember", { id: "users:u1:seats", content: { n: 240 } }) +
      call(3, "recall", { id: "users:u1:plan" }),
  );
  assert.equal(finished.code, 0, finished.stderr);
  assert.deepEqual(Object(resultOf(finished, 3)["result"]).content, {
    tier: "pro",
  });
  assert.deepEqual((await memory.get([], "motto"))?.value, {
    content: "be kind",
  });
  assert.deepEqual(keysOf(await memory.search([])), ["plan", "motto", "seats"]);
  assert.deepEqual(keysOf(await memory.search(["users"])), ["plan", "seats"]);
  assert.equal(
    (await memory.why([], "motto")).node.provenance.source,
    "poster",
  );
});
