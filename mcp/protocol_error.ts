/**
 * Failures of requests that are no tool call: a code of JSON-RPC, and beside it the code of the store.
 *
 * @module
 */

import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Report } from "./tool_result.ts";
import { wireError } from "./wire_error.ts";

/**
 * Returns the protocol error for a failure. The code for a program is in its `data`, and only the
 * message of a failure that was foreseen is shown: any other may hold paths or content.
 */
export function protocolError(error: unknown, report: Report): ProtocolError {
  const { code, message } = wireError(error);
  if (code === "internal") report(error);
  return new ProtocolError(numberOf(code), `${code}: ${message}`, { code });
}

/** Returns the protocol error for a resource that could not be read: where there is none, "not found" as MCP has it, and why. */
export function resourceError(
  uri: string,
  error: unknown,
  report: Report,
): ProtocolError {
  const { code, message } = wireError(error);
  const shown = protocolError(error, report);
  return new ProtocolError(
    shown.code,
    shown.code === ProtocolErrorCode.InvalidParams
      ? `Resource not found: ${uri}: ${message}`
      : shown.message,
    { uri, code },
  );
}

function numberOf(code: string): number {
  const isCallersFault = code === "not_found" || code === "invalid_ref" ||
    code === "invalid_argument";
  return isCallersFault
    ? ProtocolErrorCode.InvalidParams
    : ProtocolErrorCode.InternalError;
}
