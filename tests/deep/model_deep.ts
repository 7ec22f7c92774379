/**
 * Many more random histories than the quick suite plays, and the largest commits that are allowed.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Edit, openStore } from "@mnem/core";
import { encodeNode } from "../../core/object/memory_node.ts";
import { stagedKey } from "../../core/storage/keys.ts";
import { frameRow } from "../../core/storage/row.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { playHistory } from "../support/model_run.ts";
import { tempFolder } from "../support/temp_folder.ts";

/** What this suite takes at most, in seconds. */
export const SECONDS = 100;

const FIRST_SEED = Number(Deno.env.get("MNEM_TEST_SEED") ?? 10_000);

for (const [steps, seeds] of [[40, 120], [150, 8]] as const) {
  Deno.test(`${seeds} random histories of ${steps} calls: every answer is the model's`, async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed++) {
      const kv = new MemoryKv();
      const open = (branch?: string) =>
        openStoreOn(kv.open(), { create: branch === undefined, branch });
      await playHistory({ seed, steps, open }).catch((error) => {
        throw new Error(`MNEM_TEST_SEED=${seed} plays it first`, {
          cause: error,
        });
      });
    }
  });
}

Deno.test("random histories in files: every answer is the model's", async () => {
  for (let seed = FIRST_SEED + 500; seed < FIRST_SEED + 510; seed++) {
    await using folder = await tempFolder();
    const open = (branch?: string) =>
      openStore(folder.path, { create: branch === undefined, branch });
    await playHistory({ seed, steps: 60, open }).catch((error) => {
      throw new Error(`MNEM_TEST_SEED=${seed} plays it first`, {
        cause: error,
      });
    });
  }
});

Deno.test("100,000 edits are one commit", async () => {
  await using folder = await tempFolder();
  await using store = await openStore(folder.path, { create: true });
  const edits = Array.from(
    { length: 100_000 },
    (_, i): Edit => ({ id: `n${i}`, content: i }),
  );
  const { changes } = await store.write(edits, { message: "m" });
  assert.equal(changes.size, 100_000);
  assert.equal((await store.node("n99999"))?.content, 99_999);
  let count = 0;
  for await (const { id, content } of store.nodes()) {
    count++;
    assert.equal(id, `n${content}`);
  }
  assert.equal(count, 100_000);
});

Deno.test("100,001 staged changes are a RangeError, 100,000 one commit", async () => {
  const kv = new MemoryKv();
  await using store = await openStoreOn(kv.open(), { create: true });
  const stage = (i: number) => {
    const id = `n${String(i).padStart(6, "0")}`;
    const { bytes } = encodeNode(id, { content: i });
    kv.put(stagedKey(id), frameRow(stagedKey(id), bytes, true).value);
  };
  for (let i = 0; i <= 100_000; i++) stage(i);
  await assert.rejects(store.stage.commit({ message: "m" }), RangeError);
  assert.equal((await store.head()).commit, null);
  assert.equal(await store.stage.unstage("n000000"), true);
  const { changes } = await store.stage.commit({ message: "m" });
  assert.equal(changes.size, 100_000);
  assert.equal(kv.rows().filter(({ key }) => key[0] === "s").length, 0);
});
