/**
 * The MCP server of a store, for any transport.
 *
 * A call of a tool takes its place among the others (`call_order.ts`: a switch runs alone). The tool
 * parses its arguments by its own schema, calls one verb of `@mnem/agents` or the store, and
 * `tool_result.ts` makes the answer of it, or an error with its code and what helps. `resources.ts`,
 * `prompts.ts` and `subscriptions.ts` do the rest; none of them holds state of its own.
 *
 * @module
 */

import type { Store } from "@mnem/core";
import type {
  CacheHint,
  McpServer,
  StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { CallOrder } from "./call_order.ts";
import { REQUEST_META_KEY } from "./call_name.ts";
import { carefulServer } from "./careful_server.ts";
import { completersOf } from "./completions.ts";
import { instructionsFor } from "./instructions.ts";
import { LISTS_TTL_MS, WATCH_PAUSE_MS } from "./limits.ts";
import { UNREADABLE_META_KEY } from "./parse_frame.ts";
import { registerPrompts } from "./prompts.ts";
import { ResourceWatch } from "./resource_watch.ts";
import { registerResources } from "./resources.ts";
import type { JsonSchema } from "./schemas.ts";
import { logError } from "./stderr_log.ts";
import { handleSubscriptions } from "./subscriptions.ts";
import { idleTimer, type Timer } from "./timer.ts";
import type { Tool, ToolContext } from "./tool.ts";
import { guard } from "./tool_result.ts";
import { listedTools } from "./tools.ts";
import { VERSION } from "./version.ts";

/** What a server offers. */
export interface ServerOptions {
  /** Which tools it lists: those for a model ("core", the default), or those for an agent's harness too. */
  readonly tools?: "core" | "all" | undefined;
  /** The author of the commits; else the store's, else "agent". */
  readonly author?: string | undefined;
  /** Lists no tool that writes. */
  readonly readOnly?: boolean | undefined;
}

/** Makes the server of one connection. */
export type ServerFactory = (
  context: { readonly era: "modern" | "legacy" },
) => McpServer;

// Nothing in these lists depends on what the store holds.
const LISTED: CacheHint = { ttlMs: LISTS_TTL_MS, cacheScope: "public" };

/**
 * Returns the factory that the SDK's entries take: it makes one server a connection, for clients of
 * revision 2026-07-28 and for older ones. The store stays the caller's to close.
 *
 * A transport that reads JSON its own way rounds integers beyond 2^53 before the server sees them;
 * that of `serveStdio` does not.
 *
 * @example
 * ```ts
 * import { openStore } from "@mnem/core";
 * import { serverFactory } from "@mnem/mcp";
 *
 * await using store = await openStore(Deno.makeTempDirSync(), { create: true });
 * const server = serverFactory(store, { readOnly: true })({ era: "modern" });
 * if (server.isConnected()) throw new Error("connected to nobody yet");
 * ```
 */
export function serverFactory(
  store: Store,
  options: ServerOptions = {},
): ServerFactory {
  const make = serverMaker(store, options);
  return () => {
    const watch = watchFor(store, { server: () => server });
    const server = make(watch);
    server.server.onclose = () => watch.close();
    return server;
  };
}

/**
 * Returns a function that makes the server of a connection, which lets its client subscribe to what
 * is watched. The watch stays the caller's to close.
 */
export function serverMaker(
  store: Store,
  options: ServerOptions,
): (watch: ResourceWatch) => McpServer {
  const tools = listedTools(options);
  const shared = { store, author: options.author, order: new CallOrder() };
  const complete = completersOf(store, logError);
  return (watch) => {
    const server = newServer(options);
    for (const tool of tools) registerTool(server, tool, shared);
    registerResources(server, { store, complete, report: logError });
    registerPrompts(server, complete);
    handleSubscriptions(server.server, watch, logError);
    return server;
  };
}

/** Returns a watch of a store that tells the client of a server, if there is one by then. */
export function watchFor(
  store: Store,
  { server, timer = idleTimer(WATCH_PAUSE_MS) }: {
    readonly server: () => McpServer | undefined;
    readonly timer?: Timer | undefined;
  },
): ResourceWatch {
  return new ResourceWatch({
    store,
    report: logError,
    timer,
    notify(uri) {
      server()?.server.sendResourceUpdated({ uri }).catch(logError);
    },
  });
}

function newServer(options: ServerOptions): McpServer {
  return carefulServer(
    { name: "mnem", title: "Mnemosyne", version: VERSION },
    {
      instructions: instructionsFor(options),
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false, subscribe: true },
        prompts: { listChanged: false },
      },
      cacheHints: {
        "server/discover": LISTED,
        "tools/list": LISTED,
        "resources/list": LISTED,
        "resources/templates/list": LISTED,
        "prompts/list": LISTED,
      },
    },
  );
}

/** What all connections have in common. */
interface Shared extends Pick<ToolContext, "store" | "author"> {
  readonly order: CallOrder;
}

function registerTool(
  server: McpServer,
  tool: Tool,
  { store, author, order }: Shared,
): void {
  server.registerTool(
    tool.name,
    {
      title: tool.title,
      description: tool.description,
      annotations: tool.annotations,
      inputSchema: listedOnly(tool.input),
      outputSchema: listedOnly(tool.output),
    },
    (args, { mcpReq: { _meta, signal } }) =>
      guard(() => {
        const unreadable = _meta?.[UNREADABLE_META_KEY];
        if (unreadable !== undefined) throw new SyntaxError(`${unreadable}`);
        const key = _meta?.[REQUEST_META_KEY];
        const call = () => tool.call(args, { store, author, signal, key });
        return tool.alone ? order.runAlone(call) : order.run(call);
      }, (error) => signal.aborted || logError(error)),
  );
}

// The SDK would answer a bad argument without a code. So it lists the schema, and the tool checks.
function listedOnly(schema: JsonSchema): StandardSchemaWithJSON {
  return {
    "~standard": {
      version: 1,
      vendor: "mnem",
      validate: (value) => ({ value }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}
