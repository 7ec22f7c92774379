/**
 * A server over stdio, asked one thing at a time.
 *
 * @module
 */

import type { Program } from "../support/program.ts";
import { linesOf } from "./text_lines.ts";

/** A running server. */
export interface StdioServer extends AsyncDisposable {
  /** Its process id. */
  readonly pid: number;
  /** Calls a tool and returns the answer's line; fails if that is no result. */
  call(name: string, args: object): Promise<string>;
}

/** Starts a server, and opens the session. */
export async function startServer(
  [command, ...args]: Program,
  env: { readonly [name: string]: string } = {},
): Promise<StdioServer> {
  const process = new Deno.Command(command, {
    args,
    env: { ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = process.stdin.getWriter();
  const lines = linesOf(process.stdout);
  let nextId = 1;
  const send = (frame: object) =>
    writer.write(new TextEncoder().encode(`${JSON.stringify(frame)}\n`));
  // Nothing else is under way: the next line is the answer.
  const request = async (method: string, params: object) => {
    await send({ jsonrpc: "2.0", id: nextId++, method, params });
    const { done, value } = await lines.next();
    if (done) throw new Error("The server ended");
    return value;
  };
  await request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "0" },
  });
  await send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return {
    pid: process.pid,
    async call(name, args) {
      const answer = await request("tools/call", { name, arguments: args });
      if (!answer.includes('"structuredContent"')) {
        throw new Error(`A call failed: ${answer}`);
      }
      return answer;
    },
    async [Symbol.asyncDispose]() {
      await writer.close();
      await lines.return(undefined);
      await process.status;
    },
  };
}
