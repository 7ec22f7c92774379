/**
 * Results of tool calls: the same JSON as structure and as text, or an error with its code.
 *
 * @module
 */

import type { Json } from "@mnem/core";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { jsonForms } from "./json_text.ts";
import { type WireError, wireError } from "./wire_error.ts";

/** Where an error result carries its code for a program. */
export const ERROR_META_KEY = "dev.mnem/error";

/** Is told of failures that nobody foresaw. */
export type Report = (error: unknown) => void;

/**
 * Runs a tool and returns its result. Never rejects: a failure becomes an error result, and one that
 * is a defect of the server is reported and shown to the client without its message.
 */
export async function guard(
  run: () => Promise<Json>,
  report: Report,
): Promise<CallToolResult> {
  try {
    return successResult(await run());
  } catch (error) {
    const shown = wireError(error);
    if (shown.code === "internal") report(error);
    return errorResult(shown);
  }
}

/** Returns the result of a call that went well. Integers beyond 2^53 are decimal strings in both forms. */
export function successResult(value: Json): CallToolResult {
  const { text, json } = jsonForms(value);
  return { content: [{ type: "text", text }], structuredContent: json };
}

/** Returns the result of a call that failed. It has no structure, so that no client checks it against the output schema. */
export function errorResult(error: WireError): CallToolResult {
  return {
    isError: true,
    content: [{ type: "text", text: `${error.code}: ${error.message}` }],
    _meta: { [ERROR_META_KEY]: jsonForms(error).json },
  };
}
