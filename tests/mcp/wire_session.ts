/**
 * The server in this process, fed with raw bytes through its own transport.
 *
 * @module
 */

import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import type { Store } from "@mnem/core";
import type { ServerOptions } from "@mnem/mcp";
import { serveStreams } from "../../mcp/serve_stdio.ts";
import { textSink } from "../support/text_sink.ts";
import { type Answer, request } from "./server_process.ts";

/** A line of the server: an answer, or a notification. */
export interface Line extends Answer {
  readonly method?: string;
  readonly params?: { readonly _meta?: { readonly [key: string]: unknown } };
}

/** Sends bytes, ends the input, and returns every line that was written, checked and parsed. */
export async function converse(
  store: Store,
  input: string | Uint8Array,
  options: ServerOptions = {},
): Promise<Line[]> {
  const stdin = new PassThrough();
  const { stream: stdout, text } = textSink();
  const handle = serveStreams(store, { stdin, stdout }, options);
  stdin.end(input);
  await handle.closed;
  return linesOf(text());
}

/** Parses what a server wrote, and checks that every line is one message of JSON-RPC and nothing else. */
export function linesOf(stdout: string): Line[] {
  const lines = stdout.split("\n");
  assert.equal(lines.pop(), "", "the last line must end");
  return lines.map((text) => {
    const line = JSON.parse(text);
    assert.ok(isMessage(line), `not a message of JSON-RPC: ${text}`);
    return line;
  });
}

/** The texts of JSON-RPC 2.0 and MCP, written down once more: no id is better than null. */
function isMessage(value: unknown): boolean {
  const { jsonrpc, id, method, params, result, error, ...more } = Object(value);
  if (jsonrpc !== "2.0" || Object.keys(more).length > 0) return false;
  if (id !== undefined && typeof id !== "string" && !Number.isInteger(id)) {
    return false;
  }
  if (method !== undefined) {
    return typeof method === "string" && isObject(params ?? {}) &&
      result === undefined && error === undefined;
  }
  if (result !== undefined) {
    return isObject(result) && id !== undefined && error === undefined;
  }
  return Number.isInteger(error?.code) && typeof error.message === "string";
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The answers to a request, in order. */
export function answersTo(
  lines: readonly Line[],
  id: string | number | undefined,
): Line[] {
  return lines.filter((line) => line.id === id && line.method === undefined);
}

/** The one answer to a request. */
export function theAnswer(
  lines: readonly Line[],
  id: string | number | undefined,
): Line {
  const [answer, ...more] = answersTo(lines, id);
  assert.ok(answer !== undefined, `no answer to ${id}`);
  assert.equal(more.length, 0, `${more.length + 1} answers to ${id}`);
  return answer;
}

/** The number of a protocol error, "ok" for a result, or the code of a tool that failed. */
export function outcome(answer: Line): unknown {
  if (answer.error !== undefined) return answer.error.code;
  if (answer.result?.isError !== true) return "ok";
  return Object(answer.result._meta?.["dev.mnem/error"]).code;
}

/** A request that every state of a connection answers. */
export function ping(id: string | number): string {
  return request(id, "ping");
}
