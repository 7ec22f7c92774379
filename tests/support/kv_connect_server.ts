/**
 * A KV Connect server on loopback: HTTP around the addon of `@deno/kv`, whose calls take and give the
 * bodies of that protocol. A real server with the real backend, in the process of the test.
 *
 * @module
 */

import { openKv } from "@deno/kv";

/** A running server; `await using` ends it. */
export interface KvConnectServer extends AsyncDisposable {
  /** Its address. */
  readonly url: string;
  /** Requests that carried the right token. */
  readonly requests: number;
}

/** What the addon offers: one call per request of the protocol, each for the handle of an open file. */
type Exchange = (
  handle: number,
  body: Uint8Array,
  debug: boolean,
) => Promise<Uint8Array>;

/** Serves a database file to those who have the token. */
export async function kvConnectServer(
  file: string,
  token: string,
): Promise<KvConnectServer> {
  const kv = await openKv(file, { implementation: "sqlite" });
  const exchanges = exchangesOf(kv);
  let requests = 0;
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      if (request.headers.get("authorization") !== `Bearer ${token}`) {
        return new Response("no", { status: 401 });
      }
      requests++;
      const exchange = exchanges.get(new URL(request.url).pathname);
      if (exchange === undefined) return Response.json(handshake(token));
      const answer = await exchange(
        new Uint8Array(await request.arrayBuffer()),
      );
      return new Response(new Uint8Array(answer), {
        headers: { "content-type": "application/x-protobuf" },
      });
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    get requests() {
      return requests;
    },
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      kv.close();
    },
  };
}

function exchangesOf(
  kv: object,
): Map<string, (body: Uint8Array) => Promise<Uint8Array>> {
  const { napi, dbId } = kv as {
    napi: { snapshotRead: Exchange; atomicWrite: Exchange };
    dbId: number;
  };
  return new Map([
    ["/data/snapshot_read", (body) => napi.snapshotRead(dbId, body, false)],
    ["/data/atomic_write", (body) => napi.atomicWrite(dbId, body, false)],
  ]);
}

function handshake(token: string): object {
  return {
    version: 3,
    databaseId: "00000000-0000-4000-8000-000000000000",
    endpoints: [{ url: "/data", consistency: "strong" }],
    token,
    expiresAt: "2099-01-01T00:00:00Z",
  };
}
