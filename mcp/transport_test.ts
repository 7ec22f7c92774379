import assert from "node:assert/strict";
import { PassThrough, Writable } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { textSink } from "../tests/support/text_sink.ts";
import { StdioTransport, type StdioTransportOptions } from "./transport.ts";

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

interface Conversation {
  /** What was written, parsed, in order. */
  readonly answers: unknown[];
  /** What reached the server, in order. */
  readonly received: JSONRPCMessage[];
}

/** Answers a request, at once or when told. */
type Answer = (message: JSONRPCMessage, transport: StdioTransport) => void;

const answerAtOnce: Answer = (message, transport) => {
  if (!("method" in message) || !("id" in message)) return;
  transport.send({ jsonrpc: "2.0", id: message.id, result: {} });
};

/** Sends bytes, ends the input, and returns what came of it. */
async function converse(
  input: string | Uint8Array,
  answer: Answer = answerAtOnce,
  options: StdioTransportOptions = {},
): Promise<Conversation> {
  const stdin = new PassThrough();
  const { stream: stdout, text } = textSink();
  const transport = new StdioTransport({ stdin, stdout }, options);
  const received: JSONRPCMessage[] = [];
  transport.onmessage = (message) => {
    received.push(message);
    answer(message, transport);
  };
  let closes = 0;
  transport.onclose = () => closes += 1;
  await transport.start();
  stdin.end(input);
  await transport.closed;
  assert.equal(closes, 1);
  const lines = text().split("\n");
  assert.equal(lines.pop(), "");
  return { answers: lines.map((line) => JSON.parse(line)), received };
}

function ping(id: unknown, method = "ping"): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method })}\n`;
}

const refusal = (code: number, message: string, id?: unknown) =>
  id === undefined
    ? { jsonrpc: "2.0", error: { code, message } }
    : { jsonrpc: "2.0", id, error: { code, message } };
const notJson = refusal(-32700, "Frame is not JSON");
const notRpc = (id?: unknown) =>
  refusal(-32600, "Frame is not a JSON-RPC 2.0 message", id);
const pong = (id: unknown) => ({ jsonrpc: "2.0", id, result: {} });

const BROKEN: [string, string, unknown][] = [
  ["text", "hello\n", notJson],
  ["half an object", '{"jsonrpc":"2.0"\n', notJson],
  ["a blank line", "\n", notJson],
  ["a line of spaces", "   \n", notJson],
  ["NaN", '{"jsonrpc":"2.0","id":NaN,"method":"ping"}\n', notJson],
  [
    "a batch",
    `[${ping(1).trim()}]\n`,
    refusal(-32600, "Batches are not part of MCP: send one message a line"),
  ],
  ["a bare string", '"ping"\n', notRpc()],
  ["null", "null\n", notRpc()],
  ["id null", ping(null), notRpc()],
  ["id 1.5", ping(1.5), notRpc()],
  ["id true", ping(true), notRpc()],
  ["no method", '{"jsonrpc":"2.0","id":"a"}\n', notRpc("a")],
  ["another version", '{"jsonrpc":"1.0","id":7,"method":"ping"}\n', notRpc(7)],
  [
    "a member too many",
    '{"jsonrpc":"2.0","id":8,"method":"ping","extra":1}\n',
    notRpc(8),
  ],
  ["a notification of no name", '{"jsonrpc":"2.0","method":5}\n', notRpc()],
];

Deno.test("StdioTransport answers each broken frame and goes on", async (t) => {
  for (const [name, line, expected] of BROKEN) {
    await t.step(name, async () => {
      const { answers, received } = await converse(line + ping("next"));
      assert.deepEqual(answers, [expected, pong("next")]);
      assert.equal(received.length, 1);
    });
  }
});

Deno.test("StdioTransport passes a tool call on whose arguments are null as one without", async () => {
  const frame = (method: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{"name":"recall","arguments":null}}\n`;
  const called = await converse(frame("tools/call"));
  const [message] = called.received;
  assert.ok(message !== undefined && "params" in message);
  assert.deepEqual(message.params, { name: "recall", _meta: {} });
  const other = await converse(frame("other"));
  const [kept] = other.received;
  assert.ok(kept !== undefined && "params" in kept);
  assert.deepEqual(kept.params, { name: "recall", arguments: null });
});

Deno.test("StdioTransport echoes an id beyond 2^53 as the number it was", async () => {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const transport = new StdioTransport({ stdin, stdout });
  await transport.start();
  stdin.end('{"jsonrpc":"2.0","id":1152921504606846977,"method":"ping"}\n');
  await transport.closed;
  assert.match(String(stdout.read()), /"id":1152921504606846977,/);
});

Deno.test("StdioTransport takes a byte order mark, CRLF and a last line without an end", async () => {
  const { answers } = await converse(
    `\ufeff${ping(1).trim()}\r\n${ping("two").trim()}`,
  );
  assert.deepEqual(answers, [pong(1), pong("two")]);
});

Deno.test("StdioTransport reads integers beyond 2^53 exactly and writes them as decimal strings", async () => {
  const { received, answers } = await converse(
    '{"jsonrpc":"2.0","id":1,"method":"echo","params":{"v":[18446744073709551615,-9223372036854775808,9007199254740991,1e300]}}\n',
    (message, transport) => {
      if (!("method" in message) || !("id" in message)) return;
      const result = { ...message.params };
      transport.send({ jsonrpc: "2.0", id: message.id, result });
    },
  );
  const [message] = received;
  assert.ok(message !== undefined && "params" in message);
  assert.deepEqual(message.params?.["v"], [
    18446744073709551615n,
    -9223372036854775808n,
    9007199254740991,
    1e300,
  ]);
  const values = [
    "18446744073709551615",
    "-9223372036854775808",
    9007199254740991,
    1e300,
  ];
  assert.deepEqual(answers, [
    { jsonrpc: "2.0", id: 1, result: { v: values } },
  ]);
});

Deno.test("StdioTransport refuses what could not be stored, and says which request held it", async () => {
  const frame = (method: string, value: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{"name":"remember","arguments":{"content":${value}}}}\n`;
  for (const value of ["18446744073709551616", '"\\ud800"', "1e400"]) {
    const { answers, received } = await converse(frame("other", value));
    assert.deepEqual(received, []);
    const [answer] = answers;
    assert.match(
      JSON.stringify(answer),
      /^{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Cannot parse JSON at position \d+: /,
    );
  }
  const { received } = await converse(
    frame("tools/call", "18446744073709551616"),
  );
  const [message] = received;
  assert.ok(message !== undefined && "params" in message);
  assert.equal(message.params?.["name"], "remember");
  assert.equal(message.params?.["arguments"], undefined);
  assert.match(
    String(message.params?._meta?.["dev.mnem/unreadable"]),
    /must be an integer within -2\^63 and 2\^64 - 1/,
  );
});

Deno.test("StdioTransport refuses a frame over the limit and goes on", async () => {
  const { answers } = await converse(
    `${"x".repeat(101)}\n${ping(1)}`,
    answerAtOnce,
    { frameBytesMax: 100 },
  );
  assert.deepEqual(answers, [
    refusal(-32600, "Frame is over the limit of 100 bytes"),
    pong(1),
  ]);
});

Deno.test("StdioTransport refuses an id that is in flight, and takes it again once answered", async () => {
  const held: JSONRPCMessage[] = [];
  const { answers, received } = await converse(
    ping(1, "first") + ping(1, "second") + ping("1", "third"),
    (message, transport) => {
      held.push(message);
      if (held.length < 2) return;
      for (const each of held) answerAtOnce(each, transport);
    },
  );
  assert.deepEqual(
    received.map((message) => "method" in message && message.method),
    ["first", "third"],
  );
  assert.deepEqual(answers, [
    refusal(-32600, "Request id 1 is in flight", 1),
    pong(1),
    pong("1"),
  ]);
  const again = await converse(ping(1) + ping(1));
  assert.deepEqual(again.answers, [pong(1), pong(1)]);
});

Deno.test("StdioTransport refuses an unknown revision once envelopes are in use", async () => {
  const call = (id: number, version: string) =>
    `${
      JSON.stringify({
        jsonrpc: "2.0",
        id,
        method: "ping",
        params: { _meta: { [VERSION_KEY]: version } },
      })
    }\n`;
  const { answers } = await converse(
    call(1, "2027-01-01") + call(2, "2026-07-28") + call(3, "2027-01-01") +
      call(4, "2026-07-28"),
  );
  assert.deepEqual(answers, [
    pong(1), // the SDK judges the first message
    pong(2),
    {
      jsonrpc: "2.0",
      id: 3,
      error: {
        code: -32022,
        message: "Unsupported protocol version: 2027-01-01",
        data: { supported: ["2026-07-28"], requested: "2027-01-01" },
      },
    },
    pong(4),
  ]);
});

Deno.test("StdioTransport answers what is in flight when the input ends", async () => {
  const { answers } = await converse(ping(1), (message, transport) => {
    setTimeout(() => answerAtOnce(message, transport));
  });
  assert.deepEqual(answers, [pong(1)]);
});

Deno.test("StdioTransport waits for a call in flight no longer than it may", async () => {
  const { answers, received } = await converse(ping(1), () => {}, {
    drainMs: 10,
  });
  assert.equal(received.length, 1);
  assert.deepEqual(answers, []);
});

Deno.test("StdioTransport waits for each of many calls, as long as one is answered after the other", async () => {
  const drainMs = 50;
  const held: JSONRPCMessage[] = [];
  const { answers } = await converse(
    Array.from({ length: 12 }, (_, id) => ping(id)).join(""),
    (message, transport) => {
      held.push(message);
      if (held.length < 12) return;
      const answerNext = () => {
        const next = held.shift();
        if (next === undefined) return;
        answerAtOnce(next, transport);
        setTimeout(answerNext, drainMs / 5);
      };
      setTimeout(answerNext, drainMs / 5);
    },
    { drainMs },
  );
  assert.equal(answers.length, 12);
});

/** Acknowledges subscriptions, and answers nothing else. */
const acknowledge: Answer = (message, transport) => {
  if (!("method" in message) || !("id" in message)) return;
  if (message.method !== "subscriptions/listen") return;
  setTimeout(() =>
    transport.send({
      jsonrpc: "2.0",
      method: "notifications/subscriptions/acknowledged",
      params: {
        _meta: { "io.modelcontextprotocol/subscriptionId": message.id },
      },
    })
  );
};

const cancelled = (more = "") =>
  `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1${more}}}\n`;

Deno.test("StdioTransport waits neither for a cancelled call nor for an acknowledged subscription", async () => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("it waits")), 2_000);
  });
  const { answers, received } = await Promise.race([
    converse(
      ping(1) + ping(2, "subscriptions/listen") + cancelled(),
      acknowledge,
      { drainMs: 60_000 },
    ),
    tooLong,
  ]);
  clearTimeout(timer);
  // The acknowledgement came after the end of the input, and was waited for.
  assert.deepEqual(
    answers.map((answer) => Object(answer).method),
    ["notifications/subscriptions/acknowledged"],
  );
  assert.equal(received.length, 3);
});

Deno.test("StdioTransport waits for a call whose cancellation the SDK takes no notice of", async () => {
  const { answers } = await converse(
    ping(1) + cancelled(',"reason":5'),
    (message, transport) => {
      setTimeout(() => answerAtOnce(message, transport));
    },
  );
  assert.deepEqual(answers, [pong(1)]);
});

/** Lets everything run that can. */
function settle(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}

/** A transport over streams of this process, and what it was sent. */
async function opened(stdout: Writable) {
  const stdin = new PassThrough();
  const transport = new StdioTransport({ stdin, stdout });
  const received: JSONRPCMessage[] = [];
  transport.onmessage = (message) => {
    received.push(message);
  };
  await transport.start();
  return { stdin, transport, received };
}

Deno.test("StdioTransport takes the id of a subscription again, whatever was said when it was given up", async () => {
  const stdout = new PassThrough();
  stdout.resume();
  const { stdin, transport, received } = await opened(stdout);
  for (const reason of ['"enough"', "5", "null"]) {
    received.length = 0;
    stdin.write(ping(1, "subscriptions/listen"));
    await settle();
    const [listen] = received;
    assert.ok(listen !== undefined, `it was refused before ${reason}`);
    acknowledge(listen, transport);
    await settle();
    stdin.write(cancelled(`,"reason":${reason}`));
    await settle();
  }
  stdin.end(ping(1, "subscriptions/listen"));
  await settle();
  assert.equal(received.length, 3);
  await transport.close();
});

Deno.test("StdioTransport reads no more while a thousand calls are in flight, and goes on once they are answered", async () => {
  const stdout = new PassThrough();
  stdout.resume();
  const { stdin, transport, received } = await opened(stdout);
  for (let id = 0; id < 3_000; id++) stdin.write(ping(id));
  stdin.end();
  let answered = 0;
  while (answered < 3_000) {
    await settle();
    const inFlight = received.slice(answered);
    assert.ok(inFlight.length > 0 && inFlight.length <= 1_024);
    for (const message of inFlight) answerAtOnce(message, transport);
    answered += inFlight.length;
  }
  await transport.closed;
  assert.equal(received.length, 3_000);
});

Deno.test("StdioTransport reads no more while the client does not take its answers", async () => {
  let taken = 0;
  let take: () => void = () => {};
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      taken += chunk.length;
      take = done;
    },
  });
  const { stdin, transport, received } = await opened(stdout);
  const pad = "x".repeat(1 << 20);
  let answered = 0;
  const answerAll = async () => {
    await settle();
    for (; answered < received.length; answered++) {
      const message = received[answered];
      assert.ok(message !== undefined && "id" in message);
      assert.ok(message.id !== undefined);
      transport.send({ jsonrpc: "2.0", id: message.id, result: { pad } });
    }
  };
  for (let id = 0; id < 100; id++) {
    stdin.write(ping(id));
    await answerAll();
  }
  assert.ok(answered >= 64 && answered < 70, `${answered}`);
  for (let last = -1; last < taken;) {
    last = taken;
    take();
    await answerAll();
    await settle();
  }
  assert.equal(answered, 100);
  stdin.end();
  await transport.closed;
});

Deno.test("close() waits for a client that takes nothing no longer than it may", async () => {
  let writes = 0;
  const stdout = new Writable({
    write() {
      writes += 1;
    },
  });
  const stdin = new PassThrough();
  const transport = new StdioTransport({ stdin, stdout }, { drainMs: 10 });
  transport.onmessage = (message) => answerAtOnce(message, transport);
  await transport.start();
  stdin.write(ping(1));
  await settle();
  assert.equal(writes, 1);
  await transport.close();
  await transport.closed;
});

Deno.test("StdioTransport ends when the client reads no more", async () => {
  const stdin = new PassThrough();
  const stdout = new Writable({
    write(_chunk, _encoding, done) {
      done(new Error("EPIPE"));
    },
  });
  const transport = new StdioTransport({ stdin, stdout });
  transport.onmessage = (message) => {
    if ("id" in message && message.id !== undefined) {
      transport.send({ jsonrpc: "2.0", id: message.id, result: {} })
        .catch(() => {});
    }
  };
  await transport.start();
  stdin.write(ping(1));
  await transport.closed;
  assert.equal(stdin.listenerCount("data"), 0);
});
