/**
 * A KV Connect server on loopback: HTTP around the addon of `@deno/kv`, whose calls take and give the
 * bodies of that protocol, so that it is a real server with the real backend; or HTTP before another
 * server. Either way it can be slow, and do to an answer what a network does.
 *
 * @module
 */

import { openKv } from "@deno/kv";

/** The token of tests: a process has one for all its stores. */
export const TEST_TOKEN = "planted-t0ken-7f3a";

/** How late it is with what it does late: later than a client that asks again at once. */
const LATE_MS = 20;

/** A request, before anything is done for it. */
export interface ServedRequest {
  /** What is asked. */
  readonly kind: "handshake" | "read" | "write";
  /** Its place among the requests of its kind, from 1. */
  readonly nth: number;
}

/** What goes wrong with a request. */
export type Mishap =
  /** The connection breaks; nothing was done. */
  | "refuse"
  /** It is done, and the connection breaks before the answer. */
  | "lose"
  /** It is done a little later, once the connection broke: whoever asks again is there before it. */
  | "late"
  /** It is done, and no answer ever comes. */
  | "silence"
  /** It is done once the promise is kept, and never answered. */
  | { readonly until: Promise<unknown> }
  /** Another answer in the place of the right one; `after`: it is done all the same. */
  | { readonly answer: () => Response; readonly after?: true };

/** How to serve. */
export interface KvConnectOptions {
  /** The port; a free one unless said otherwise. */
  readonly port?: number;
  /** Waited before each answer, in milliseconds. */
  readonly latencyMs?: number;
}

/** A running server; `await using` ends it, answers or not. */
export interface KvConnectServer extends AsyncDisposable {
  /** Its address. */
  readonly url: string;
  /** Requests that carried the right token. */
  readonly requests: number;
  /** Those of each kind. */
  readonly counts: Readonly<Record<ServedRequest["kind"], number>>;
  /** Decides from now on what goes wrong; counts begin anew. */
  arm(plan: (request: ServedRequest) => Mishap | undefined): void;
  /** Settles once nothing is being done any more, what is late included. */
  settled(): Promise<void>;
  /** Waits before each answer from now on. */
  setLatency(ms: number): void;
}

/** Answers the body of a request to a path. */
type Backend = (request: Request, body: Bytes) => Promise<Response>;
type Bytes = Uint8Array<ArrayBuffer>;

/** What the addon offers: one call per request of the protocol, each for the handle of an open file. */
type Exchange = (
  handle: number,
  body: Uint8Array,
  debug: boolean,
) => Promise<Uint8Array>;

/** Serves a database file, or what another server has, to those who have the token. */
export async function kvConnectServer(
  target: string,
  token: string,
  { port = 0, latencyMs = 0 }: KvConnectOptions = {},
): Promise<KvConnectServer> {
  const { backend, end } = target.startsWith("http:")
    ? { backend: forward(target), end: () => {} }
    : await fileBackend(target, token);
  const desk = new Desk(backend, latencyMs);
  const abort = new AbortController();
  const { signal } = abort;
  const server = Deno.serve(
    { hostname: "127.0.0.1", port, signal, onListen() {} },
    async (request) => {
      if (request.headers.get("authorization") !== `Bearer ${token}`) {
        return new Response(`no: ${request.headers.get("authorization")}`, {
          status: 401,
        });
      }
      return await desk.answer(request);
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    get requests() {
      const { handshake, read, write } = desk.counts;
      return handshake + read + write;
    },
    get counts() {
      return { ...desk.counts };
    },
    arm: (plan) => desk.arm(plan),
    settled: () => desk.settled(),
    setLatency: (ms) => desk.latencyMs = ms,
    async [Symbol.asyncDispose]() {
      if (signal.aborted) return;
      abort.abort();
      desk.release();
      await server.finished;
      await desk.settled();
      end();
    },
  };
}

/** Counts what is asked, and does it, as far as nothing goes wrong. */
class Desk {
  counts = { handshake: 0, read: 0, write: 0 };
  latencyMs: number;
  readonly #backend: Backend;
  #plan: (request: ServedRequest) => Mishap | undefined = () => undefined;
  readonly #running = new Set<Promise<unknown>>();
  readonly #ended = Promise.withResolvers<void>();

  constructor(backend: Backend, latencyMs: number) {
    this.#backend = backend;
    this.latencyMs = latencyMs;
  }

  arm(plan: (request: ServedRequest) => Mishap | undefined): void {
    this.counts = { handshake: 0, read: 0, write: 0 };
    this.#plan = plan;
  }

  /** Lets go of those who wait for an answer that never comes. */
  release(): void {
    this.#ended.resolve();
  }

  /** Settles once nothing is being done any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async answer(request: Request): Promise<Response> {
    const kind = kindOf(request);
    const mishap = this.#plan({ kind, nth: ++this.counts[kind] });
    const body = new Uint8Array(await request.arrayBuffer());
    if (mishap === "refuse") return broken();
    if (mishap === "late") {
      this.#later(pause(LATE_MS), request, body);
      return broken();
    }
    if (typeof mishap === "object") {
      if ("until" in mishap) {
        this.#later(mishap.until, request, body);
        await this.#ended.promise;
        return broken();
      }
      if (mishap.after) await this.#done(this.#backend(request, body));
      return mishap.answer();
    }
    const response = await this.#done(this.#backend(request, body));
    if (mishap === "lose") return broken();
    if (mishap === "silence") {
      await this.#ended.promise;
      return broken();
    }
    if (this.latencyMs > 0) await pause(this.latencyMs);
    return response;
  }

  #later(then: Promise<unknown>, request: Request, body: Bytes): void {
    this.#done(then.then(() => this.#backend(request, body))).catch(() => {});
  }

  async #done<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }
}

function kindOf({ url }: Request): ServedRequest["kind"] {
  if (url.endsWith("/snapshot_read")) return "read";
  return url.endsWith("/atomic_write") ? "write" : "handshake";
}

/** The connection ends within the answer. */
function broken(): Response {
  return new Response(
    new ReadableStream({
      pull(controller) {
        // Deno prints it: a line, not a stack.
        controller.error("an answer was broken off, as a test wants it");
      },
    }),
  );
}

/** Hands on to another server, which answers by paths of its own. */
function forward(target: string): Backend {
  return async ({ url, headers }, body) => {
    const { pathname } = new URL(url);
    const passed = new Headers(headers);
    passed.delete("host");
    const response = await fetch(new URL(pathname, target), {
      method: "POST",
      headers: passed,
      body,
    });
    return new Response(await response.arrayBuffer(), {
      status: response.status,
      headers: { "content-type": response.headers.get("content-type") ?? "" },
    });
  };
}

async function fileBackend(
  file: string,
  token: string,
): Promise<{ readonly backend: Backend; readonly end: () => void }> {
  const kv = await openKv(file, { implementation: "sqlite" });
  const { napi, dbId } = innerOf(kv);
  const backend: Backend = async (request, body) => {
    const kind = kindOf(request);
    if (kind === "handshake") return Response.json(handshake(token));
    try {
      const answer = kind === "read"
        ? await napi.snapshotRead(dbId, body, false)
        : await napi.atomicWrite(dbId, body, false);
      return new Response(new Uint8Array(answer), {
        headers: { "content-type": "application/x-protobuf" },
      });
    } catch (error) {
      // What is over a limit is the fault of who asks.
      return new Response(`${error}`, { status: 400 });
    }
  };
  return { backend, end: () => kv.close() };
}

function innerOf(
  kv: object,
): {
  readonly napi: {
    readonly snapshotRead: Exchange;
    readonly atomicWrite: Exchange;
  };
  readonly dbId: number;
} {
  return kv as ReturnType<typeof innerOf>;
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

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
