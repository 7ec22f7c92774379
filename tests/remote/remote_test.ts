/**
 * A store on a server does what a store in a folder does, at every door, with either client of KV.
 *
 * @module
 */

import { openDriver } from "../../core/storage/open_driver.ts";
import { parseLocation } from "../../core/storage/location.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { kvConnectServer, TEST_TOKEN } from "../support/kv_connect_server.ts";
import { walkImports, walkStore } from "../support/store_walk.ts";
import { tempFolder } from "../support/temp_folder.ts";

Deno.env.set("DENO_KV_ACCESS_TOKEN", TEST_TOKEN);

Deno.test("a store on a server, as it is opened by its URL", async () => {
  await using folder = await tempFolder();
  await using server = await kvConnectServer(`${folder.path}/a.db`, TEST_TOKEN);
  await walkStore(server.url);
});

Deno.test("a store on a server, with the native client", async () => {
  await using folder = await tempFolder();
  await using server = await kvConnectServer(`${folder.path}/a.db`, TEST_TOKEN);
  const at = parseLocation(server.url);
  await walkStore(
    server.url,
    async (options) =>
      await openStoreOn(await openDriver(at, { client: "native" }), options),
  );
});

Deno.test("bundles go out of a server and into it", async () => {
  await using folder = await tempFolder();
  await using server = await kvConnectServer(`${folder.path}/a.db`, TEST_TOKEN);
  await using empty = await kvConnectServer(`${folder.path}/b.db`, TEST_TOKEN);
  await walkImports(server.url, empty.url);
});
