import assert from "node:assert/strict";
import { exported, streamOf } from "../../tests/support/bundles.ts";
import { FaultDriver } from "../../tests/support/fault_driver.ts";
import { MemoryKv } from "../../tests/support/memory_kv.ts";
import { parseLocation } from "../storage/location.ts";
import { acquireHandle } from "../storage/shared_handle.ts";
import { openStoreOn } from "../store/open_store.ts";
import { importBundle } from "./import_bundle.ts";

const URL_OF_STORE = "https://import.test/";

Deno.test("importBundle() leaves a store alone that was made on the server meanwhile", async () => {
  const source = await openStoreOn(new MemoryKv().open(), { create: true });
  await source.write([{ id: "a", content: "theirs" }], { message: "m" });
  const text = await exported(source);
  await source.close();
  const kv = new MemoryKv();
  const other = async () => {
    const made = await openStoreOn(kv.open(), { create: true });
    await made.write([{ id: "a", content: "ours" }], { message: "m" });
    await made.close();
  };
  // The first write of the import takes the place; somebody else is faster.
  const driver = new FaultDriver(
    kv.open(),
    ({ operation, nth }) =>
      operation === "commit" && nth === 1 ? { slow: other() } : undefined,
  );
  const lease = await acquireHandle(parseLocation(URL_OF_STORE), {
    client: "npm",
    open: () => Promise.resolve(driver),
  });
  await assert.rejects(
    importBundle(URL_OF_STORE, streamOf(text)),
    { code: "store_exists", outcome: "none" },
  );
  assert.equal(driver.fired, 1);
  lease.release();
  const left = await openStoreOn(kv.open());
  assert.equal((await left.node("a"))?.content, "ours");
  assert.deepEqual((await left.verify()).faults, []);
  await left.close();
});
