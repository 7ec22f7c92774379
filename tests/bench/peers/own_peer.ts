/**
 * This project, in the caller's process and as an MCP server.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { recall, remember, rememberMany, why } from "@mnem/agents";
import { openStore } from "@mnem/core";
import { startServer } from "../stdio_server.ts";
import { answered, firstValue, type Peer } from "./peer.ts";

const FILL_NODES = 50_000;
const SERVER = fileURLToPath(new URL("../../../mcp/mod.ts", import.meta.url));

const all = {
  nodesMax: Infinity,
  missing: () => Promise.resolve(undefined),
  async fill(folder: string, ids: readonly string[]) {
    await using store = await openStore(folder, { create: true });
    for (let at = 0; at < ids.length; at += FILL_NODES) {
      const items = ids.slice(at, at + FILL_NODES)
        .map((id) => ({ id, content: firstValue(id) }));
      await rememberMany(store, items);
    }
  },
};

/** As a library. */
export const OWN: Peer = {
  name: "mnemosyne",
  ...all,
  async open(folder) {
    const store = await openStore(folder);
    return {
      change: (id, value) =>
        answered(async () => (await remember(store, id, value)).commit ?? ""),
      read: (id) =>
        answered(async () => String((await recall(store, id))?.content)),
      blame: (id) => answered(async () => (await why(store, id)).commit.id),
      [Symbol.asyncDispose]: () => store.close(),
    };
  },
};

/** As an MCP server over stdio. */
export const OWN_SERVER: Peer = {
  name: "mnemosyne, MCP",
  ...all,
  async open(folder) {
    const program = [Deno.execPath(), "run", "-A", SERVER] as const;
    const server = await startServer([...program, `--store=${folder}`]);
    const call = (name: string, args: object) =>
      answered(() => server.call(name, args));
    return {
      change: (id, content) => call("remember", { id, content }),
      read: (id) => call("recall", { id }),
      blame: (id) => call("why", { id }),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
};
