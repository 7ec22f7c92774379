/**
 * Serving over this process's standard input and output.
 *
 * @module
 */

import process from "node:process";
import type { Store } from "@mnem/core";
import { serveStdio as serve } from "@modelcontextprotocol/server/stdio";
import { outputStream } from "./output_stream.ts";
import { serverFactory, type ServerOptions } from "./server.ts";
import { logLine } from "./stderr_log.ts";
import { StdioTransport } from "./transport.ts";

/** A server that runs. */
export interface ServeHandle {
  /** Settles when the client has gone, or after {@linkcode close}. */
  readonly closed: Promise<void>;
  /** Ends the connection. The store stays open. */
  close(): Promise<void>;
}

/**
 * Serves a store over standard input and output until the client closes them. Standard output then
 * belongs to the protocol: nothing else in the process may write to it.
 */
export function serveStdio(
  store: Store,
  options: ServerOptions = {},
): ServeHandle {
  const { stdin } = process;
  const transport = new StdioTransport({
    stdin,
    stdout: outputStream("stdout"),
  });
  const handle = serve(serverFactory(store, options), {
    transport,
    onerror: (error) => logLine(error.message),
  });
  return { closed: transport.closed, close: () => handle.close() };
}
