/**
 * Requests that are sound but for their params, in both eras: each is answered with the code that the
 * protocol has for it, in words that name what is wrong, and nothing is written.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Store } from "@mnem/core";
import { tempStore } from "../support/temp_store.ts";
import { modernRequest, request } from "./server_process.ts";
import { converse, type Line, outcome, theAnswer } from "./wire_session.ts";

/** The method, its params, what comes of it, and what the message says. */
type Case = readonly [string, unknown, unknown, RegExp?];

const CALLS: readonly Case[] = [
  ["tools/call", {}, -32602, /^Invalid request: params\.name: /],
  ["tools/call", { name: 5 }, -32602, /^Invalid request: params\.name: /],
  ["tools/call", { name: "" }, -32602],
  ["tools/call", { name: "nope" }, -32602, /^Tool nope not found$/],
  ["tools/call", { name: "Recall" }, -32602],
  ["tools/call", { name: "__proto__" }, -32602],
  ["tools/call", { name: "constructor" }, -32602],
  ["tools/call", { name: "recall", arguments: null }, "ok"],
  [
    "tools/call",
    { name: "recall", arguments: [] },
    -32602,
    /params\.arguments/,
  ],
  [
    "tools/call",
    { name: "recall", arguments: "{}" },
    -32602,
    /params\.arguments/,
  ],
  ["tools/call", { name: "recall", arguments: 5 }, -32602, /params\.arguments/],
  [
    "tools/call",
    { name: "recall", arguments: { idd: "a" } },
    "invalid_argument",
    /"idd"/,
  ],
  ["tools/call", { name: "recall", extra: 1 }, "ok"],
  [
    "tools/call",
    { name: "recall", arguments: { id: 5 } },
    "invalid_argument",
    /id/,
  ],
  ["tools/call", { name: "remember" }, "invalid_argument", /id/],
  [
    "tools/call",
    { name: "remember", arguments: { id: "", content: 1 } },
    "invalid_argument",
  ],
  ["tools/call", {
    name: "remember",
    arguments: { id: "x".repeat(2_000), content: 1 },
  }, "invalid_argument"],
  [
    "tools/call",
    { name: "remember_many", arguments: { items: "x" } },
    "invalid_argument",
    /items/,
  ],
  [
    "tools/call",
    { name: "recall_at", arguments: { commit: "HEAD~99" } },
    "invalid_ref",
  ],
  ["tools/call", {
    name: "whats_new",
    arguments: { commit: "HEAD", cursor: "x" },
  }, "invalid_argument"],
];

const OTHERS: readonly Case[] = [
  ["tools/list", { cursor: 5 }, -32602, /^Invalid request: params\.cursor: /],
  ["resources/list", { cursor: {} }, -32602, /params\.cursor/],
  ["resources/read", {}, -32602, /^Invalid request: params\.uri: /],
  ["nope", {}, -32601],
  ["", {}, -32601],
  ["__proto__", {}, -32601],
  ["toString", {}, -32601],
  ["tools/call/", { name: "recall" }, -32601],
  ["notifications/initialized", {}, -32601],
];

/** URIs that name nothing, and why; and some that name a node in another spelling. */
const URIS: readonly (readonly [unknown, unknown])[] = [
  ["mnem://memory/plan", "ok"],
  ["MNEM://memory/plan", "ok"],
  ["mnem://memory/a%2Fb", "ok"],
  ["mnem://memory/a%2fb", "ok"],
  ["mnem://memory/%70lan", "ok"],
  ["mnem://memory/a/b", -32602],
  ["mnem://memory/%", -32602],
  ["mnem://memory/%zz", -32602],
  ["mnem://memory/%ed%a0%80", -32602],
  ["mnem://memory/%00", -32602],
  ["mnem://memory/.", -32602],
  ["mnem://memory/..", -32602],
  ["mnem://memory/%2e%2e", -32602],
  ["mnem://memory/../status", -32602],
  ["mnem://memory/", -32602],
  ["mnem://memory//", -32602],
  ["mnem://memory/plan/", -32602],
  ["mnem://memory/plan?x=1", -32602],
  ["mnem://memory/plan#f", -32602],
  ["mnem://memory/nobody", -32602],
  ["mnem://MEMORY/plan", -32602],
  ["mnem://memory:80/plan", -32602],
  ["mnem://user@memory/plan", -32602],
  ["mnem:memory/plan", -32602],
  ["mnem://nothing", -32602],
  ["mnem://", -32602],
  ["mnem://commit/HEAD", -32602],
  [`mnem://commit/${"0".repeat(64)}`, -32602],
  ["file:///etc/passwd", -32602],
  ["https://mnem.dev/memory", -32602],
  ["memory/plan", -32602],
  ["", -32602],
  [" ", -32602],
  ["\u0000", -32602],
  ["x".repeat(100_000), -32602],
  [5, -32602],
  [null, -32602],
  [["mnem://memory"], -32602],
  [{}, -32602],
];

/** The text with which an answer says what is wrong. */
function complaint(answer: Line): string {
  return answer.error?.message ?? answer.result?.content?.[0]?.text ?? "";
}

async function stored(): Promise<{ store: Store } & AsyncDisposable> {
  const temp = await tempStore();
  await temp.store.write([
    { id: "plan", content: "pro" },
    { id: "a/b", content: 1 },
  ], { message: "two" });
  return temp;
}

/** Sends a request to a fresh connection of each era, and returns both answers. */
async function inBothEras(
  store: Store,
  method: string,
  params: object,
): Promise<Line[]> {
  const frames = [request(1, method, params), modernRequest(1, method, params)];
  return await Promise.all(
    frames.map(async (frame) => theAnswer(await converse(store, frame), 1)),
  );
}

Deno.test("bad params of a call or another request are named, by the code of whoever can mend them", async (t) => {
  await using temp = await stored();
  const before = await temp.store.head();
  for (const [method, params, expected, message] of [...CALLS, ...OTHERS]) {
    await t.step(
      `${method} ${JSON.stringify(params).slice(0, 80)}`,
      async () => {
        for (
          const answer of await inBothEras(temp.store, method, Object(params))
        ) {
          assert.equal(outcome(answer), expected, complaint(answer));
          if (message !== undefined) assert.match(complaint(answer), message);
        }
      },
    );
  }
  assert.deepEqual(await temp.store.head(), before);
});

Deno.test("a URI that names nothing is -32602, however it is spelt, with the URI in its data where it is one", async (t) => {
  await using temp = await stored();
  for (const [uri, expected] of URIS) {
    await t.step(JSON.stringify(uri).slice(0, 80), async () => {
      for (
        const answer of await inBothEras(temp.store, "resources/read", { uri })
      ) {
        assert.equal(outcome(answer), expected, complaint(answer));
        if (expected === "ok") continue;
        assert.doesNotMatch(complaint(answer), /\n/);
        if (typeof uri === "string") {
          assert.equal(typeof Object(answer.error?.data).uri, "string");
        }
      }
    });
  }
});

/** What may stand as `_meta` of a call by an older client, and what comes of it. */
const METAS: readonly (readonly [string, unknown])[] = [
  ["{}", "ok"],
  ['{"progressToken":"t"}', "ok"],
  ['{"progressToken":""}', "ok"],
  ['{"progressToken":-1}', "ok"],
  ['{"traceparent":5,"__proto__":{"a":1}}', "ok"],
  ["5", -32600],
  ["null", -32600],
  ['"x"', -32600],
  ["[]", -32600],
  ['{"progressToken":null}', -32600],
  ['{"progressToken":1.5}', -32600],
  ['{"progressToken":{}}', -32600],
  ['{"progressToken":1152921504606846977}', -32600],
  ['{"progressToken":"\\ud800"}', "invalid_argument"],
  ['{"io.modelcontextprotocol/protocolVersion":5}', -32602],
  ['{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}', -32602],
  [
    '{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":5}',
    -32602,
  ],
  [
    '{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}',
    -32022,
  ],
];

Deno.test("_meta of another kind is refused with the id of its request", async (t) => {
  await using temp = await stored();
  for (const [meta, expected] of METAS) {
    await t.step(meta, async () => {
      const lines = await converse(
        temp.store,
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":{"id":"plan"},"_meta":${meta}}}\n`,
      );
      assert.equal(outcome(theAnswer(lines, 1)), expected);
      assert.equal(lines.length, 1);
    });
  }
});
