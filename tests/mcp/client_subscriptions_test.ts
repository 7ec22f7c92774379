/**
 * The SDK's clients hear of what another process wrote, and then read it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { remember } from "@mnem/agents";
import { openStore } from "@mnem/core";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { tempFolder } from "../support/temp_folder.ts";
import { serverCommand } from "./server_process.ts";

const URI = "mnem://memory/owner%2f%ce%b1";

/** What the check uses of a client. */
interface Hearing {
  readResource(params: { uri: string }): Promise<unknown>;
  close(): Promise<void>;
}

/** Connects a client that listens to {@linkcode URI} and passes on what it hears. */
type Connect = (path: string, hear: (uri: string) => void) => Promise<Hearing>;

const modern: Connect = async (path, hear) => {
  const client = new Client({ name: "check", version: "1" }, {
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  });
  client.setNotificationHandler(
    "notifications/resources/updated",
    ({ params }) => hear(params.uri),
  );
  await client.connect(
    new StdioClientTransport(serverCommand(`--store=${path}`)),
  );
  const { honoredFilter } = await client.listen({
    resourceSubscriptions: [URI],
  });
  assert.deepEqual(honoredFilter, { resourceSubscriptions: [URI] });
  return client;
};

const legacy: Connect = async (path, hear) => {
  const client = new Client({ name: "check", version: "1" });
  client.setNotificationHandler(
    "notifications/resources/updated",
    ({ params }) => hear(params.uri),
  );
  await client.connect(
    new StdioClientTransport(serverCommand(`--store=${path}`)),
  );
  await client.subscribeResource({ uri: URI });
  return client;
};

const first: Connect = async (path, hear) => {
  const client = new FirstClient({ name: "check", version: "1" });
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }: { readonly params: { readonly uri: string } }) =>
      hear(params.uri),
  );
  await client.connect(new FirstTransport(serverCommand(`--store=${path}`)));
  await client.subscribeResource({ uri: URI });
  return client;
};

for (
  const [name, connect] of [
    ["v2 client, 2026-07-28,", modern],
    ["v2 client, legacy,", legacy],
    ["v1 client", first],
  ] as const
) {
  Deno.test(`the ${name} hears of another process's write and reads it`, async () => {
    await using folder = await tempFolder();
    const path = `${folder.path}/mem`;
    await using store = await openStore(path, { create: true });
    await remember(store, "owner/α", "before");
    const heard = Promise.withResolvers<string>();
    const client = await connect(path, heard.resolve);
    try {
      await remember(store, "owner/α", "after");
      assert.equal(await heard.promise, URI);
      const { contents } = Object(await client.readResource({ uri: URI }));
      assert.equal(JSON.parse(contents[0].text).content, "after");
    } finally {
      await client.close();
    }
  });
}
