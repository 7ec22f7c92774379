/**
 * How the npm client talks to a server. It is told no token: here the tokens are put on what it sends,
 * so that nothing it says of a failure can hold one. A write is sent once, for only the store can find
 * out what became of it; a read is asked again.
 *
 * @module
 */

import { clearTimeout, setTimeout } from "node:timers";
import { STORAGE_CALL_MS_MAX } from "../limits.ts";

/** What stands for a token wherever the client, or a server, names one. */
export const HIDDEN = "***";

/** The waits before a read is asked again, in milliseconds. */
const PAUSES_MS: readonly number[] = [100, 400];
/** So much of what a server says of an error is shown. */
const SAID_CHARS_MAX = 200;

/** Sends a request; that of the host, unless a test brings its own. */
export type Send = (url: string, request: RequestInit) => Promise<Response>;

interface Answer {
  readonly response: Response;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Makes what the npm client sends its requests with, for a server that knows this access token. Every
 * request ends within {@linkcode STORAGE_CALL_MS_MAX}, the whole of its answer included.
 */
export function remoteFetch(accessToken: string, send: Send = fetch): Send {
  const line = new Line(accessToken, send);
  return (url, request) => line.fetch(url, request);
}

class Line {
  readonly #accessToken: string;
  readonly #send: Send;
  /** What the data is asked for with; a handshake gives it. */
  #dataToken = "";
  #shakeAgain: () => Promise<unknown> = () => Promise.resolve();

  constructor(accessToken: string, send: Send) {
    this.#accessToken = accessToken;
    this.#send = send;
  }

  async fetch(url: string, request: RequestInit): Promise<Response> {
    const type = new Headers(request.headers).get("content-type");
    if (type === "application/json") return await this.#shake(url, request);
    let answer = await this.#ask(url, request, this.#dataToken);
    if (answer.response.status === 401) {
      // Nothing was done. The server may have forgotten what it gave out.
      await this.#shakeAgain();
      answer = await this.#ask(url, request, this.#dataToken);
    }
    this.#check(answer);
    if (!isProtobuf(answer.response)) throw new Error(NO_KV_CONNECT);
    return answered(answer.response, answer.bytes);
  }

  async #shake(url: string, request: RequestInit): Promise<Response> {
    this.#shakeAgain = () => this.#shake(url, request);
    const answer = await this.#ask(url, request, this.#accessToken);
    this.#check(answer);
    const metadata = objectOf(new TextDecoder().decode(answer.bytes));
    const token = metadata?.["token"];
    if (typeof token !== "string" || !isToken(token)) {
      throw new Error(NO_KV_CONNECT);
    }
    this.#dataToken = token;
    const shown = JSON.stringify({ ...metadata, token: HIDDEN });
    return answered(answer.response, shown);
  }

  async #ask(
    url: string,
    request: RequestInit,
    token: string,
  ): Promise<Answer> {
    const headers = new Headers(request.headers);
    headers.set("authorization", `Bearer ${token}`);
    const pausesMs = url.endsWith("/atomic_write") ? [] : PAUSES_MS;
    return await ask(async (signal) => {
      const response = await this.#send(url, { ...request, headers, signal });
      return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
    }, pausesMs);
  }

  #check({ response: { status }, bytes }: Answer): void {
    if (status === 200) return;
    const what = said(bytes, [this.#accessToken, this.#dataToken]);
    throw new Error(`its server answered with status ${status}${what}`);
  }
}

/** One request with its whole answer, asked again after each pause while the server fails. */
async function ask(
  once: (signal: AbortSignal) => Promise<Answer>,
  pausesMs: readonly number[],
): Promise<Answer> {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new Error(LATE)),
    STORAGE_CALL_MS_MAX,
  );
  try {
    for (const pause of pausesMs) {
      try {
        const answer = await once(controller.signal);
        if (answer.response.status < 500) return answer;
      } catch (error) {
        if (controller.signal.aborted) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    return await once(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

const LATE = `its server gave no answer in ${STORAGE_CALL_MS_MAX} ms`;
const NO_KV_CONNECT = "its server does not speak KV Connect";

function isProtobuf({ headers }: Response): boolean {
  return /^application\/(x-)?protobuf$/.test(headers.get("content-type") ?? "");
}

function objectOf(
  text: string,
): { readonly [name: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null
      ? { ...value }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Tells whether a text can be a token: a header must be able to hold it. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** The first line of what a server says of an error, which may quote what it was sent. */
function said(bytes: Uint8Array, tokens: readonly string[]): string {
  const text = tokens.filter((token) => token !== "").reduce(
    (rest, token) => rest.replaceAll(token, HIDDEN),
    new TextDecoder().decode(bytes),
  );
  const [line = ""] = text.trim().split(/\r?\n/, 1);
  return line === "" ? "" : `: ${line.slice(0, SAID_CHARS_MAX)}`;
}

/** An answer whose body was read already. */
function answered(
  { headers, url }: Response,
  body: string | Uint8Array<ArrayBuffer>,
): Response {
  const answer = new Response(body, {
    headers: { "content-type": headers.get("content-type") ?? "" },
  });
  // The client takes the addresses of the data from where it ended up.
  Object.defineProperty(answer, "url", { value: url });
  return answer;
}
