/**
 * The SDK's server, with two rules of ours for every handler it is given: lists come in pages, and a
 * fault says what is wrong and nothing else.
 *
 * @module
 */

import {
  type Implementation,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerOptions,
} from "@modelcontextprotocol/server";
import { LIST_ENTRIES_MAX } from "./limits.ts";
import { type Handler, pagedList } from "./paged_lists.ts";
import { logError } from "./stderr_log.ts";

/** Makes a server of the SDK that keeps the rules. */
export function carefulServer(
  identity: Implementation,
  options: ServerOptions,
): McpServer {
  const server = new McpServer(identity);
  // It makes its own and lets nobody choose; nothing is in it yet.
  Object.defineProperty(server, "server", {
    value: new CarefulServer(identity, options),
  });
  return server;
}

class CarefulServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const paged = pagedList(method, { handler, entriesMax: LIST_ENTRIES_MAX });
    const wrapped = super._wrapHandler(method, paged);
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (error) {
        throw readableFault(method, error);
      }
    };
  }
}

/**
 * Returns the error that a client is shown. The SDK answers params that do not fit a method as if the
 * server had failed, with the complaints of its schema as JSON; and shows the message of anything thrown.
 */
export function readableFault(method: string, error: unknown): unknown {
  const complaints = complaintsOf(error);
  if (complaints !== undefined) {
    return new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Invalid params of ${method}: ${complaints}`,
    );
  }
  if (Number.isSafeInteger(Object(error).code)) return error;
  logError(error);
  return new ProtocolError(
    ProtocolErrorCode.InternalError,
    "internal: The server failed; its log says why",
    { code: "internal" },
  );
}

interface Complaint {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Returns what a schema of the SDK complained of, in words; undefined for any other error. */
function complaintsOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const start = error.message.indexOf("[\n");
  const listed = start === -1 ? undefined : parsed(error.message.slice(start));
  if (!Array.isArray(listed) || !listed.every(isComplaint)) return undefined;
  return listed.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join(".")}: ${message}`
  ).join("; ");
}

function isComplaint(value: unknown): value is Complaint {
  const { path, message } = Object(value);
  return Array.isArray(path) && typeof message === "string";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
