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
import { FRAME_DEPTH_MAX } from "./limits.ts";

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

/**
 * Reads one frame. A tool call that is JSON but holds what could not be stored (an integer beyond
 * 64 bits, a lone surrogate, too deep a nesting) becomes a message without arguments, so that the
 * model is told; any other such frame is a fault.
 */
export function parseFrame(text: string): ParsedFrame {
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
  if (
    isJSONRPCRequest(value) || isJSONRPCNotification(value) ||
    isJSONRPCResponse(value)
  ) return { message: value };
  const fault = Array.isArray(value)
    ? "Batches are not part of MCP: send one message a line"
    : "Frame is not a JSON-RPC 2.0 message";
  return { code: ProtocolErrorCode.InvalidRequest, fault, ...idOf(value) };
}

function unreadable(text: string, why: string): ParsedFrame {
  const value = rounded(text);
  if (value === undefined) {
    return { code: ProtocolErrorCode.ParseError, fault: "Frame is not JSON" };
  }
  if (isJSONRPCRequest(value) && value.method === "tools/call") {
    return { message: withoutArguments(value, why) };
  }
  return { code: ProtocolErrorCode.InvalidRequest, fault: why, ...idOf(value) };
}

function rounded(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withoutArguments(
  request: JSONRPCRequest,
  why: string,
): JSONRPCRequest {
  const { arguments: _, ...params } = request.params ?? {};
  const meta = { ...params._meta, [UNREADABLE_META_KEY]: why };
  return { ...request, params: { ...params, _meta: meta } };
}

/** Finds the id of something that is no message, so that its sender can tell which of its frames failed. */
function idOf(value: unknown): { id?: FrameId } {
  if (typeof value !== "object" || value === null || !("id" in value)) {
    return {};
  }
  const { id } = value;
  if (typeof id === "string" || typeof id === "bigint") return { id };
  return Number.isInteger(id) ? { id: Number(id) } : {};
}
