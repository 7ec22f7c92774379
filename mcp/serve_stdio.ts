/**
 * Serving over this process's standard input and output.
 *
 * @module
 */

import process from "node:process";
import type { Store } from "@mnem/core";
import type { McpServer } from "@modelcontextprotocol/server";
import { serveStdio as serve } from "@modelcontextprotocol/server/stdio";
import { ListenTransport } from "./listen_transport.ts";
import { outputStream } from "./output_stream.ts";
import { serverMaker, type ServerOptions, watchFor } from "./server.ts";
import { logLine } from "./stderr_log.ts";
import type { Timer } from "./timer.ts";
import {
  type StdioStreams,
  StdioTransport,
  type StdioTransportOptions,
} from "./transport.ts";

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
  return serveStreams(store, processStreams(), options);
}

/** How streams are served. */
export interface StreamOptions
  extends ServerOptions, Pick<StdioTransportOptions, "onAnswer"> {
  /** Paces the looks at the head. */
  readonly timer?: Timer | undefined;
}

/** Standard input and output of this process. */
export function processStreams(): StdioStreams {
  return { stdin: process.stdin, stdout: outputStream("stdout") };
}

/** As {@linkcode serveStdio}, over any pair of streams. */
export function serveStreams(
  store: Store,
  streams: StdioStreams,
  options: StreamOptions = {},
): ServeHandle {
  const stdio = new StdioTransport(streams, { onAnswer: options.onAnswer });
  const make = serverMaker(store, options);
  // A client that first asks for the newest revision and then takes an older one gets two servers.
  let server: McpServer | undefined;
  const watch = watchFor(store, {
    server: () => server,
    timer: options.timer,
  });
  const handle = serve(() => server = make(watch), {
    transport: new ListenTransport(stdio, watch),
    onerror: (error) => logLine(error.message),
  });
  return { closed: stdio.closed, close: () => handle.close() };
}
