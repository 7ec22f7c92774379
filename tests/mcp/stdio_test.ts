/**
 * The real server, fed with raw bytes.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { tempFolder } from "../support/temp_folder.ts";
import {
  type Answer,
  answersOf,
  answerTo,
  call,
  codeOf,
  INITIALIZE,
  modernRequest,
  request,
  resultOf,
  runServer,
  startServer,
} from "./server_process.ts";

const FACT = { id: "plan", content: "pro", source: "ticket-7" };

Deno.test("what one run remembers, the next recalls; piped requests are answered before the end", async () => {
  await using folder = await tempFolder();
  const flags = [`--store=${join(folder.path, "mem")}`];
  const first = await runServer(flags, INITIALIZE + call(1, "remember", FACT));
  assert.equal(first.code, 0, first.stderr);
  const { protocolVersion, serverInfo, instructions } = Object(
    answerTo(first, "init").result,
  );
  assert.equal(protocolVersion, "2025-11-25");
  assert.deepEqual(serverInfo, {
    name: "mnem",
    title: "Mnemosyne",
    version: serverInfo.version,
  });
  assert.ok(instructions.split(/\s+/).length <= 120);
  const { commit, changes } = resultOf(first, 1);
  assert.deepEqual(changes, { plan: "added" });
  const second = await runServer(
    flags,
    INITIALIZE + call(1, "recall", { id: "plan" }).trimEnd(),
  );
  assert.equal(second.code, 0, second.stderr);
  const { result, as_of } = resultOf(second, 1);
  assert.equal(as_of, commit);
  assert.equal(Object(result).content, "pro");
  assert.equal(Object(result).provenance.source, "ticket-7");
});

Deno.test("integers up to 2^64 - 1, 1e300, null and nested content survive the wire", async () => {
  await using folder = await tempFolder();
  const flags = [`--store=${folder.path}`];
  const content = `{"deep":${"[".repeat(126)}${
    "]".repeat(126)
  },"max":18446744073709551615,"min":-9223372036854775808,"safe":9007199254740991,"float":1e300,"null":null,"nested":[[],{"a":[null,true,"x"]}]}`;
  const written = await runServer(
    flags,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"remember","arguments":{"id":"n","content":${content}}}}\n`,
  );
  resultOf(written, 1);
  const { result } = resultOf(
    await runServer(
      flags,
      call(1, "recall", { id: "n" }) +
        request(2, "resources/read", { uri: "mnem://memory/n" }),
    ),
    1,
  );
  const { deep, ...rest } = Object(result).content;
  assert.equal(JSON.stringify(deep), "[".repeat(126) + "]".repeat(126));
  assert.deepEqual(rest, {
    max: "18446744073709551615",
    min: "-9223372036854775808",
    safe: 9007199254740991,
    float: 1e300,
    null: null,
    nested: [[], { a: [null, true, "x"] }],
  });
});

Deno.test("what could not be stored exactly is refused as a bad argument, never rounded", async () => {
  await using folder = await tempFolder();
  const deep = "[".repeat(128) + "]".repeat(128);
  const contents = ["18446744073709551616", '"\\ud800"', "1e400", deep];
  const [envelope] = /"_meta":{.*?}}/.exec(modernRequest(0, "x")) ?? [];
  const frames = (more: string) =>
    contents.map((content, index) =>
      `{"jsonrpc":"2.0","id":${index},"method":"tools/call","params":{"name":"remember","arguments":{"id":"n","content":${content}}${more}}}\n`
    ).join("");
  const legacy = frames("");
  const modern = frames(`,${envelope}`);
  for (const input of [legacy, modern]) {
    const finished = await runServer([`--store=${folder.path}`], input);
    for (const index of contents.keys()) {
      assert.equal(codeOf(finished, index), "invalid_argument");
      assert.match(
        answerTo(finished, index).result?.content?.[0]?.text ?? "",
        /Cannot parse JSON at position \d+|nest/,
      );
    }
  }
  const left = await runServer(
    [`--store=${folder.path}`],
    call(1, "recall"),
  );
  assert.deepEqual(resultOf(left, 1), { result: [], as_of: "none" });
});

Deno.test("revision 2026-07-28 is served, and its rules are kept", async () => {
  await using folder = await tempFolder();
  const finished = await runServer(
    [`--store=${folder.path}`],
    modernRequest("early", "tools/list", {}, "2027-01-01") +
      modernRequest("discover", "server/discover") +
      modernRequest("write", "tools/call", {
        name: "remember",
        arguments: FACT,
      }) +
      modernRequest("late", "tools/list", {}, "2027-01-01") +
      request("bare", "tools/list") +
      INITIALIZE +
      modernRequest("list", "tools/list") +
      modernRequest("unknown", "tools/call", { name: "forgive" }),
  );
  assert.equal(finished.code, 0, finished.stderr);
  const { ttlMs, cacheScope, capabilities, supportedVersions } = Object(
    answerTo(finished, "discover").result,
  );
  assert.deepEqual([ttlMs, cacheScope], [3_600_000, "public"]);
  assert.deepEqual(supportedVersions, ["2026-07-28"]);
  assert.deepEqual(Object.keys(capabilities).sort(), [
    "completions",
    "prompts",
    "resources",
    "tools",
  ]);
  resultOf(finished, "write");
  for (const id of ["early", "late", "init"]) {
    const { error } = answerTo(finished, id);
    assert.equal(error?.code, -32022, id);
    assert.deepEqual(Object(error?.data).supported, ["2026-07-28"]);
  }
  assert.equal(answerTo(finished, "bare").error?.code, -32602);
  const list = Object(answerTo(finished, "list").result);
  assert.deepEqual([list.ttlMs, list.cacheScope], [3_600_000, "public"]);
  assert.equal(list.tools.length, 10);
  assert.equal(answerTo(finished, "unknown").error?.code, -32602);
});

Deno.test("older revisions are answered in their own", async () => {
  await using folder = await tempFolder();
  for (
    const [asked, answered] of [
      ["2025-06-18", "2025-06-18"],
      ["2025-03-26", "2025-03-26"],
      ["2024-11-05", "2024-11-05"],
      ["1999-01-01", "2025-11-25"],
    ]
  ) {
    const finished = await runServer(
      [`--store=${folder.path}`],
      INITIALIZE.replace("2025-11-25", String(asked)) + call(1, "recall"),
    );
    const { result } = answerTo(finished, "init");
    assert.equal(result?.["protocolVersion"], answered);
    resultOf(finished, 1);
  }
});

Deno.test("broken, duplicate and batched frames are answered beside good ones", async () => {
  await using folder = await tempFolder();
  const finished = await runServer(
    [`--store=${folder.path}`],
    `\ufeff${call(1, "remember", FACT).trimEnd()}\r\nnot json\n\n[]\n` +
      '{"jsonrpc":"2.0","id":null,"method":"ping"}\n{"id":7}\n' +
      call(2, "recall") + call(2, "recall") +
      '{"jsonrpc":"2.0","method":"notifications/whatever"}\n' +
      '{"jsonrpc":"2.0","id":1,"result":{}}\n' +
      call("1", "recall").trimEnd(),
  );
  assert.equal(finished.code, 0, finished.stderr);
  resultOf(finished, 1);
  resultOf(finished, "1");
  const codes = finished.answers.filter(({ error }) => error !== undefined)
    .map(({ id, error }) => [id, error?.code]);
  assert.deepEqual(codes, [
    [undefined, -32700],
    [undefined, -32700],
    [undefined, -32600],
    [undefined, -32600],
    [7, -32600],
    [2, -32600],
  ]);
  assert.equal(finished.answers.filter(({ id }) => id === 2).length, 2);
});

Deno.test("large frames are served, larger ones refused, and the server goes on", async () => {
  await using folder = await tempFolder();
  const flags = [`--store=${folder.path}`];
  const large = "x".repeat(7 * 1024 * 1024);
  const finished = await runServer(
    flags,
    call("large", "remember", { id: "large", content: large }) +
      call("over", "remember", { id: "over", content: large + large }) +
      call("huge", "remember", { id: "huge", content: "x".repeat(33 << 20) }) +
      call("after", "remember", FACT),
  );
  assert.equal(finished.code, 0, finished.stderr);
  resultOf(finished, "large");
  assert.equal(codeOf(finished, "over"), "invalid_argument");
  const [refused] = finished.answers.filter(({ id }) => id === undefined);
  assert.equal(refused?.error?.code, -32600);
  assert.match(refused?.error?.message ?? "", /over the limit of 33554432/);
  resultOf(finished, "after");
  const read = await runServer(flags, call(1, "recall", { id: "large" }));
  assert.equal(
    Object(resultOf(read, 1)["result"]).content.length,
    large.length,
  );
});

Deno.test("an idle server ends with 0 at the end of its input", async () => {
  await using folder = await tempFolder();
  const finished = await runServer([`--store=${folder.path}`]);
  assert.equal(finished.code, 0);
  assert.equal(finished.stdout, "");
});

/** Starts a server and waits until it answers. */
async function running(
  folder: string,
): Promise<{ child: Deno.ChildProcess; answers: AsyncGenerator<Answer> }> {
  const child = startServer([`--store=${folder}`]);
  const answers = answersOf(child.stdout);
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(INITIALIZE));
  writer.releaseLock();
  const { value } = await answers.next();
  assert.equal(value.id, "init");
  return { child, answers };
}

Deno.test("a signal ends the server with 0, and what was written stays", async (t) => {
  await using folder = await tempFolder();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    await t.step(signal, async () => {
      const { child, answers } = await running(folder.path);
      const writer = child.stdin.getWriter();
      await writer.write(
        new TextEncoder().encode(call(1, "remember", { ...FACT, id: signal })),
      );
      const { value } = await answers.next();
      assert.equal(value.id, 1);
      child.kill(signal);
      const { success, code, signal: killer } = await child.status;
      assert.deepEqual([success, code, killer], [true, 0, null]);
      await answers.next();
      await child.stderr.cancel();
      await writer.abort().catch(() => {});
    });
  }
  const { result } = resultOf(
    await runServer([`--store=${folder.path}`], call(1, "recall")),
    1,
  );
  assert.ok(Array.isArray(result));
  assert.equal(result.length, 3);
});

Deno.test("a signal ends an open subscription with its result", async () => {
  await using folder = await tempFolder();
  const child = startServer([`--store=${folder.path}`]);
  const answers = answersOf(child.stdout);
  const writer = child.stdin.getWriter();
  await writer.write(
    new TextEncoder().encode(
      modernRequest("sub", "subscriptions/listen", { notifications: {} }),
    ),
  );
  const { value: acknowledged } = await answers.next();
  assert.equal(acknowledged.id, undefined);
  child.kill("SIGTERM");
  const { value: ended } = await answers.next();
  assert.equal(ended.id, "sub");
  assert.equal(ended.result?.["resultType"], "complete");
  assert.equal((await answers.next()).done, true);
  assert.equal((await child.status).code, 0);
  await child.stderr.cancel();
  await writer.abort().catch(() => {});
});

Deno.test("the server ends with 0 when the client stops reading", async () => {
  await using folder = await tempFolder();
  const child = startServer([`--store=${folder.path}`]);
  await child.stdout.cancel();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(INITIALIZE));
  const { code } = await child.status;
  assert.equal(code, 0);
  await child.stderr.cancel();
  await writer.abort().catch(() => {});
});

Deno.test("a cancelled call is not answered and holds up nothing", async () => {
  await using folder = await tempFolder();
  const finished = await runServer(
    [`--store=${folder.path}`],
    INITIALIZE + call(1, "remember", FACT) +
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n' +
      call(2, "recall"),
  );
  assert.equal(finished.code, 0, finished.stderr);
  assert.deepEqual(finished.answers.filter(({ id }) => id === 1), []);
  resultOf(finished, 2);
});

Deno.test("two servers on one store lose nothing", async () => {
  await using folder = await tempFolder();
  const flags = [`--store=${folder.path}`];
  const facts = (who: string) =>
    Array.from(
      { length: 25 },
      (_, index) =>
        call(index, "remember", { id: `${who}/${index}`, content: index }),
    ).join("");
  const runs = await Promise.all(
    ["a", "b"].map((who) => runServer(flags, facts(who))),
  );
  for (const run of runs) {
    assert.equal(run.code, 0, run.stderr);
    for (let index = 0; index < 25; index += 1) resultOf(run, index);
  }
  const { result } = resultOf(
    await runServer(flags, call(1, "history", { limit: 100 })),
    1,
  );
  assert.ok(Array.isArray(result));
  assert.equal(result.length, 50);
});
