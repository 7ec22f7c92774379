/**
 * The SDK's current client against the real server, in each of its modes.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { tempFolder } from "../support/temp_folder.ts";
import { checkClient, prepareStore } from "./client_checks.ts";
import { checkNumbers } from "./number_checks.ts";
import { serverCommand } from "./server_process.ts";

const MODES = [
  { name: "auto", mode: "auto", era: "modern" },
  { name: "pinned to 2026-07-28", mode: { pin: "2026-07-28" }, era: "modern" },
  { name: "legacy", mode: "legacy", era: "legacy" },
] as const;

for (const { name, mode, era } of MODES) {
  Deno.test(`the v2 client, ${name}, sees tools, resources, errors and exact numbers`, async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, "mem");
    const prepared = await prepareStore(path);
    const client = new Client({ name: "check", version: "1" }, {
      versionNegotiation: { mode },
    });
    await client.connect(
      new StdioClientTransport(serverCommand(`--store=${path}`)),
    );
    try {
      assert.equal(client.getProtocolEra(), era);
      await checkClient(client, prepared, { cacheHints: era === "modern" });
      await checkNumbers(client, path);
    } finally {
      await client.close();
    }
  });
}
