/**
 * Turns the text of a frame into a JSON-RPC message, its integers exact.
 *
 * @module
 */

import { parseJson } from "@mnem/core";
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { FRAME_DEPTH_MAX, FRAME_LOOK_DEPTH_MAX } from "./limits.ts";
import { shallowJson } from "./shallow_json.ts";

/**
 * The key in a call's `_meta` that says why its arguments could not be read. The arguments are
 * dropped then: reading them otherwise would round what the caller meant to store.
 */
export const UNREADABLE_META_KEY = "dev.mnem/unreadable";

/** The id of a request, or of something that wants to be one. */
export type FrameId = string | number | bigint;

/** A message, or why there is none. */
export type ParsedFrame =
  | { readonly message: JSONRPCMessage }
  | { readonly code: number; readonly fault: string; readonly id?: FrameId };

const NOT_JSON: ParsedFrame = {
  code: ProtocolErrorCode.ParseError,
  fault: "Frame is not JSON",
};

/**
 * Reads one frame. A tool call that is JSON but holds what could not be stored (an integer beyond
 * 64 bits, a lone surrogate, too deep a nesting) becomes a message without arguments, so that the
 * model is told; any other such frame is a fault.
 */
export function parseFrame(text: string): ParsedFrame {
  // Two parsers would each make an error of it, and a client can send a million.
  if (text.trim() === "") return NOT_JSON;
  try {
    return messageOf(parseJson(text, { depthMax: FRAME_DEPTH_MAX }));
  } catch (error) {
    return unreadable(
      text,
      error instanceof Error ? error.message : `${error}`,
    );
  }
}

function messageOf(value: unknown): ParsedFrame {
  if (isJSONRPCRequest(value)) return { message: forgiven(value) };
  if (isJSONRPCNotification(value) || isJSONRPCResponse(value)) {
    return { message: value };
  }
  const fault = Array.isArray(value)
    ? "Batches are not part of MCP: send one message a line"
    : "Frame is not a JSON-RPC 2.0 message";
  return { code: ProtocolErrorCode.InvalidRequest, fault, ...idOf(value) };
}

/** Several libraries write an empty map as null: such a call has no arguments. */
function forgiven(request: JSONRPCRequest): JSONRPCRequest {
  const { method, params } = request;
  return method === "tools/call" && params?.["arguments"] === null
    ? withoutArguments(request)
    : request;
}

function unreadable(text: string, why: string): ParsedFrame {
  const value = rounded(text);
  if (value === undefined) return NOT_JSON;
  if (isJSONRPCRequest(value) && value.method === "tools/call") {
    return { message: withoutArguments(value, { [UNREADABLE_META_KEY]: why }) };
  }
  const { id } = idOf(value);
  return {
    code: ProtocolErrorCode.InvalidRequest,
    fault: why,
    ...(typeof id === "number" ? exactId(text, id) : idOf(value)),
  };
}

function rounded(text: string): unknown {
  try {
    return JSON.parse(shallowJson(text, FRAME_LOOK_DEPTH_MAX));
  } catch {
    return undefined;
  }
}

function withoutArguments(
  request: JSONRPCRequest,
  meta: { readonly [key: string]: string } = {},
): JSONRPCRequest {
  const { arguments: _, ...params } = request.params ?? {};
  return {
    ...request,
    params: { ...params, _meta: { ...params._meta, ...meta } },
  };
}

/**
 * Finds the id of something that is no message, so that its sender can tell which of its frames
 * failed. That of an answer is an id of ours, and would name a request of the sender's.
 */
function idOf(value: unknown): { id?: FrameId } {
  if (typeof value !== "object" || value === null || !("id" in value)) {
    return {};
  }
  const { id } = value;
  const isAnswer = "result" in value || "error" in value;
  if (isAnswer && !("method" in value)) return {};
  if (typeof id === "string" || typeof id === "bigint") return { id };
  return Number.isInteger(id) ? { id: Number(id) } : {};
}

/** Finds the number that was rounded to an id; none if two could be meant. */
function exactId(text: string, id: number): { id?: FrameId } {
  if (Number.isSafeInteger(id)) return { id };
  const found = Array.from(
    text.matchAll(/"id"\s*:\s*(-?\d[\d.eE+-]*)\s*[,}]/g),
    ([, token = ""]) => token,
  );
  const tokens = new Set(found.filter((token) => Number(token) === id));
  const [only] = tokens;
  if (only === undefined || tokens.size > 1) return {};
  return { id: /^-?\d+$/.test(only) ? BigInt(only) : id };
}
