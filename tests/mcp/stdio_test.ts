/**
 * The real server, fed with raw bytes.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { tempFolder } from "../support/temp_folder.ts";
import {
  answerTo,
  call,
  codeOf,
  INITIALIZE,
  modernRequest,
  request,
  resultOf,
  runServer,
} from "./server_process.ts";
import { CORE_NAMES } from "./tool_names.ts";

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
  assert.equal(list.tools.length, CORE_NAMES.length);
  assert.equal(answerTo(finished, "unknown").error?.code, -32602);
});
