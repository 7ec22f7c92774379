/**
 * `@modelcontextprotocol/server-memory`: a graph in one JSON Lines file, rewritten at every change,
 * without a history and without waiting for the disk.
 *
 * @module
 */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Program } from "../../support/program.ts";
import { startServer } from "../stdio_server.ts";
import { cacheFailure } from "./npm_cache.ts";
import { answered, firstValue, type Peer } from "./peer.ts";

/** The version that was looked at. */
const SPECIFIER = "npm:@modelcontextprotocol/server-memory@2026.8.31";
const SERVER: Program = [
  Deno.execPath(),
  "run",
  "-A",
  "--no-config",
  "--no-lock",
  SPECIFIER,
];

/** Asked over stdio. */
export const SERVER_MEMORY: Peer = {
  name: "server-memory, MCP",
  nodesMax: 100_000,
  missing: () => cacheFailure(SPECIFIER),
  async fill(folder, ids) {
    const lines = ids.map((name) =>
      JSON.stringify({
        type: "entity",
        name,
        entityType: "node",
        observations: [firstValue(name)],
      })
    );
    await writeFile(fileOf(folder), lines.join("\n"));
  },
  async open(folder) {
    const env = { MEMORY_FILE_PATH: fileOf(folder) };
    const server = await startServer(SERVER, env);
    const call = (name: string, args: object) =>
      answered(() => server.call(name, args));
    return {
      change: (entityName, value) =>
        call("add_observations", {
          observations: [{ entityName, contents: [value] }],
        }),
      read: (name) => call("open_nodes", { names: [name] }),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
};

function fileOf(folder: string): string {
  return join(folder, "memory.jsonl");
}
