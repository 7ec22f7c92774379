/**
 * A fixed script of sixty operations on a server that is 30 ms away.
 *
 * @module
 */

import assert from "node:assert/strict";
import { kvConnectServer, TEST_TOKEN } from "../support/kv_connect_server.ts";
import { playScript } from "../support/remote_script.ts";
import { tempFolder } from "../support/temp_folder.ts";

Deno.test("sixty operations 30 ms away: each waits as often as it is designed to", async () => {
  await using folder = await tempFolder();
  await using server = await kvConnectServer(`${folder.path}/a.db`, TEST_TOKEN);
  const lines = await playScript({ server, size: 1_000, latencyMs: 30 });
  for (const { name, ms } of lines) {
    // So that it is known to have been as far away as that.
    assert.ok(ms >= 29, `${name}: ${ms} ms`);
  }
});
