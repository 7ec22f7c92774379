/**
 * An import that has no room: nothing of it is seen, and it can be done again.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { importBundle } from "@mnem/core";
import { exported, largeBundle, streamOf } from "../support/bundles.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { tempStore } from "../support/temp_store.ts";

const ROOM = 2 * 1024 * 1024;

/** A file system with little room; undefined where it cannot be had. */
async function smallDisk(path: string): Promise<AsyncDisposable | undefined> {
  const run = async (program: string, ...args: string[]) => {
    const command = new Deno.Command(program, { args, stderr: "null" });
    return await command.output().then(({ success }) => success, () => false);
  };
  const options = `size=${ROOM}`;
  if (!await run("mount", "-t", "tmpfs", "-o", options, "tmpfs", path)) {
    return undefined;
  }
  return {
    async [Symbol.asyncDispose]() {
      assert.ok(await run("umount", "-l", path), "the small disk is gone");
    },
  };
}

const canMount = Deno.build.os === "linux" && Deno.uid() === 0 &&
  await (async () => {
    await using folder = await tempFolder();
    await using disk = await smallDisk(folder.path);
    return disk !== undefined;
  })();

Deno.test({
  name: "a full disk ends an import with store_io, and leaves nothing",
  ignore: !canMount,
}, async () => {
  const bundle = await largeBundle();
  assert.ok(bundle.length > ROOM / 3);
  await using folder = await tempFolder();
  await using _disk = await smallDisk(folder.path);
  const large = "y".repeat(ROOM);
  await using temp = await tempStore();
  await temp.store.write([{ id: "large", content: [large, large] }], {
    message: "more than there is room for",
  });
  const text = await exported(temp.store);
  await assert.rejects(importBundle(folder.path, streamOf(text)), {
    code: "store_io",
  });
  assert.deepEqual(await readdir(folder.path), []);

  await using small = await tempStore();
  await small.store.write([{ id: "a", content: 1 }], { message: "m" });
  await using made = await importBundle(
    folder.path,
    streamOf(await exported(small.store)),
  );
  assert.equal((await made.node("a"))?.content, 1);
});
