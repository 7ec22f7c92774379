/**
 * No value of content stands in the message of an error, whichever door it came in by: the command
 * line, LangGraph, raw lines to the MCP server.
 *
 * @module
 */

import assert from "node:assert/strict";
import { isMnemError } from "@mnem/core";
import { storeSession } from "./cli/session.ts";
import { converse } from "./mcp/wire_session.ts";
import { INITIALIZE } from "./mcp/server_process.ts";
import { anyOperations, langGraphStore } from "./support/langgraph_store.ts";
import { tempStore } from "./support/temp_store.ts";

const SECRET = "correct-horse-battery-staple";

/** Lines that fail, each with the secret where content belongs. */
const LINES: readonly (readonly string[])[] = [
  ["remember", "a", "--content-json", `{"k": "${SECRET}" nul}`],
  ["remember", "a", "--content-json", `"${SECRET}`],
  ["remember", "a", "--content-json", `["${SECRET}", 1e999]`],
  ["remember", "a", SECRET, "--content-json", `"${SECRET}"`],
  ["remember", "", SECRET],
  ["remember", "a", SECRET, "--event-time", "noon"],
  ["remember", "a", SECRET, "--base", "none"],
  ["remember", "--items", "-"],
  ["add", "a", SECRET, "--content-kind", "secret"],
  ["add", "a", "--content-file", "gone.json"],
  ["add", "a", "--content-file", "bad.json"],
  ["import", "bad.json", "copy"],
];

Deno.test("no content is in what the command line says of an error", async (t) => {
  await using mnem = await storeSession();
  await mnem.text("remember", "a", "kept");
  await Deno.writeTextFile(`${mnem.path}/bad.json`, `{"a": "${SECRET}", }`);
  for (const line of LINES) {
    for (const flags of [[], ["--json"]]) {
      await t.step([...line, ...flags].join(" "), async () => {
        const stdin = `[{"id": "a", "content": {"${SECRET}": "${SECRET}"`;
        const ran = await mnem.mnemIn({ stdin }, ...line, ...flags);
        assert.notEqual(ran.status, 0, ran.out);
        assert.notEqual(ran.status, 70, ran.err);
        assert.ok(ran.err.length > 10);
        assert.ok(!ran.err.includes(SECRET), ran.err);
      });
    }
  }
  assert.match(await mnem.text("recall", "a"), /kept/);
});

/** What LangGraph may be given, wrong and with the secret in it. */
const OPERATIONS: readonly object[] = [
  { namespace: ["u"], key: "a", value: { k: SECRET, n: 1n } },
  { namespace: ["u"], key: "a", value: { k: [SECRET, NaN] } },
  { namespace: ["u"], key: "a", value: SECRET },
  { namespace: ["u"], key: "a", value: { _meta: { other: SECRET } } },
  {
    namespace: ["u"],
    key: "a",
    value: { k: 1, _meta: { source: { k: SECRET } } },
  },
  { namespace: ["u"], key: "a", value: { k: SECRET, _meta: SECRET } },
  { namespace: [], key: "a", value: { k: SECRET } },
  { namespace: ["u"], key: 7, value: { k: SECRET } },
  { namespacePrefix: ["u"], filter: { k: { $near: SECRET } } },
  { namespacePrefix: ["u"], filter: SECRET },
];

Deno.test("no content is in what LangGraph is told of an error", async () => {
  await using temp = await langGraphStore({
    guard: () => {
      throw new Error("not now");
    },
  });
  const calls = [
    ...OPERATIONS,
    { namespace: ["u"], key: "a", value: { k: SECRET } },
  ];
  for (const call of calls) {
    const what = Deno.inspect(call);
    const error = await temp.memory.batch(anyOperations(call))
      .then(() => undefined, (error) => error);
    assert.ok(error instanceof Error, `${what} was taken`);
    for (let one: unknown = error; one instanceof Error; one = one.cause) {
      assert.ok(!one.message.includes(SECRET), `${what}: ${one.message}`);
    }
  }
  const [last] = anyOperations(calls.at(-1));
  await assert.rejects(
    temp.memory.batch([last!]),
    (error) => isMnemError(error, "refused") && /not now/.test(error.message),
  );
});

Deno.test("no content is in what the MCP server says of lines that it cannot read", async () => {
  await using temp = await tempStore();
  const lines = [
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"${SECRET}"`,
    `"${SECRET}"`,
    `["${SECRET}"]`,
    `{"jsonrpc":"1.0","id":2,"method":"x","params":{"a":"${SECRET}"}}`,
    `{"jsonrpc":"2.0","id":{"a":"${SECRET}"},"method":"tools/list"}`,
    `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"remember","arguments":"${SECRET}"}}`,
    `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"remember","arguments":{"id":"a","content":${
      "[".repeat(300)
    }"${SECRET}"${"]".repeat(300)}}}}`,
    `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"remember","arguments":{"id":"a","content":["${SECRET}",1e999]}}}`,
  ];
  const answers = await converse(
    temp.store,
    INITIALIZE + lines.map((line) => `${line}\n`).join(""),
  );
  assert.ok(answers.length >= 6, JSON.stringify(answers));
  for (const answer of answers) {
    assert.ok(!JSON.stringify(answer).includes(SECRET), JSON.stringify(answer));
  }
  assert.equal((await temp.store.memory()).size, 0);
});
