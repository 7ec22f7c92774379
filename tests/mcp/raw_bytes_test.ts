/**
 * The table "On the wire" of mcp/README.md, row by row: raw bytes into the real server, and every
 * byte that it writes looked at.
 *
 * @module
 */

import assert from "node:assert/strict";
import { tempFolder } from "../support/temp_folder.ts";
import { tempStore } from "../support/temp_store.ts";
import {
  type Answer,
  answersOf,
  call,
  INITIALIZE,
  modernRequest,
  request,
  runServer,
  startServer,
} from "./server_process.ts";
import {
  answersTo,
  converse,
  type Line,
  linesOf,
  outcome,
  ping,
  theAnswer,
} from "./wire_session.ts";

const FACT = { id: "plan", content: "pro", source: "ticket-7" };
const MIB = 1 << 20;
const encoder = new TextEncoder();

/** Feeds a new server in a process of its own, which must end by itself with 0. */
async function feed(
  input: string | Uint8Array,
  flags: string[] = [],
): Promise<Line[]> {
  await using folder = await tempFolder();
  const store = `--store=${folder.path}`;
  const { code, stdout, stderr } = await runServer([store, ...flags], input);
  assert.equal(code, 0, stderr);
  return linesOf(stdout);
}

function concat(...parts: (string | number[])[]): Uint8Array {
  const bytes = parts.map((part) =>
    typeof part === "string" ? encoder.encode(part) : Uint8Array.from(part)
  );
  return new Uint8Array(bytes.flatMap((each) => [...each]));
}

/** Ids and codes of the errors, in order. */
function errorsOf(lines: readonly Line[]): unknown[] {
  return lines.filter(({ error }) => error !== undefined).map((line) => [
    line.id,
    line.error?.code,
  ]);
}

Deno.test("row 1: not JSON, a blank line, not UTF-8: -32700 without an id; a byte order mark and CRLF are taken", async () => {
  const lines = await feed(concat(
    `\ufeff${call(1, "remember", FACT).trimEnd()}\r\n`,
    'not json\n\n   \t\r\n{"jsonrpc":"2.0",\n\'a\'\nNaN\n\u0000\n',
    [0x22, 0xff, 0x22, 0x0a, 0xc3, 0x0a],
    `  ${ping(2).trimEnd()} \t\r\n\ufeff${ping(3)}`,
  ));
  for (const id of [1, 2, 3]) assert.equal(outcome(theAnswer(lines, id)), "ok");
  assert.deepEqual(errorsOf(lines), Array(9).fill([undefined, -32700]));
});

/** Each is JSON and no request; the id that its error must carry, if any, stands beside it. */
const NOT_REQUESTS: readonly (readonly [string, (string | number)?])[] = [
  ["[]"],
  [`[${ping("in a batch").trimEnd()}]`],
  ["null"],
  ["5"],
  ['"ping"'],
  ["{}"],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}'],
  ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}'],
  ['{"jsonrpc":"2.0","id":true,"method":"ping"}'],
  ['{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}'],
  ['{"jsonrpc":"2.0","id":1e400,"method":"ping"}'],
  ['{"id":"a","method":"ping"}', "a"],
  ['{"jsonrpc":"1.0","id":"b","method":"ping"}', "b"],
  ['{"jsonrpc":2.0,"id":"c","method":"ping"}', "c"],
  ['{"jsonrpc":"2.0","id":"d","method":5}', "d"],
  ['{"jsonrpc":"2.0","id":"e"}', "e"],
  ['{"jsonrpc":"2.0","id":"f","method":"ping","params":[]}', "f"],
  ['{"jsonrpc":"2.0","id":"g","method":"ping","params":"x"}', "g"],
  ['{"jsonrpc":"2.0","id":"h","method":"ping","params":null}', "h"],
  ['{"jsonrpc":"2.0","id":"i","method":"ping","extra":1}', "i"],
  ['{"jsonrpc":"2.0","id":"j","method":"ping","result":{}}', "j"],
  // The id of an answer is one that this server would have given.
  ['{"jsonrpc":"2.0","id":"k","result":5}'],
  ['{"jsonrpc":"2.0","id":"l","error":{"code":"x","message":"y"}}'],
  ['{"jsonrpc":"2.0","id":1,"result":{"a":1e400}}'],
  ['{"jsonrpc":"2.0","id":"","method":{}}', ""],
  ['{"jsonrpc":"2.0","id":-7,"method":[]}', -7],
  ['{"jsonrpc":"2.0","method":"notifications/x","params":[]}'],
  ['{"__proto__":{"jsonrpc":"2.0","id":1,"method":"ping"}}'],
];

Deno.test("row 2: JSON that is no request, a batch, an id that cannot be: -32600, with the id where it is one", async () => {
  const lines = await feed(
    NOT_REQUESTS.map(([frame]) => `${frame}\n`).join("") + ping("next"),
  );
  assert.deepEqual(
    errorsOf(lines),
    NOT_REQUESTS.map(([_, id]) => [id, -32600]),
  );
  assert.equal(lines.length, NOT_REQUESTS.length + 1);
  assert.equal(outcome(theAnswer(lines, "next")), "ok");
});

Deno.test("row 2: an id beyond 2^53 comes back digit by digit", async () => {
  await using folder = await tempFolder();
  const ids = [
    "9007199254740993",
    "1152921504606846977",
    "-9223372036854775808",
    "18446744073709551617",
    "340282366920938463463374607431768211457",
    "-18446744073709551617",
  ];
  const { stdout } = await runServer(
    [`--store=${folder.path}`],
    ids.map((id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`).join(""),
  );
  const echoed = stdout.matchAll(/^{"jsonrpc":"2.0","id":(-?\d+),"error":/gm);
  assert.deepEqual(Array.from(echoed, ([, id]) => id), ids);
});

Deno.test("row 3: an id in flight is refused, with that id; text and number are two ids", async () => {
  const lines = await feed(
    INITIALIZE + call(7, "recall") + call(7, "recall") + call("7", "recall") +
      ping("init"),
  );
  assert.deepEqual(
    answersTo(lines, 7).map(outcome).toSorted(),
    [-32600, "ok"],
  );
  assert.equal(outcome(theAnswer(lines, "7")), "ok");
  // In flight or answered by then: two requests, two answers.
  assert.equal(answersTo(lines, "init").length, 2);
});

Deno.test("row 4: lines of 1, 5 and 9 MB are read whole", async () => {
  const sizes = [1, 5, 9];
  const content = (size: number) => "x".repeat(size * 1_000_000);
  const lines = await feed(
    sizes.map((size) =>
      call(size, "remember", { id: `size ${size}`, content: content(size) })
    ).join(""),
  );
  assert.deepEqual(
    sizes.map((size) => outcome(theAnswer(lines, size))),
    // A content may have 8 MiB: the frame was read, and the model is told.
    ["ok", "ok", "invalid_argument"],
  );
});

Deno.test("row 5: lines from 10 MB up to the limit are served, one over 32 MiB is refused, and the next frame goes on", async () => {
  const padded = (size: number) =>
    request(`${size} MiB`, "ping", { pad: "x".repeat(size * MIB) });
  const lines = await feed(
    padded(10.2) + padded(31) + padded(33) + ping("next"),
  );
  for (const id of ["10.2 MiB", "31 MiB"]) {
    assert.equal(outcome(theAnswer(lines, id)), "ok");
  }
  assert.deepEqual(errorsOf(lines), [[undefined, -32600]]);
  const [refused] = answersTo(lines, undefined);
  assert.equal(
    refused?.error?.message,
    `Frame is over the limit of ${32 * MIB} bytes`,
  );
  assert.equal(outcome(theAnswer(lines, "next")), "ok");
});

Deno.test("row 5: a line of brackets alone is told from JSON, and from a call that nests too deep", async () => {
  await using temp = await tempStore();
  const deep = `${"[".repeat(4 * MIB)}0${"]".repeat(4 * MIB)}`;
  const lines = await converse(
    temp.store,
    `${"[".repeat(8 * MIB)}\n` +
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${deep}}}\n` +
      `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"remember","arguments":{"id":"a","content":${deep}}}}\n` +
      ping("next"),
  );
  assert.deepEqual(errorsOf(lines), [[undefined, -32700], [1, -32600]]);
  assert.equal(outcome(theAnswer(lines, 2)), "invalid_argument");
  assert.equal(outcome(theAnswer(lines, "next")), "ok");
});

Deno.test("row 6: at the end of input every call in flight is answered first, however many", async () => {
  await using folder = await tempFolder();
  const count = 300;
  const input = Array.from(
    { length: count },
    (_, index) => call(index, "remember", { id: `n${index}`, content: index }),
  ).join("");
  const { code, stdout } = await runServer([`--store=${folder.path}`], input);
  assert.equal(code, 0);
  const lines = linesOf(stdout);
  assert.equal(lines.length, count);
  assert.deepEqual(
    new Set(lines.map(outcome)),
    new Set(["ok"]),
  );
  assert.equal(new Set(lines.map(({ id }) => id)).size, count);
});

Deno.test("row 7: a last line without a line feed is a frame; half a frame or half a character is told", async () => {
  const whole = await feed(ping(1) + ping(2).trimEnd());
  assert.deepEqual(whole.map(({ id }) => id), [1, 2]);
  await using temp = await tempStore();
  const half = await converse(temp.store, ping(1) + ping(2).slice(0, -5));
  assert.deepEqual(errorsOf(half), [[undefined, -32700]]);
  const character = await converse(
    temp.store,
    concat(ping(1), '{"a":"', [0xf0, 0x9f, 0x98]),
  );
  assert.deepEqual(errorsOf(character), [[undefined, -32700]]);
  for (const lines of [half, character]) {
    assert.equal(outcome(theAnswer(lines, 1)), "ok");
    assert.equal(lines.length, 2);
  }
});

Deno.test("row 8: the end of input ends an idle server with 0, with no word on standard output", async () => {
  assert.deepEqual(await feed(""), []);
});

/** Starts a server and waits until it answers. */
async function running(
  folder: string,
): Promise<{ child: Deno.ChildProcess; answers: AsyncGenerator<Answer> }> {
  const child = startServer([`--store=${folder}`]);
  const answers = answersOf(child.stdout);
  const writer = child.stdin.getWriter();
  await writer.write(encoder.encode(INITIALIZE));
  writer.releaseLock();
  const { value } = await answers.next();
  assert.equal(value.id, "init");
  return { child, answers };
}

/** Waits for a server that ends, with 0 and nothing more to say. */
async function finish(
  child: Deno.ChildProcess,
  answers: AsyncGenerator<Answer>,
): Promise<void> {
  assert.equal((await answers.next()).done, true);
  const { success, code, signal } = await child.status;
  assert.deepEqual([success, code, signal], [true, 0, null]);
  await child.stderr.cancel();
}

Deno.test("row 9: a signal ends the server with 0, and what was written stays", async (t) => {
  await using folder = await tempFolder();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    await t.step(signal, async () => {
      const { child, answers } = await running(folder.path);
      const writer = child.stdin.getWriter();
      await writer.write(
        encoder.encode(call(1, "remember", { ...FACT, id: signal })),
      );
      const { value } = await answers.next();
      assert.equal(value.id, 1);
      child.kill(signal);
      await finish(child, answers);
      await writer.abort().catch(() => {});
    });
  }
  const { stdout } = await runServer(
    [`--store=${folder.path}`],
    call(1, "recall"),
  );
  const { structuredContent } = Object(theAnswer(linesOf(stdout), 1).result);
  assert.equal(structuredContent.result.length, 3);
});

Deno.test("row 9: a signal ends an open subscription with its result", async () => {
  await using folder = await tempFolder();
  const child = startServer([`--store=${folder.path}`]);
  const answers = answersOf(child.stdout);
  const writer = child.stdin.getWriter();
  await writer.write(encoder.encode(
    modernRequest("sub", "subscriptions/listen", { notifications: {} }),
  ));
  const { value: acknowledged } = await answers.next();
  assert.equal(acknowledged.id, undefined);
  child.kill("SIGTERM");
  const { value: ended } = await answers.next();
  assert.equal(ended.id, "sub");
  assert.equal(ended.result?.["resultType"], "complete");
  await finish(child, answers);
  await writer.abort().catch(() => {});
});

Deno.test("row 10: the server ends with 0 when the client stops reading", async () => {
  await using folder = await tempFolder();
  const child = startServer([`--store=${folder.path}`]);
  await child.stdout.cancel();
  const writer = child.stdin.getWriter();
  await writer.write(encoder.encode(INITIALIZE));
  const { code } = await child.status;
  assert.equal(code, 0);
  await child.stderr.cancel();
  await writer.abort().catch(() => {});
});

function cancel(id: unknown, more: object = {}): string {
  return `${
    JSON.stringify({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: id, ...more },
    })
  }\n`;
}

Deno.test("row 11: a cancelled call is not answered and holds up nothing; other cancellations are nothing", async () => {
  const lines = await feed(
    INITIALIZE + call(1, "remember", FACT) + cancel(1) +
      cancel(1) + cancel("1") + cancel(99) + cancel(undefined) +
      cancel(null) + cancel({}) + call(2, "recall") + ping(3) + cancel(3) +
      ping(4),
  );
  assert.deepEqual(answersTo(lines, 1), []);
  assert.equal(outcome(theAnswer(lines, 2)), "ok");
  assert.equal(outcome(theAnswer(lines, 4)), "ok");
  assert.ok(answersTo(lines, 3).length <= 1);
  assert.deepEqual(errorsOf(lines), []);
});

Deno.test("row 12: a version that is not known is refused with those that are, first or later", async () => {
  const lines = await feed(
    modernRequest("first", "tools/list", {}, "2027-01-01") +
      modernRequest("known", "tools/list") +
      modernRequest("later", "tools/list", {}, "2027-01-01") +
      modernRequest("older", "tools/list", {}, "2025-11-25") +
      modernRequest("empty", "tools/list", {}, "") +
      modernRequest("again", "tools/list"),
  );
  for (const id of ["first", "later", "older", "empty"]) {
    const { error } = theAnswer(lines, id);
    assert.equal(error?.code, -32022, id);
    assert.deepEqual(Object(error?.data).supported, ["2026-07-28"]);
  }
  for (const id of ["known", "again"]) {
    assert.equal(outcome(theAnswer(lines, id)), "ok");
  }
});

Deno.test("row 12: initialize is answered in the version asked for, and in the newest for one that is not known", async (t) => {
  await using temp = await tempStore();
  const asked = [
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2025-03-26", "2025-03-26"],
    ["2024-11-05", "2024-11-05"],
    ["2024-10-07", "2024-10-07"],
    ["2026-07-28", "2025-11-25"],
    ["1999-01-01", "2025-11-25"],
    ["", "2025-11-25"],
  ];
  for (const [version = "", answered] of asked) {
    await t.step(version, async () => {
      const lines = await converse(
        temp.store,
        INITIALIZE.replace("2025-11-25", version) + call(1, "recall"),
      );
      const { result } = theAnswer(lines, "init");
      assert.equal(result?.["protocolVersion"], answered);
      assert.equal(outcome(theAnswer(lines, 1)), "ok");
    });
  }
});

Deno.test("row 12: after a request of 2026-07-28, initialize and a request without its version are refused", async () => {
  await using temp = await tempStore();
  const lines = await converse(
    temp.store,
    modernRequest("pin", "tools/list") + INITIALIZE +
      request("bare", "tools/list") + modernRequest("good", "tools/list"),
  );
  const { error } = theAnswer(lines, "init");
  assert.equal(error?.code, -32022);
  assert.deepEqual(Object(error?.data).supported, ["2026-07-28"]);
  assert.equal(outcome(theAnswer(lines, "bare")), -32602);
  assert.equal(outcome(theAnswer(lines, "good")), "ok");
});

Deno.test("row 12: requests without a handshake are served", async () => {
  await using temp = await tempStore();
  const lines = await converse(
    temp.store,
    request(1, "tools/list") + call(2, "remember", FACT) +
      request(3, "resources/read", { uri: "mnem://status" }) + ping(4),
  );
  assert.deepEqual([1, 2, 3, 4].map((id) => outcome(theAnswer(lines, id))), [
    "ok",
    "ok",
    "ok",
    "ok",
  ]);
});

Deno.test("silence: notifications and responses are not answered, whatever they are called or hold", async () => {
  await using temp = await tempStore();
  const quiet = [
    '{"jsonrpc":"2.0","method":"notifications/whatever","params":{"n":1152921504606846977}}',
    '{"jsonrpc":"2.0","method":"tools/list"}',
    '{"jsonrpc":"2.0","method":""}',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}',
    '{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":"x","result":{"n":1152921504606846977}}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}',
    '{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}}',
  ].map((frame) => `${frame}\n`).join("");
  for (const first of ["", INITIALIZE, modernRequest("init", "tools/list")]) {
    const lines = await converse(temp.store, first + quiet);
    assert.equal(lines.length, first === "" ? 0 : 1);
  }
});

Deno.test("a thousand requests at once with a bad one in their middle: a thousand and one answers", async () => {
  const half = (from: number) =>
    Array.from(
      { length: 500 },
      (_, index) =>
        index % 2 === 0
          ? call(from + index, "remember", {
            id: `n${from + index}`,
            content: index,
          })
          : ping(from + index),
    ).join("");
  const lines = await feed(half(0) + "{bad\n" + half(500));
  assert.equal(lines.length, 1_001);
  for (let id = 0; id < 1_000; id++) {
    assert.equal(outcome(theAnswer(lines, id)), "ok");
  }
  assert.equal(outcome(theAnswer(lines, undefined)), -32700);
});

Deno.test("five thousand requests at once are answered, and the server stays for more", async () => {
  await using folder = await tempFolder();
  const { child, answers } = await running(folder.path);
  const writer = child.stdin.getWriter();
  const count = 5_000;
  const written = writer.write(encoder.encode(
    Array.from({ length: count }, (_, id) => call(id, "recall")).join(""),
  ));
  for (let answered = 0; answered < count; answered++) {
    assert.equal(outcome((await answers.next()).value), "ok");
  }
  await written;
  await writer.write(encoder.encode(ping("more")));
  assert.equal((await answers.next()).value?.id, "more");
  await writer.close();
  await finish(child, answers);
});

/** Serves, stops when it is told to, and has nothing else to do. */
const STOPPING = `
  import process from "node:process";
  import { openStore } from "@mnem/core";
  import { serveStdio } from "@mnem/mcp";
  const store = await openStore(Deno.args[0], { create: true });
  const handle = serveStdio(store);
  process.once("SIGTERM", async () => {
    await handle.close();
    await handle.closed;
    await store.close();
    console.error("closed");
  });
`;

Deno.test("close() leaves nothing of serveStdio() that keeps a program alive", async () => {
  await using folder = await tempFolder();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", STOPPING, folder.path],
    cwd: new URL("../../", import.meta.url),
    env: { NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const answers = answersOf(child.stdout);
  const writer = child.stdin.getWriter();
  await writer.write(encoder.encode(ping(1)));
  assert.equal((await answers.next()).value?.id, 1);
  child.kill("SIGTERM");
  assert.match(await new Response(child.stderr).text(), /closed\n$/);
  assert.equal((await answers.next()).done, true);
  assert.equal((await child.status).code, 0);
  await writer.abort().catch(() => {});
});

Deno.test("an id of a megabyte is echoed, and a name or URI of one is not", async () => {
  await using temp = await tempStore();
  const long = "x".repeat(MIB);
  const lines = await converse(
    temp.store,
    ping(long) + call(1, long) +
      request(2, "resources/read", { uri: `mnem://memory/${long}` }) +
      request(3, "resources/read", {
        uri: `mnem://memory/${"%2f".repeat(MIB / 3)}`,
      }) +
      request(4, "resources/read", { uri: `mnem://commit/${long}` }) +
      request(5, long) + ping("next"),
  );
  assert.equal(outcome(theAnswer(lines, long)), "ok");
  for (const id of [1, 2, 3, 4]) {
    const { error } = theAnswer(lines, id);
    assert.equal(error?.code, -32602, `${id}`);
    assert.ok((error?.message ?? "").length < 1_100);
  }
  assert.equal(outcome(theAnswer(lines, 5)), -32601);
  assert.equal(outcome(theAnswer(lines, "next")), "ok");
});
