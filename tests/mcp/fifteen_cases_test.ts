/**
 * Fifteen ways in which memory servers have failed their users, by number, over raw bytes:
 *
 * 1. parallel calls of one model turn lose data; 2. two clients lose each other's writes; 3. a locked
 * database crashes the server or drops a write; 4. the store lies where nobody looks for it; 5. a
 * host drops `env` and `cwd`; 6. one damaged record ends every tool; 7. the whole memory comes in one
 * answer; 8. a long name is dropped by the host; 9. a keyword at the root of a schema fails every
 * request; 10. so does one that a provider does not know; 11. a model sends null, or JSON as text;
 * 12. only one of text and structure is shown; 13. an error is checked against the schema of a
 * result; 14. servers outlive their host; 15. noise on standard output, silence on a bad frame.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { openStore, type Store } from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { listedTools } from "../../mcp/tools.ts";
import { checkHistory } from "../support/check_history.ts";
import { fastClock } from "../support/fast_clock.ts";
import { faultStore } from "../support/fault_store.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { tempStore } from "../support/temp_store.ts";
import {
  answersOf,
  call,
  INITIALIZE,
  modernRequest,
  request,
  runServer,
  serverArgs,
  serverEnv,
  startServer,
} from "./server_process.ts";
import {
  converse,
  type Line,
  linesOf,
  outcome,
  ping,
  theAnswer,
} from "./wire_session.ts";
import { ALL_NAMES } from "./tool_names.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const FACT = { id: "plan", content: "pro", source: "ticket-7" };

/** What a tool answered: the structure of a call that went well. */
function told(lines: readonly Line[], id: string | number) {
  const answer = theAnswer(lines, id);
  assert.equal(outcome(answer), "ok", JSON.stringify(answer));
  return Object(answer.result?.structuredContent);
}

/** A number of facts, each a call of its own. */
function facts(who: string, count: number): string {
  return Array.from(
    { length: count },
    (_, index) =>
      call(`${who}${index}`, "remember", {
        id: `${who}/${index}`,
        content: index,
      }),
  ).join("");
}

/** Checks a store on disk and returns the messages of its commits. */
async function messagesIn(folder: string): Promise<readonly string[]> {
  await using store = await openStore(folder);
  return (await checkHistory(store)).messages;
}

Deno.test("case 1: a hundred calls of one turn are a hundred commits", async () => {
  await using folder = await tempFolder();
  const { stdout, code } = await runServer(
    [`--store=${folder.path}`],
    INITIALIZE + facts("a", 100),
  );
  assert.equal(code, 0);
  const lines = linesOf(stdout);
  const commits = Array.from(
    { length: 100 },
    (_, index) => told(lines, `a${index}`).commit,
  );
  assert.equal(new Set(commits).size, 100);
  assert.equal(new Set(await messagesIn(folder.path)).size, 100);
});

Deno.test("case 2: four processes with twenty calls each lose none of eighty", async () => {
  await using folder = await tempFolder();
  const names = ["a", "b", "c", "d"];
  const runs = await Promise.all(
    names.map((who) =>
      runServer([`--store=${folder.path}`], INITIALIZE + facts(who, 20))
    ),
  );
  for (const [place, { code, stdout, stderr }] of runs.entries()) {
    assert.equal(code, 0, stderr);
    const lines = linesOf(stdout);
    for (let index = 0; index < 20; index++) {
      told(lines, `${names[place]}${index}`);
    }
  }
  const expected = names.flatMap((who) =>
    Array.from({ length: 20 }, (_, index) => `remember ${who}/${index}`)
  );
  assert.deepEqual(
    (await messagesIn(folder.path)).toSorted(),
    expected.toSorted(),
  );
});

Deno.test("case 3: a locked database is busy, nothing is written, and the server goes on", async () => {
  const { driver, store, other } = await faultStore();
  const write = call(1, "remember", { id: "a", content: 1 });
  driver.arm(({ operation }) => operation === "commit" ? "locked" : undefined);
  {
    using _clock = fastClock(1_000);
    const lines = await converse(store, write + call(2, "recall", { id: "a" }));
    assert.equal(outcome(theAnswer(lines, 1)), "busy");
    assert.equal(told(lines, 2).result.content, 0);
  }
  assert.deepEqual((await checkHistory(other)).messages, ["seed"]);
  driver.arm(() => undefined);
  told(await converse(store, write), 1);
  assert.equal((await other.node("a"))?.content, 1);
});

Deno.test("case 4: the store lies where it was asked for, and the server says where that is", async () => {
  await using folder = await tempFolder();
  const asked = [
    { flags: ["--store=./flag/mem"], at: "flag/mem" },
    { flags: ["--store", "flag2"], at: "flag2" },
    { flags: [], at: "env/mem" },
  ];
  for (const { flags, at } of asked) {
    const { stdout, stderr } = await runServer(
      flags,
      request(1, "resources/read", { uri: "mnem://status" }),
      { cwd: folder.path, env: { MNEM_STORE: "./env/mem" } },
    );
    const path = join(folder.path, at);
    assert.match(stderr, new RegExp(`serving ${path} \\(branch main\\)\n$`));
    const { contents } = Object(theAnswer(linesOf(stdout), 1).result);
    assert.equal(JSON.parse(contents[0].text).store, path);
    assert.ok(Deno.statSync(join(path, ".mnem", "kv.db")).isFile);
  }
  const nowhere = await runServer([], "", { cwd: folder.path });
  assert.equal(nowhere.code, 2);
  assert.match(nowhere.stderr, /No store: --store or MNEM_STORE must be given/);
  assert.deepEqual(
    [...Deno.readDirSync(folder.path)].map(({ name }) => name).toSorted(),
    ["env", "flag", "flag2"],
  );
});

Deno.test("case 5: a host that drops env and cwd is served by the flag, and told without it", async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, "deep", "mem");
  const dropped = { cwd: "/", clearEnv: true, env: serverEnv() };
  const served = await runServer(
    [`--store=${path}`],
    call(1, "remember", FACT),
    dropped,
  );
  assert.equal(served.code, 0, served.stderr);
  told(linesOf(served.stdout), 1);
  assert.deepEqual(await messagesIn(path), ["remember plan"]);
  const { code, stdout, stderr } = await runServer([], ping(1), dropped);
  assert.deepEqual([code, stdout], [2, ""]);
  assert.match(stderr, /No store/);
});

Deno.test("case 6: one damaged record is corrupt_store by its name, and everything else is served", async () => {
  const kv = new MemoryKv();
  await using store = await openStoreOn(kv.open(), { create: true });
  for (const id of ["bad", "good"]) {
    await store.write([{ id, content: `the ${id} one` }], { message: id });
  }
  const row = kv.rows().find(({ key }) => key[1] === "bad");
  assert.ok(row !== undefined);
  const flipped = row.value.slice();
  flipped[flipped.length >> 1]! ^= 1;
  kv.put(row.key, flipped);
  await using damaged = await openStoreOn(kv.open());
  const lines = await converse(
    damaged,
    call("bad", "recall", { id: "bad" }) +
      call("good", "recall", { id: "good" }) + call("history", "history") +
      call("write", "remember", FACT) + ping("next") +
      request("resource", "resources/read", { uri: "mnem://memory/bad" }),
  );
  const bad = theAnswer(lines, "bad");
  assert.equal(outcome(bad), "corrupt_store");
  assert.match(bad.result?.content?.[0]?.text ?? "", /"bad"|[0-9a-f]{64}/);
  assert.equal(told(lines, "good").result.content, "the good one");
  assert.equal(told(lines, "history").result.length, 2);
  told(lines, "write");
  assert.equal(outcome(theAnswer(lines, "resource")), -32603);
  assert.equal(outcome(theAnswer(lines, "next")), "ok");
});

Deno.test("case 7: a memory of a megabyte comes in pages, and the cursors reach its end", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await store.write(
    Array.from({ length: 1_000 }, (_, index) => ({
      id: `n${String(index).padStart(4, "0")}`,
      content: "x".repeat(1_000),
    })),
    { message: "much" },
  );
  const seen: string[] = [];
  for (let cursor: unknown = undefined;;) {
    const page = told(
      await converse(store, call(1, "recall", { limit: 1_000, cursor })),
      1,
    );
    assert.ok(JSON.stringify(page).length <= 60_000);
    seen.push(...page.result.map(({ id }: { id: string }) => id));
    cursor = page.next_cursor;
    if (cursor === undefined) break;
  }
  assert.equal(seen.length, 1_000);
  assert.equal(new Set(seen).size, 1_000);
  const [resource] = await converse(
    store,
    request(1, "resources/read", { uri: "mnem://memory" }),
  );
  const { contents } = Object(resource?.result);
  assert.ok(contents[0].text.length <= 60_000);
  assert.ok(JSON.parse(contents[0].text).next_cursor !== undefined);
});

/** The tools as either era lists them. */
async function listed(store: Store): Promise<Record<string, unknown>[]> {
  const lists = await Promise.all(
    [request(1, "tools/list"), modernRequest(1, "tools/list")].map(
      async (frame) => {
        const lines = await converse(store, frame, { tools: "all" });
        return Object(theAnswer(lines, 1).result).tools;
      },
    ),
  );
  assert.deepEqual(lists[0], lists[1]);
  assert.equal(lists[0].length, ALL_NAMES.length);
  return lists[0];
}

Deno.test("case 8: names are short enough beside any name of a server", async () => {
  await using temp = await tempStore();
  for (const { name } of await listed(temp.store)) {
    assert.match(String(name), /^[a-z_]{1,20}$/);
    assert.ok(`mcp__a_server_with_a_long_name__${name}`.length <= 60);
  }
});

Deno.test("case 9: the root of every schema is an object, and nothing else", async () => {
  await using temp = await tempStore();
  for (const { name, inputSchema, outputSchema } of await listed(temp.store)) {
    for (const schema of [Object(inputSchema), Object(outputSchema)]) {
      assert.equal(schema.type, "object", `${name}`);
      for (const word of ["anyOf", "oneOf", "allOf", "not", "$ref", "enum"]) {
        assert.equal(word in schema, false, `${word} in ${name}`);
      }
    }
  }
});

Deno.test("case 10: the wire shows the schemas that are checked word by word, in both eras", async () => {
  await using temp = await tempStore();
  const tools = listedTools({ tools: "all" });
  assert.deepEqual(
    (await listed(temp.store)).map((tool) => [
      tool["name"],
      tool["inputSchema"],
      tool["outputSchema"],
    ]),
    tools.map(({ name, input, output }) => [name, input, output]),
  );
  const text = JSON.stringify(await listed(temp.store));
  assert.ok(text.includes('"type":"array"'));
  assert.doesNotMatch(
    text,
    /"(\$ref|\$defs|definitions|propertyNames|exclusiveMinimum|prefixItems)":|"type":\[/,
  );
});

Deno.test("case 11: null is absent, a number may be text, a list may be JSON text", async () => {
  await using temp = await tempStore();
  const nulls = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, null]));
  const evidence = nulls("source", "step", "observation", "tool_call", "note");
  const rest = nulls("event_time", "summary", "base");
  const lines = await converse(
    temp.store,
    call(1, "remember", { id: "a", content: null, ...evidence, ...rest }) +
      call(2, "recall", nulls("id", "prefix", "query", "limit", "cursor")) +
      call(3, "history", { limit: "5", cursor: null }) +
      call(4, "remember_many", {
        items: JSON.stringify([{ id: "b", content: "[1]" }]),
        summary: null,
      }) +
      call(5, "remember_many", {
        items: [JSON.stringify({ id: "c", content: 1, note: null })],
      }) + call(6, "recall", null) + request(7, "tools/call", {
        name: "recall",
      }),
  );
  for (const id of [1, 2, 3, 4, 5, 6, 7]) told(lines, id);
  const memory = await temp.store.memory();
  assert.deepEqual(
    Array.from(memory, ([id, node]) => [id, node.content]),
    [["a", null], ["b", "[1]"], ["c", 1]],
  );
  assert.equal(memory.get("a")?.provenance.source, undefined);
});

/** A call of every tool that goes well on a store with the node `a`. */
function everyTool(): string {
  return call("remember", "remember", FACT) +
    call("revise", "revise", { ...FACT, content: "team" }) +
    call("remember_many", "remember_many", { items: [{ ...FACT, id: "b" }] }) +
    call("recall", "recall") + call("recall_at", "recall_at", {
      commit: "HEAD",
    }) + call("history", "history") + call("why", "why", { id: "a" }) +
    call("when_did", "when_did", { id: "a", present: true }) +
    call("whats_new", "whats_new", { commit: "HEAD" }) +
    call("forget", "forget", { id: "a" }) + call("branch", "branch");
}

Deno.test("case 12: text and structure hold the same JSON", async () => {
  await using temp = await tempStore();
  await temp.store.write([{ id: "a", content: { deep: [2n ** 60n, null] } }], {
    message: "a",
  });
  const lines = await converse(temp.store, everyTool(), { tools: "all" });
  assert.equal(lines.length, 11);
  for (const line of lines) {
    assert.equal(outcome(line), "ok", JSON.stringify(line));
    const { content, structuredContent } = line.result ?? {};
    assert.equal(content?.length, 1);
    assert.deepEqual(JSON.parse(content?.[0]?.text ?? ""), structuredContent);
  }
});

Deno.test("case 13: an error has its code in text and _meta, and no structure, in both eras", async () => {
  await using temp = await tempStore();
  const failing = [
    ["forget", { id: "nobody" }, "not_found"],
    ["recall_at", { commit: "nowhere" }, "invalid_ref"],
    ["recall", { limit: 0 }, "invalid_argument"],
    ["remember", { id: "a" }, "invalid_argument"],
  ] as const;
  for (const [name, args, code] of failing) {
    const params = { name, arguments: args };
    for (
      const frame of [
        request(1, "tools/call", params),
        modernRequest(1, "tools/call", params),
      ]
    ) {
      const { result } = theAnswer(await converse(temp.store, frame), 1);
      assert.equal(result?.isError, true);
      assert.equal("structuredContent" in result, false);
      const error = Object(result._meta?.["dev.mnem/error"]);
      assert.equal(error.code, code);
      assert.equal(
        result.content?.[0]?.text,
        `${error.code}: ${error.message}`,
      );
    }
  }
});

/** Waits for something, but not for ever. */
async function soon<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("it did not end")), 20_000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A host: starts the server that it is told, hands it a frame, and stays. */
const HOST = `
  const [args, frame] = JSON.parse(Deno.args[0]);
  const server = new Deno.Command(Deno.execPath(), {
    args, stdin: "piped", stdout: "inherit", stderr: "inherit",
  }).spawn();
  const writer = server.stdin.getWriter();
  await writer.write(new TextEncoder().encode(frame));
  await server.status;
`;

Deno.test("case 14: a server whose host is killed ends, idle or with a subscription open", async (t) => {
  await using folder = await tempFolder();
  const listen = modernRequest("sub", "subscriptions/listen", {
    notifications: {},
  });
  for (const [name, frame] of [["idle", ping(1)], ["listening", listen]]) {
    await t.step(`${name}`, async () => {
      const host = new Deno.Command(Deno.execPath(), {
        args: [
          "eval",
          HOST,
          JSON.stringify([serverArgs(`--store=${folder.path}`), frame]),
        ],
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      const answers = answersOf(host.stdout);
      assert.equal((await answers.next()).value?.jsonrpc, "2.0");
      host.kill("SIGKILL");
      // The host's pipes are the server's too: they end when both have.
      assert.equal((await soon(answers.next())).done, true);
      await soon(host.stderr.pipeTo(new WritableStream()));
      assert.equal((await host.status).signal, "SIGKILL");
    });
  }
});

/** Prints in every way that there is while the server runs. */
const NOISY = `
  import { main } from "@mnem/mcp";
  const running = main(Deno.args);
  for (const word of ["log", "info", "debug", "warn", "error", "dir", "dirxml", "trace", "count", "group", "groupCollapsed", "groupEnd"]) console[word]("noise");
  console.table([{ noise: 1 }]);
  console.time("noise"); console.timeLog("noise"); console.timeEnd("noise");
  console.assert(false, "noise");
  Deno.exit(await running);
`;

Deno.test("case 15: whatever is printed beside it, standard output holds frames alone, and bad ones are answered", async () => {
  await using folder = await tempFolder();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", NOISY, `--store=${join(folder.path, "mem")}`],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const output = child.output();
  const writer = child.stdin.getWriter();
  await writer.write(
    new TextEncoder().encode(`{"bad\n[]\n${call(1, "remember", FACT)}`),
  );
  await writer.close();
  const { code, stdout, stderr } = await output;
  const decoder = new TextDecoder();
  assert.equal(code, 0, decoder.decode(stderr));
  const lines = linesOf(decoder.decode(stdout));
  assert.deepEqual(lines.map(({ id }) => id), [undefined, undefined, 1]);
  assert.deepEqual(lines.map(outcome), [-32700, -32600, "ok"]);
  assert.ok(decoder.decode(stderr).split("noise").length > 15);
});

Deno.test("case 15: a log that nobody reads holds up neither an answer nor the end", async () => {
  await using folder = await tempFolder();
  const child = startServer([`--store=${folder.path}`]);
  const answers = answersOf(child.stdout);
  const writer = child.stdin.getWriter();
  // Before the first request each of these is worth a line of the log: more than a pipe holds.
  const stray = '{"jsonrpc":"2.0","id":7,"result":{}}\n'.repeat(2_000);
  const written = writer.write(new TextEncoder().encode(stray + ping(1)));
  assert.equal((await soon(answers.next())).value?.id, 1);
  await written;
  await writer.close();
  assert.equal((await soon(answers.next())).done, true);
  assert.equal((await soon(child.status)).code, 0);
  await child.stderr.cancel();
});

Deno.test("case 15: a host that closes the log is served on", async () => {
  await using folder = await tempFolder();
  const child = startServer([`--store=${folder.path}`]);
  await child.stderr.cancel();
  const answers = answersOf(child.stdout);
  const writer = child.stdin.getWriter();
  const stray = '{"jsonrpc":"2.0","id":7,"result":{}}\n';
  await writer.write(new TextEncoder().encode(stray + ping(1)));
  assert.equal((await soon(answers.next())).value?.id, 1);
  await writer.close();
  assert.equal((await soon(answers.next())).done, true);
  assert.equal((await soon(child.status)).code, 0);
});
