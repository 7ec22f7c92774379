import assert from "node:assert/strict";
import { HIDDEN, isToken, remoteFetch, type Send } from "./remote_fetch.ts";

const URL_OF = {
  handshake: "https://kv.test/",
  read: "https://kv.test/data/snapshot_read",
  write: "https://kv.test/data/atomic_write",
} as const;
const METADATA = { version: 3, token: "d4ta", endpoints: [] };

/** A server that answers by a script, and what it was asked: where, and with which token. */
function serverOf(...answers: readonly (() => Response)[]) {
  const asked: string[] = [];
  const send: Send = async (url, request) => {
    await Promise.resolve();
    asked.push(`${url} ${new Headers(request.headers).get("authorization")}`);
    const answer = answers[asked.length - 1];
    assert.ok(answer !== undefined, `nobody expected ${asked.at(-1)}`);
    return answer();
  };
  const ask = remoteFetch("s3cret", send);
  const line = async (kind: keyof typeof URL_OF) => {
    const type = kind === "handshake" ? "json" : "x-protobuf";
    const headers = { "content-type": `application/${type}` };
    return await ask(URL_OF[kind], { method: "POST", headers });
  };
  return { asked, line };
}

const handshake = (token = "d4ta") => () =>
  Response.json({ ...METADATA, token });
const data = () =>
  new Response(new Uint8Array([7]), {
    headers: { "content-type": "application/x-protobuf" },
  });
const status = (code: number, text = "") => () =>
  new Response(text, { status: code });
const breakOff = () => {
  throw new TypeError("connection closed");
};

Deno.test("remoteFetch() puts the tokens on what the client sends, and tells it none", async () => {
  const { asked, line } = serverOf(handshake(), data);
  const metadata = await (await line("handshake")).json();
  assert.deepEqual(metadata, { ...METADATA, token: HIDDEN });
  assert.deepEqual(await (await line("read")).bytes(), new Uint8Array([7]));
  assert.deepEqual(asked, [
    `${URL_OF.handshake} Bearer s3cret`,
    `${URL_OF.read} Bearer d4ta`,
  ]);
});

Deno.test("remoteFetch() asks again for a read, and never sends a write twice", async () => {
  const reading = serverOf(handshake(), status(503), breakOff, data);
  await reading.line("handshake");
  assert.equal((await reading.line("read")).status, 200);
  assert.equal(reading.asked.length, 4);

  const down = serverOf(status(500), status(502), status(503, "in an hour"));
  await assert.rejects(down.line("handshake"), {
    message: "its server answered with status 503: in an hour",
  });
  assert.equal(down.asked.length, 3);

  for (const answer of [breakOff, status(503), status(400)]) {
    const writing = serverOf(handshake(), answer);
    await writing.line("handshake");
    await assert.rejects(writing.line("write"));
    assert.equal(writing.asked.length, 2);
  }
});

Deno.test("remoteFetch() asks for a new token once, where the server forgot the old one", async () => {
  for (const kind of ["read", "write"] as const) {
    const server = serverOf(handshake(), status(401), handshake("n3w"), data);
    await server.line("handshake");
    assert.equal((await server.line(kind)).status, 200);
    assert.deepEqual(server.asked.slice(1), [
      `${URL_OF[kind]} Bearer d4ta`,
      `${URL_OF.handshake} Bearer s3cret`,
      `${URL_OF[kind]} Bearer n3w`,
    ]);
    const shut = serverOf(handshake(), status(401), status(401, "who?"));
    await shut.line("handshake");
    await assert.rejects(shut.line(kind), {
      message: "its server answered with status 401: who?",
    });
  }
});

Deno.test("remoteFetch() tells no token, whatever the server says", async () => {
  const echo = 'Bearer s3cret, {"token":"d4ta"}\nand more';
  const failing = serverOf(handshake(), status(400, echo));
  await failing.line("handshake");
  await assert.rejects(failing.line("read"), {
    message:
      `its server answered with status 400: Bearer ${HIDDEN}, {"token":"${HIDDEN}"}`,
  });
  const long = serverOf(status(400, "x".repeat(1_000)));
  await assert.rejects(long.line("handshake"), {
    message: `its server answered with status 400: ${"x".repeat(200)}`,
  });
  const none: readonly (() => Response)[] = [
    () => new Response('{"token":"d4t'),
    () => new Response("null"),
    () => Response.json({ token: 7 }),
    () => Response.json({ token: "d4\nta" }),
  ];
  for (const answer of none) {
    await assert.rejects(serverOf(answer).line("handshake"), {
      message: "its server does not speak KV Connect",
    });
  }
  const html = serverOf(handshake(), () => new Response("d4ta"));
  await html.line("handshake");
  await assert.rejects(html.line("write"), {
    message: "its server does not speak KV Connect",
  });
});

Deno.test("isToken() is true for what a header can hold", () => {
  assert.deepEqual(["a", "~!", "", "a b", "a\n", "é"].map(isToken), [
    ...[true, true, false, false, false, false],
  ]);
});

Deno.test("remoteFetch() tells a host that a server leads to no token of that server", async () => {
  const told: (string | null)[] = [];
  const serve = (answer: () => Response) =>
    Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
      told.push(request.headers.get("authorization"));
      return answer();
    });
  await using other = serve(handshake());
  const location = `http://localhost:${other.addr.port}/`;
  await using first = serve(() =>
    new Response(null, { status: 307, headers: { location } })
  );
  const answer = await remoteFetch("s3cret")(
    `http://127.0.0.1:${first.addr.port}/`,
    { method: "POST", headers: { "content-type": "application/json" } },
  );
  assert.equal(answer.url, location);
  assert.deepEqual(told, ["Bearer s3cret", null]);
});
