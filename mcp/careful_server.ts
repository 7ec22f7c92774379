/**
 * The SDK's server, with rules of ours for every handler it is given: lists come in pages, a number
 * of completions is the number there is, and a fault says what is wrong and nothing else.
 *
 * @module
 */

import {
  type Implementation,
  McpServer,
  Server,
  type ServerOptions,
} from "@modelcontextprotocol/server";
import { withoutFalseTotal } from "./completions.ts";
import { LIST_ENTRIES_MAX } from "./limits.ts";
import { type Handler, pagedList } from "./paged_lists.ts";
import { readableFault } from "./sdk_fault.ts";

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
        const answer = await wrapped(request, context);
        return method === "completion/complete"
          ? withoutFalseTotal(answer)
          : answer;
      } catch (error) {
        throw readableFault(error);
      }
    };
  }
}
