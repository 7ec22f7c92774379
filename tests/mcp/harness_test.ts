/**
 * The tools for a harness over real stdio: hidden unless asked for, conflicts as results, and a
 * `switch` that the next call knows of.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { remember } from "@mnem/agents";
import { openStore } from "@mnem/core";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { tempFolder } from "../support/temp_folder.ts";
import {
  type Answer,
  answersOf,
  call,
  INITIALIZE,
  request,
  resultOf,
  runServer,
  serverCommand,
  startServer,
} from "./server_process.ts";
import { ALL_NAMES, CORE_NAMES, HARNESS_NAMES } from "./tool_names.ts";

type Shown = { readonly [key: string]: unknown };

/** A server that is called one call at a time. */
class LiveServer implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #answers: AsyncGenerator<Answer>;
  #calls = 0;

  constructor(...flags: string[]) {
    this.#child = startServer(flags);
    this.#writer = this.#child.stdin.getWriter();
    this.#answers = answersOf(this.#child.stdout);
  }

  static async start(...flags: string[]): Promise<LiveServer> {
    const server = new LiveServer(...flags);
    await server.#ask(INITIALIZE);
    return server;
  }

  async names(): Promise<string[]> {
    this.#calls += 1;
    const { result } = await this.#ask(request(this.#calls, "tools/list"));
    const tools = result?.["tools"];
    assert.ok(Array.isArray(tools));
    return tools.map((tool) => tool.name);
  }

  /** The structure of a call that must go well. */
  async call(name: string, args: unknown = {}): Promise<Shown> {
    const { result } = await this.send(name, args);
    assert.equal(result?.isError, undefined, JSON.stringify(result));
    const structured = result?.structuredContent;
    assert.ok(structured !== undefined, name);
    assert.deepEqual(JSON.parse(result?.content?.[0]?.text ?? ""), structured);
    return structured;
  }

  /** The code and message of a call that must fail. */
  async fail(name: string, args: unknown = {}): Promise<[string, string]> {
    const { result } = await this.send(name, args);
    assert.equal(result?.isError, true, JSON.stringify(result));
    const { code, message } = Object(result?._meta?.["dev.mnem/error"]);
    return [code, message];
  }

  send(name: string, args: unknown): Promise<Answer> {
    this.#calls += 1;
    return this.#ask(call(this.#calls, name, args));
  }

  async #ask(frames: string): Promise<Answer> {
    await this.#writer.write(new TextEncoder().encode(frames));
    const { value } = await this.#answers.next();
    assert.ok(value !== undefined, "the server must answer");
    return value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer.close();
    for await (const _ of this.#answers);
    const stderr = await new Response(this.#child.stderr).text();
    assert.equal((await this.#child.status).code, 0, stderr);
  }
}

const UNSAID = {
  agent_step: null,
  observation: null,
  tool_call: null,
  source: null,
  note: null,
};

/** A store's flag, and a server with all tools on it. */
async function started(
  folder: { readonly path: string },
): Promise<{ flag: string; server: LiveServer }> {
  const flag = `--store=${join(folder.path, "mem")}`;
  return { flag, server: await LiveServer.start(flag, "--tools=all") };
}

/** Main and side hold other plans, each on evidence of its own; seats are removed on side. */
async function disagree(server: LiveServer): Promise<void> {
  await server.call("remember_many", {
    items: [{ id: "plan", content: "enterprise" }, { id: "seats", content: 1 }],
  });
  await server.call("branch", { name: "side" });
  await server.call("remember", {
    id: "plan",
    content: "team",
    source: "sales",
  });
  await server.call("switch", { target: "side" });
  await server.call("remember", {
    id: "plan",
    content: "pro",
    observation: "billing-note-8842",
    step: "step-31",
  });
  await server.call("forget", { id: "seats" });
  await server.call("switch", { target: "main" });
}

async function plan(server: LiveServer): Promise<unknown> {
  return Object((await server.call("recall", { id: "plan" }))["result"]);
}

async function commitCount(server: LiveServer): Promise<number> {
  const { result } = await server.call("history");
  assert.ok(Array.isArray(result));
  return result.length;
}

Deno.test("branch, switch and merge are hidden unless --tools=all", async () => {
  await using folder = await tempFolder();
  const { flag, server } = await started(folder);
  await using all = server;
  assert.deepEqual(await all.names(), ALL_NAMES);
  await using core = await LiveServer.start(flag);
  const names = await core.names();
  assert.deepEqual(names, CORE_NAMES);
  for (const name of HARNESS_NAMES) {
    assert.ok(!names.includes(name));
    const { error } = await core.send(name, { target: "main" });
    assert.equal(error?.code, -32602, name);
  }
});

Deno.test("a server that only reads lists branches, and neither makes one, switches nor merges", async () => {
  await using folder = await tempFolder();
  const { flag, server } = await started(folder);
  await using all = server;
  await disagree(all);
  await using reader = await LiveServer.start(
    flag,
    "--tools=all",
    "--read-only",
  );
  const { result } = await reader.call("branch");
  assert.deepEqual(Object.keys(Object(result)), ["main", "side"]);
  const [code, message] = await reader.fail("branch", { name: "mine" });
  assert.equal(code, "invalid_argument");
  assert.match(message, /name/);
  for (const name of ["switch", "merge"]) {
    assert.equal((await reader.send(name, {})).error?.code, -32602, name);
  }
  assert.deepEqual((await all.call("branch"))["result"], result);
});

Deno.test("branch makes a branch and lists them", async () => {
  await using folder = await tempFolder();
  const { server } = await started(folder);
  await using _ = server;
  assert.deepEqual(await server.call("branch"), { result: {} });
  assert.equal(
    (await server.fail("branch", { name: "early" }))[0],
    "invalid_ref",
  );
  const { commit: first } = await server.call("remember", {
    id: "a",
    content: 1,
  });
  const { commit: second } = await server.call("remember", {
    id: "a",
    content: 2,
  });
  const atHead = await server.call("branch", { name: "new", start: null });
  assert.deepEqual(atHead, { branch: "new", commit: second });
  const before = await server.call("branch", { name: "old", start: "HEAD~1" });
  assert.deepEqual(before, { branch: "old", commit: first });
  assert.deepEqual(await server.call("branch"), {
    result: { main: second, new: second, old: first },
  });
  assert.deepEqual(await server.call("branch", { limit: 2 }), {
    result: { main: second, new: second },
    next_cursor: btoa('["branches","new"]').replace(/=+$/, ""),
  });
  assert.deepEqual(
    await server.call("branch", {
      cursor: btoa('["branches","new"]').replace(/=+$/, ""),
    }),
    { result: { old: first } },
  );
  const refused: [object, string][] = [
    [{ name: "old" }, "conflict"],
    [{ name: "a..b" }, "invalid_ref"],
    [{ name: "x", start: "nowhere" }, "invalid_ref"],
    [{ start: "main" }, "invalid_argument"],
    [{ name: "x", limit: 1 }, "invalid_argument"],
    [{ cursor: "x" }, "invalid_argument"],
  ];
  for (const [args, code] of refused) {
    const [got] = await server.fail("branch", args);
    assert.equal(got, code, JSON.stringify(args));
  }
});

Deno.test("merge shows a conflict as a result, both sides with their evidence, and writes nothing", async () => {
  await using folder = await tempFolder();
  const { server } = await started(folder);
  await using _ = server;
  await disagree(server);
  const node = (content: string, provenance: object) => ({
    id: "plan",
    content,
    content_kind: "note",
    provenance: { ...UNSAID, ...provenance },
    event_time: null,
  });
  const conflict = {
    status: "conflicts",
    commit: null,
    conflicts: [{
      id: "plan",
      kind: "edit/edit",
      base: node("enterprise", {}),
      ours: node("team", { source: "sales" }),
      theirs: node("pro", {
        observation: "billing-note-8842",
        agent_step: "step-31",
      }),
    }],
    changes: {},
    reconciled: [],
  };
  const before = await server.call("branch");
  for (const rest of [{}, { dry_run: true }, { resolutions: {} }]) {
    assert.deepEqual(
      await server.call("merge", { theirs: "side", ...rest }),
      conflict,
    );
  }
  assert.deepEqual(await server.call("branch"), before);
  assert.equal(await commitCount(server), 2);
});

Deno.test("merge takes a word for a conflict and keeps that side's evidence", async () => {
  await using folder = await tempFolder();
  const { flag, server } = await started(folder);
  await using _ = server;
  await disagree(server);
  const args = {
    theirs: "side",
    resolutions: JSON.stringify({ plan: "theirs" }),
    message: "the note is right",
  };
  const rehearsed = await server.call("merge", { ...args, dry_run: "true" });
  const changes = { plan: "modified", seats: "removed" };
  assert.deepEqual([rehearsed["status"], rehearsed["commit"]], [
    "merged",
    null,
  ]);
  assert.deepEqual(rehearsed["changes"], changes);
  assert.equal(await commitCount(server), 2);
  const merged = await server.call("merge", args);
  assert.deepEqual(merged, {
    status: "merged",
    commit: merged["commit"],
    conflicts: [],
    changes,
    reconciled: [],
  });
  assert.match(String(merged["commit"]), /^[0-9a-f]{64}$/);
  const { node } = await server.call("why", { id: "plan" });
  assert.equal(Object(node).content, "pro");
  assert.equal(Object(node).provenance.observation, "billing-note-8842");
  const again = await server.call("merge", { theirs: "side" });
  assert.equal(again["status"], "up-to-date");
  const stale = await server.fail("merge", args);
  assert.equal(stale[0], "not_found");
  await using store = await openStore(flag.slice("--store=".length));
  const commit = await store.readCommit("HEAD");
  assert.equal(commit.message, "the note is right");
  assert.equal(commit.author, "unknown");
  assert.equal(commit.parents.length, 2);
});

Deno.test("merge takes a node for a conflict, with the evidence given", async () => {
  await using folder = await tempFolder();
  const { server } = await started(folder);
  await using _ = server;
  await disagree(server);
  const { commit } = await server.call("merge", {
    theirs: "side",
    resolutions: {
      plan: {
        content: { tier: "pro", seats: [1, null] },
        content_kind: "claim",
        source: "customer",
        step: "step-40",
        observation: "call of 3 May",
        tool_call: "phone",
        note: "both were half right",
        event_time: 1_700_000_000_000,
      },
    },
  });
  assert.deepEqual(await server.call("why", { id: "plan" }), {
    commit,
    node: {
      id: "plan",
      content: { tier: "pro", seats: [1, null] },
      content_kind: "claim",
      provenance: {
        source: "customer",
        agent_step: "step-40",
        observation: "call of 3 May",
        tool_call: "phone",
        note: "both were half right",
      },
      event_time: 1_700_000_000_000,
    },
    time: 1_700_000_000_000,
  });
});

Deno.test("merge refuses resolutions that say nothing, and says which", async () => {
  await using folder = await tempFolder();
  const { server } = await started(folder);
  await using _ = server;
  await disagree(server);
  const refused: [unknown, string, RegExp][] = [
    [{ plan: "mine" }, "invalid_argument", /resolutions\.plan: .*"ours"/],
    [
      { plan: {} },
      "invalid_argument",
      /resolutions\.plan\.content: is required/,
    ],
    [
      { plan: { content: 1, sauce: "x" } },
      "invalid_argument",
      /resolutions\.plan: .*sauce/,
    ],
    [{ plan: null }, "invalid_argument", /resolutions\.plan: /],
    [["plan"], "invalid_argument", /resolutions: must be an object/],
    [{ seats: "ours" }, "not_found", /"seats": it does not conflict/],
    [JSON.parse('{"__proto__": "ours"}'), "not_found", /"__proto__"/],
  ];
  for (const [resolutions, code, says] of refused) {
    const error = await server.fail("merge", { theirs: "side", resolutions });
    assert.equal(error[0], code, error[1]);
    assert.match(error[1], says);
  }
  assert.equal(
    (await server.fail("merge", { theirs: "nowhere" }))[0],
    "invalid_ref",
  );
  assert.equal(await commitCount(server), 2);
  const kept = await server.call("merge", { theirs: "side", strategy: "ours" });
  assert.deepEqual(kept["changes"], { seats: "removed" });
  assert.equal(Object(await plan(server)).content, "team");
});

Deno.test("switch moves HEAD for every server that follows it", async () => {
  await using folder = await tempFolder();
  const { flag, server: one } = await started(folder);
  await using _one = one;
  await disagree(one);
  await using two = await LiveServer.start(flag, "--tools=all");
  await using bound = await LiveServer.start(flag, "--branch=main");
  const contents = async () => [
    Object(await plan(one)).content,
    Object(await plan(two)).content,
    Object(await plan(bound)).content,
  ];
  assert.deepEqual(await contents(), ["team", "team", "team"]);
  const side = await two.call("switch", { target: "side" });
  assert.deepEqual(side, { head: "ref: side" });
  assert.deepEqual(await contents(), ["pro", "pro", "team"]);
  await one.call("remember", { id: "plan", content: "written on side" });
  const { result } = await bound.call("recall_at", {
    commit: "side",
    id: "plan",
  });
  assert.equal(Object(result).content, "written on side");
  assert.equal(
    (await one.fail("switch", { target: "nowhere" }))[0],
    "invalid_ref",
  );
  const { result: branches } = await one.call("branch");
  const { main } = Object(branches);
  assert.deepEqual(await one.call("switch", { target: main }), { head: main });
  assert.deepEqual(await contents(), ["team", "team", "team"]);
  const [code] = await two.fail("remember", { id: "plan", content: "lost" });
  assert.equal(code, "invalid_ref");
});

Deno.test("switch of a server with --branch moves this server only", async () => {
  await using folder = await tempFolder();
  const { flag, server: follower } = await started(folder);
  await using _follower = follower;
  await disagree(follower);
  await using one = await LiveServer.start(
    flag,
    "--tools=all",
    "--branch=main",
  );
  await using two = await LiveServer.start(
    flag,
    "--tools=all",
    "--branch=main",
  );
  assert.deepEqual(await one.call("switch", { target: "side" }), {
    head: "ref: side",
  });
  await one.call("revise", { id: "plan", content: "by one" });
  await two.call("revise", { id: "plan", content: "by two" });
  assert.equal(Object(await plan(one)).content, "by one");
  assert.equal(Object(await plan(two)).content, "by two");
  assert.equal(Object(await plan(follower)).content, "by two");
  const merged = await one.call("merge", {
    theirs: "main",
    strategy: "theirs",
  });
  assert.equal(merged["status"], "merged");
  assert.equal(Object(await plan(one)).content, "by two");
  const forward = await two.call("merge", { theirs: "side" });
  assert.deepEqual(
    [forward["status"], forward["commit"]],
    ["fast-forwarded", merged["commit"]],
  );
});

Deno.test("calls sent at once with a switch between them keep their order", async () => {
  await using folder = await tempFolder();
  const flag = `--store=${join(folder.path, "mem")}`;
  const write = (id: string) => call(id, "remember", { id, content: id });
  await runServer([flag], write("root"));
  for (const flags of [[flag], [flag, "--branch=main"]]) {
    const name = `side${flags.length}`;
    const before = Array.from({ length: 20 }, (_, i) => `before-${i}`);
    const after = Array.from({ length: 20 }, (_, i) => `after-${i}`);
    await runServer(
      [...flags, "--tools=all"],
      call("branch", "branch", { name }),
    );
    const finished = await runServer(
      [...flags, "--tools=all"],
      before.map(write).join("") + call("go", "switch", { target: name }) +
        after.map(write).join("") + call("back", "switch", { target: "main" }),
    );
    assert.deepEqual(resultOf(finished, "go"), { head: `ref: ${name}` });
    assert.deepEqual(resultOf(finished, "back"), { head: "ref: main" });
    await using store = await openStore(flag.slice("--store=".length));
    const main = [...(await store.memory()).keys()];
    const side = [...(await (await store.at(name)).memory()).keys()];
    for (const id of before) assert.ok(main.includes(id), id);
    assert.ok(after.every((id) => !main.includes(id)));
    for (const id of after) assert.ok(side.includes(id), id);
    await store.write(before.map((id) => ({ id, remove: true })), {
      message: "again",
    });
  }
});

Deno.test("the SDK's client finds every result of the tools for a harness valid", async () => {
  await using folder = await tempFolder();
  const { flag, server } = await started(folder);
  {
    await using _ = server;
    await disagree(server);
  }
  const client = new Client({ name: "check", version: "1" }, {
    versionNegotiation: { mode: "auto" },
  });
  await client.connect(
    new StdioClientTransport(serverCommand(flag, "--tools=all")),
  );
  try {
    const { tools } = await client.listTools();
    assert.equal(tools.length, ALL_NAMES.length);
    const calls: [string, Record<string, unknown>][] = [
      ["branch", {}],
      ["branch", { name: "third" }],
      ["merge", { theirs: "third" }],
      ["merge", { theirs: "side" }],
      ["merge", { theirs: "side", strategy: "theirs", dry_run: true }],
      ["merge", { theirs: "side", strategy: "theirs" }],
      ["switch", { target: "third" }],
      ["merge", { theirs: "main" }],
    ];
    const seen: unknown[] = [];
    for (const [name, args] of calls) {
      const { isError, structuredContent } = await client.callTool({
        name,
        arguments: args,
      });
      assert.ok(!isError, JSON.stringify([name, args]));
      seen.push(Object(structuredContent).status);
    }
    assert.deepEqual(seen.filter((status) => status !== undefined), [
      "up-to-date",
      "conflicts",
      "merged",
      "merged",
      "fast-forwarded",
    ]);
  } finally {
    await client.close();
  }
});

Deno.test("a belief that came in by a merge is traced to who wrote it, and taken back", async () => {
  await using folder = await tempFolder();
  const { flag, server } = await started(folder);
  const { written, merge } = await (async () => {
    await using _ = server;
    await server.call("remember", { id: "plan", content: "enterprise" });
    await server.call("branch", { name: "billing" });
    await server.call("switch", { target: "billing" });
    const { commit: written } = await server.call("remember", {
      id: "plan",
      content: "pro",
      observation: "billing-note-8842",
    });
    await server.call("remember", { id: "invoice", content: 17 });
    await server.call("switch", { target: "main" });
    await server.call("remember", { id: "seats", content: 240 });
    const { commit: merge } = await server.call("merge", { theirs: "billing" });
    await server.call("remember", { id: "seats", content: 250 });

    const found = await server.call("when_did", { id: "plan", equals: "pro" });
    assert.equal(found["commit"], merge);
    assert.equal(found["written_in"], written);
    assert.deepEqual(found["flips"], [merge]);
    assert.equal(found["flips_complete"], true);
    assert.equal(Object(found["blame"]).commit, written);
    const why = await server.call("why", { id: "plan" });
    assert.equal(why["commit"], written);
    const { provenance } = Object(why["node"]);
    assert.equal(provenance.observation, "billing-note-8842");
    return { written: String(written), merge: String(merge) };
  })();
  assert.notEqual(written, merge);

  await using store = await openStore(flag.slice("--store=".length));
  const taken = await store.revert(written);
  assert.equal(taken.status, "merged");
  assert.deepEqual([...taken.changes], [["plan", "modified"]]);
  assert.equal((await store.node("plan"))?.content, "enterprise");
  assert.equal((await store.node("invoice"))?.content, 17);
  await store.revert("HEAD");
  assert.equal((await store.node("plan"))?.content, "pro");
  await remember(store, "plan", "team");
  const late = await store.revert(written);
  assert.equal(late.status, "conflicts");
  assert.deepEqual(
    late.conflicts.map((
      { id, ours, theirs },
    ) => [id, ours?.content, theirs?.content]),
    [["plan", "team", "enterprise"]],
  );
  assert.equal((await store.node("plan"))?.content, "team");
});
