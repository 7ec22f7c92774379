/**
 * Pages of the lists of tools, resources, templates and prompts: the SDK answers each whole, whatever
 * cursor it is given.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** Where each list stands in its answer. */
const LISTS: ReadonlyMap<string, string> = new Map([
  ["tools/list", "tools"],
  ["resources/list", "resources"],
  ["resources/templates/list", "resourceTemplates"],
  ["prompts/list", "prompts"],
]);

/** A handler of the SDK. */
export type Handler = (
  request: JSONRPCRequest,
  context: ServerContext,
) => Promise<Result>;

/**
 * Returns the handler of a list that answers with pages of at most `entriesMax`, and any other handler
 * as it is. A cursor that none of its pages gave, the empty one too, is answered with -32602.
 */
export function pagedList(
  method: string,
  { handler, entriesMax }: {
    readonly handler: Handler;
    readonly entriesMax: number;
  },
): Handler {
  const field = LISTS.get(method);
  if (field === undefined) return handler;
  return async (request, context) => {
    const whole = await handler(request, context);
    const entries = whole[field];
    if (!Array.isArray(entries)) return whole;
    const cursor = request.params?.["cursor"];
    const start = cursor === undefined ? 0 : startOf(method, `${cursor}`);
    const isPastEnd = start > 0 && start >= entries.length;
    if (isPastEnd || start % entriesMax !== 0) throw noCursor(method, cursor);
    const end = start + entriesMax;
    return {
      ...whole,
      [field]: entries.slice(start, end),
      ...(end < entries.length ? { nextCursor: cursorAt(method, end) } : {}),
    };
  };
}

function cursorAt(method: string, start: number): string {
  return Buffer.from(`${method}:${start}`).toString("base64url");
}

function startOf(method: string, cursor: string): number {
  const text = Buffer.from(cursor, "base64url").toString();
  const start = Number(text.slice(text.lastIndexOf(":") + 1));
  // Compared with what would have been given, so that no other spelling passes.
  if (start > 0 && cursor === cursorAt(method, start)) return start;
  throw noCursor(method, cursor);
}

function noCursor(method: string, cursor: unknown): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Cannot list: ${
      JSON.stringify(cursor)
    } is no cursor that an earlier page of ${method} gave`,
  );
}
