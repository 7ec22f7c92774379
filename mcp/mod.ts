/**
 * The MCP server: an agent's memory with history, blame and safe writing, over stdio. Run it:
 *
 * ```sh
 * deno run -A mcp/mod.ts --store=./mem
 * ```
 *
 * or serve a store from a program with {@linkcode serveStdio}, or over another transport of the SDK
 * with {@linkcode serverFactory}.
 *
 * @module
 */

import process from "node:process";
import { main } from "./main.ts";

export { main };
export { serveStdio } from "./serve_stdio.ts";
export type { ServeHandle } from "./serve_stdio.ts";
export { serverFactory } from "./server.ts";
export type { ServerFactory, ServerOptions } from "./server.ts";

if (import.meta.main) {
  main(process.argv.slice(2)).then((status) => process.exit(status));
}
