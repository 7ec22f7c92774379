/**
 * A file system with little room, to fill.
 *
 * @module
 */

import assert from "node:assert/strict";
import { tempFolder } from "./temp_folder.ts";

/** Mounts one of so many bytes on a folder; undefined where that cannot be done. `await using` takes it off. */
export async function smallDisk(
  path: string,
  bytes: number,
): Promise<AsyncDisposable | undefined> {
  const run = async (program: string, ...args: string[]) => {
    const command = new Deno.Command(program, { args, stderr: "null" });
    return await command.output().then(({ success }) => success, () => false);
  };
  const options = `size=${bytes}`;
  if (!await run("mount", "-t", "tmpfs", "-o", options, "tmpfs", path)) {
    return undefined;
  }
  return {
    async [Symbol.asyncDispose]() {
      assert.ok(await run("umount", "-l", path), "the small disk is gone");
    },
  };
}

/** Says why none can be had; undefined if one can. */
export async function smallDiskMissing(): Promise<string | undefined> {
  if (Deno.build.os !== "linux") return "only Linux has tmpfs";
  if (Deno.uid() !== 0) return "only root may mount";
  await using folder = await tempFolder();
  await using disk = await smallDisk(folder.path, 65_536);
  return disk === undefined ? "nothing can be mounted here" : undefined;
}
