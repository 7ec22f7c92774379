/**
 * What must come of a line of input, by the texts of JSON-RPC 2.0 and MCP and the table "On the
 * wire" of mcp/README.md: written once more, with nothing of the server's own reading.
 *
 * @module
 */

/** What a line is. */
export type Expected =
  /** Answered once, with its id, spelt as {@linkcode spelled} does; `code` if it can only be that error. */
  | { readonly kind: "answer"; readonly id: string; readonly code?: number }
  /** Told once that it failed, without an id. */
  | { readonly kind: "fault"; readonly code: number }
  /** Not answered. `cancels` is an id whose request need not be answered then. */
  | { readonly kind: "silence"; readonly cancels?: string };

const NOT_JSON = -32700;
const NOT_A_REQUEST = -32600;
const LINE_FEED = 0x0a;

/** The lines of an input. What follows the last line feed is one too, if there is anything. */
export function linesIn(input: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let start = 0;
  for (let at = 0; at < input.length; at++) {
    if (input[at] !== LINE_FEED) continue;
    lines.push(input.subarray(start, at));
    start = at + 1;
  }
  if (start < input.length) lines.push(input.subarray(start));
  return lines;
}

/** Says what must come of a line. */
export function expected(line: Uint8Array): Expected {
  const text = decoded(line);
  const value = text === undefined ? undefined : parsed(text);
  if (text === undefined || value === undefined) {
    return { kind: "fault", code: NOT_JSON };
  }
  if (!isObject(value)) return { kind: "fault", code: NOT_A_REQUEST };
  const frame: Readonly<Record<string, unknown>> = Object(value);
  const isSound = isReadable(text) && isMessage(frame);
  const isAnswer = !has(frame, "method") &&
    (has(frame, "result") || has(frame, "error"));
  if (has(frame, "id") && !isAnswer) {
    if (!isId(frame["id"])) return { kind: "fault", code: NOT_A_REQUEST };
    const id = spelled(frame["id"]);
    // A call whose arguments cannot be stored is a call, and the model is told.
    return isMessage(frame) && (isSound || frame["method"] === "tools/call")
      ? { kind: "answer", id }
      : { kind: "answer", id, code: NOT_A_REQUEST };
  }
  if (!isSound) return { kind: "fault", code: NOT_A_REQUEST };
  const { requestId } = Object(frame["params"]);
  return frame["method"] === "notifications/cancelled" && isId(requestId)
    ? { kind: "silence", cancels: spelled(requestId) }
    : { kind: "silence" };
}

/** An id as a text: 1 and "1" are two, 1 and 1.0 are one. */
export function spelled(id: unknown): string {
  return `${typeof id} ${typeof id === "number" && id === 0 ? 0 : id}`;
}

function decoded(line: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(line);
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function has(frame: object, name: string): boolean {
  return Object.hasOwn(frame, name);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isId(value: unknown): boolean {
  return typeof value === "string" || Number.isInteger(value);
}

/** A request, a notification or an answer, with nothing beside it. */
function isMessage(frame: Readonly<Record<string, unknown>>): boolean {
  const { jsonrpc, id, method, params, result, error } = frame;
  const names = Object.keys(frame);
  const only = (...known: string[]) =>
    names.every((name) => name === "jsonrpc" || known.includes(name));
  if (jsonrpc !== "2.0") return false;
  if (has(frame, "id") && !(typeof id === "string" || isSafe(id))) return false;
  if (has(frame, "method")) {
    return typeof method === "string" && only("id", "method", "params") &&
      (!has(frame, "params") || isParams(params));
  }
  if (has(frame, "result")) {
    return has(frame, "id") && only("id", "result") && isParams(result);
  }
  const { code, message } = Object(error);
  return isObject(error) && only("id", "error") && isSafe(code) &&
    typeof message === "string";
}

function isSafe(value: unknown): boolean {
  return Number.isSafeInteger(value);
}

/** An object; what MCP says of its `_meta` holds, where there is one. */
function isParams(value: unknown): boolean {
  if (!isObject(value)) return false;
  const params = Object(value);
  if (!has(params, "_meta")) return true;
  const meta = params["_meta"];
  if (!isObject(meta)) return false;
  const task = "io.modelcontextprotocol/related-task";
  const token = meta.progressToken;
  return (!has(meta, "progressToken") || typeof token === "string" ||
    isSafe(token)) &&
    (!has(meta, task) ||
      isObject(meta[task]) && typeof meta[task].taskId === "string");
}

/** Strings, numbers and brackets of a text that is JSON. */
const TOKEN =
  /"(?:[^"\\]|\\.)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|[[\]{}]/g;
const DEPTH_MAX = 140;

/** Tells whether JSON holds only what can be stored exactly, in every part of it. */
function isReadable(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "[" || token === "{") depth += 1;
    if (token === "]" || token === "}") depth -= 1;
    if (depth > DEPTH_MAX || !isStorable(token)) return false;
  }
  return true;
}

function isStorable(token: string): boolean {
  if (token.startsWith('"')) return JSON.parse(token).isWellFormed();
  if (!/^-?[0-9]/.test(token)) return true;
  if (!/^-?[0-9]+$/.test(token)) return Number.isFinite(Number(token));
  const integer = BigInt(token);
  return integer >= -(2n ** 63n) && integer < 2n ** 64n;
}
