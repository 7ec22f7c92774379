/**
 * A server over HTTP, made by the factory that serves stdio too. The conformance suite talks to it;
 * it is not shipped. By hand, with the suite's fixtures over a new store:
 *
 * ```sh
 * deno run -A tests/conformance/http_server.ts 3300
 * ```
 *
 * @module
 */

import { remember } from "@mnem/agents";
import type { Store } from "@mnem/core";
import { serverFactory } from "@mnem/mcp";
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpServerFactory,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { tempStore } from "../support/temp_store.ts";
import { addFixtures } from "./fixtures.ts";

/** A server that listens; `await using` ends it. */
export interface HttpServer extends AsyncDisposable {
  /** Where it answers. */
  readonly url: string;
}

/** Serves what a factory makes, to this machine alone; at any free port, if none is given. */
export function serveHttp(makeServer: McpServerFactory, port = 0): HttpServer {
  const handler = createMcpHandler(makeServer);
  const listening = Deno.serve(
    { hostname: "127.0.0.1", port, onListen: () => {} },
    (request) => refusal(request) ?? handler.fetch(request),
  );
  return {
    url: `http://127.0.0.1:${listening.addr.port}/mcp`,
    async [Symbol.asyncDispose]() {
      await handler.close();
      await listening.shutdown();
    },
  };
}

/** Returns the factory of a store's servers with what the conformance suite looks for laid over them. */
export function withFixtures(store: Store): McpServerFactory {
  const makeServer = serverFactory(store, { tools: "all" });
  return (context) => addFixtures(makeServer(context));
}

/** Refuses what is for no server here, and what a page of another host sends through a browser. */
function refusal(request: Request): Response | undefined {
  if (new URL(request.url).pathname !== "/mcp") {
    return new Response(null, { status: 404 });
  }
  return hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins());
}

if (import.meta.main) {
  const [port = "3300"] = Deno.args;
  await using temp = await tempStore();
  await remember(temp.store, "plan", "pro");
  await using server = serveHttp(withFixtures(temp.store), Number(port));
  console.log(server.url);
  await new Promise<void>((stop) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      Deno.addSignalListener(signal, stop);
    }
  });
}
