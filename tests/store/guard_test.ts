/**
 * The guard judges what is stored, for the branch it is stored on.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Edit, isMnemError, openStore } from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { FaultDriver } from "../support/fault_driver.ts";
import { MemoryKv } from "../support/memory_kv.ts";
import { tempStore } from "../support/temp_store.ts";

Deno.test("guard: sees what is stored, whatever becomes of the caller's objects", async () => {
  const kv = new MemoryKv();
  const seen: unknown[] = [];
  await using store = await openStoreOn(kv.open(), {
    create: true,
    guard: (edits) => {
      seen.push(...edits.map((edit) => edit.content));
    },
  });
  const edit: { id: string; content: string } = { id: "a", content: "secret" };
  const written = store.write([edit], { message: "m" });
  edit.content = "fine";
  await written;
  assert.deepEqual(seen, ["secret"]);
  assert.equal((await store.node("a"))?.content, "secret");
});

Deno.test("guard: is asked again when HEAD is switched while it thinks", async () => {
  const kv = new MemoryKv();
  await using other = await openStoreOn(kv.open(), { create: true });
  await other.write([{ id: "a", content: 1 }], { message: "m" });
  await other.createBranch("dev");
  await other.switchTo("dev");
  const asked: string[] = [];
  const guard = async (_: readonly Edit[], { branch }: { branch: string }) => {
    asked.push(branch);
    if (branch === "main") throw new Error("nobody writes to main");
    await other.switchTo("main");
  };
  await using store = await openStoreOn(kv.open(), { guard });
  await assert.rejects(
    store.write([{ id: "a", content: 2 }], { message: "m" }),
    (error) => isMnemError(error, "refused"),
  );
  assert.deepEqual(asked, ["dev", "main"]);
  assert.equal((await other.node("a"))?.content, 1);
  assert.equal((await other.on("dev").node("a"))?.content, 1);
});

Deno.test("guard: is asked again when HEAD is switched while a large commit is written", async () => {
  const kv = new MemoryKv();
  await using other = await openStoreOn(kv.open(), { create: true });
  await other.write([{ id: "a", content: 1 }], { message: "m" });
  await other.createBranch("dev");
  await other.switchTo("dev");
  const asked: string[] = [];
  const switched = Promise.withResolvers<void>();
  const driver = new FaultDriver(
    kv.open(),
    ({ operation, nth }) => {
      if (operation !== "commit" || nth > 1) return undefined;
      void other.switchTo("main").then(switched.resolve);
      return { slow: switched.promise };
    },
  );
  await using store = await openStoreOn(driver, {
    guard: (_, { branch }) => {
      asked.push(branch);
      if (branch === "main") throw new Error("nobody writes to main");
    },
  });
  const edits = Array.from({ length: 2_000 }, (_, i) => ({
    id: `n${i}`,
    content: i,
  }));
  for (const key of [undefined, "k"]) {
    await assert.rejects(
      store.write(edits, { message: "bulk", key }),
      (error) => isMnemError(error, "refused"),
    );
  }
  assert.deepEqual(asked, ["dev", "main", "main"]);
  assert.equal(driver.fired, 1);
  assert.equal((await other.node("a"))?.content, 1);
  assert.equal(await other.node("n0"), null);
});

Deno.test("guard: may write to the same branch by another handle, whether or not the call has a key", async () => {
  await using temp = await tempStore();
  const { store: audit } = temp;
  let judged = 0;
  const guard = async () => {
    judged++;
    await audit.write([{ id: "log", content: judged }], { message: "audit" });
  };
  await using store = await openStore(audit.location, { guard });
  const edits = [{ id: "a", content: 1 }];
  const first = await store.write(edits, { message: "m", key: "k" });
  await store.write([{ id: "a", content: 2 }], { message: "m" });
  assert.deepEqual(await store.write(edits, { message: "m", key: "k" }), first);
  assert.equal(judged, 2);
  assert.equal((await audit.node("log"))?.content, 2);
});
