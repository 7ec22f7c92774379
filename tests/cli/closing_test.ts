/**
 * A command leaves no store open behind it, however it ends.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { openStore } from "@mnem/core";
import { session } from "./session.ts";

/** How many handles of this process lead to the database of a store. */
async function openHandles(folder: string): Promise<number> {
  const links = (await readdir("/proc/self/fd")).map((fd) =>
    readlink(join("/proc/self/fd", fd)).catch(() => "")
  );
  const database = join(folder, ".mnem", "kv.db");
  return (await Promise.all(links)).filter((to) => to === database).length;
}

Deno.test({
  name: "a command closes the store that it opened or made, also when it fails",
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using typed = await session();
  assert.equal((await typed.mnem("init")).status, 0);
  assert.equal(await openHandles(typed.path), 0);

  const store = await openStore(typed.path);
  assert.notEqual(await openHandles(typed.path), 0);
  await store.close();

  assert.equal((await typed.mnem("remember", "plan", "pro")).status, 0);
  // The second store is opened for a hint at the branch that was meant.
  for (const line of [["blame", "gone"], ["log", "mian"], ["rm", "gone"]]) {
    assert.equal((await typed.mnem(...line)).status, 3, line.join(" "));
    assert.equal(await openHandles(typed.path), 0, line.join(" "));
  }
  await typed.text("export", "-o", "a.json");
  await typed.text("import", "a.json", "--store=copy");
  assert.equal(await openHandles(join(typed.path, "copy")), 0);
});
