/**
 * The client of the SDK's first line, which most hosts still use, against the real server.
 *
 * @module
 */

import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { tempFolder } from "../support/temp_folder.ts";
import { checkClient, prepareStore } from "./client_checks.ts";
import { checkNumbers } from "./number_checks.ts";
import { serverCommand } from "./server_process.ts";

Deno.test("the v1 client sees tools, resources, errors and exact numbers", async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, "mem");
  const prepared = await prepareStore(path);
  const client = new Client({ name: "check", version: "1" });
  await client.connect(
    new StdioClientTransport(serverCommand(`--store=${path}`)),
  );
  try {
    await checkClient(client, prepared, { cacheHints: false });
    await checkNumbers(client, path);
  } finally {
    await client.close();
  }
});
