/**
 * An import that is killed, or has no room: nothing of it is seen, and it can be done again.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { importBundle, openStore } from "@mnem/core";
import { exported, streamOf } from "../support/bundles.ts";
import { smallDisk, smallDiskMissing } from "../support/small_disk.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { tempStore } from "../support/temp_store.ts";
import { Chance } from "../support/tree_cases.ts";

const SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 1);
const ROUNDS = 6;
const CLI = fileURLToPath(new URL("../../cli/mod.ts", import.meta.url));

/** The bundle of a store with some thousand objects. */
async function largeBundle(): Promise<string> {
  await using temp = await tempStore();
  for (let commit = 0; commit < 40; commit++) {
    const edits = Array.from({ length: 100 }, (_, at) => ({
      id: `node/${(commit * 37 + at) % 900}`,
      content: { commit, at, text: "x".repeat(200) },
    }));
    await temp.store.write(edits, { message: `commit ${commit}` });
  }
  return await exported(temp.store);
}

/** Starts an import that reads standard input. */
function startImport(folder: string): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", CLI, "import", "-", folder],
    stdin: "piped",
    stdout: "null",
    stderr: "null",
  }).spawn();
}

Deno.test("kill -9 during an import leaves no store, and the next import makes it", async () => {
  const bundle = await largeBundle();
  const bytes = new TextEncoder().encode(bundle);
  const chance = new Chance(SEED);
  await using folder = await tempFolder();
  let killed = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const what = `seed ${SEED}, round ${round}`;
    const child = startImport(folder.path);
    const writer = child.stdin.getWriter();
    // In the middle of the bundle, or after it, while the store is built.
    const end = chance.below(2) === 0
      ? bytes.length
      : chance.below(bytes.length);
    await writer.write(bytes.subarray(0, end)).catch(() => {});
    if (end === bytes.length) await writer.close().catch(() => {});
    setTimeout(() => {
      try {
        child.kill("SIGKILL");
      } catch {
        // It was faster.
      }
    }, chance.below(400));
    const { success } = await child.status;
    await writer.abort().catch(() => {});
    if (success) {
      await using made = await openStore(folder.path);
      assert.equal(await exported(made), bundle, what);
      await Deno.remove(`${folder.path}/.mnem`, { recursive: true });
      continue;
    }
    killed += 1;
    await assert.rejects(openStore(folder.path), { code: "no_store" }, what);
  }
  assert.ok(killed > 0, `seed ${SEED}: no import was killed in time`);
  await using store = await importBundle(folder.path, streamOf(bundle));
  assert.equal(await exported(store), bundle);
  assert.deepEqual((await store.verify()).faults, []);
});

const ROOM = 2 * 1024 * 1024;

const missing = await smallDiskMissing();

Deno.test({
  name: `a full disk ends an import with store_io, and leaves nothing${
    missing ? ` (skipped: ${missing})` : ""
  }`,
  ignore: missing !== undefined,
}, async () => {
  const bundle = await largeBundle();
  assert.ok(bundle.length > ROOM / 3);
  await using folder = await tempFolder();
  await using _disk = await smallDisk(folder.path, ROOM);
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
