/**
 * `mnem serve`: the MCP server on this store.
 *
 * @module
 */

import type { Call, Command } from "../command.ts";
import { findStore } from "../find_store.ts";

/** See the module. */
export const SERVE: Command = {
  name: "serve",
  summary: "serve the store to an MCP client, over stdin and stdout",
  more:
    "A store that --store names is made where nothing else lies. It runs until the client closes standard input.",
  options: [
    {
      flags: "--tools <which>",
      what: "core, or all: branch, switch and merge too",
      words: ["core", "all"],
    },
    {
      flags: "--author <name>",
      what: "author of the commits (else MNEM_AUTHOR)",
    },
    {
      flags: "--branch <name>",
      what: "stay on this branch (else follow HEAD)",
    },
    { flags: "--read-only", what: "offer no tool that writes" },
  ],
  examples: ["mnem serve", "mnem serve --store=./mem --tools=all"],
  run: serve,
};

async function serve({ given, io }: Call): Promise<number> {
  const { place } = await findStore(given, io);
  const flags = ["tools", "author", "branch"].flatMap((name) => {
    const value = given.text(name);
    return value === undefined ? [] : [`--${name}=${value}`];
  });
  // Only now: no other command needs the libraries of the protocol.
  const { main } = await import("@mnem/mcp");
  return await main([
    `--store=${place}`,
    ...flags,
    ...given.has("readOnly") ? ["--read-only"] : [],
  ]);
}
