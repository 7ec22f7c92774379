import assert from "node:assert/strict";
import { isMnemError } from "../errors.ts";
import { openStore } from "../store/open_store.ts";
import { FaultDriver } from "../../tests/support/fault_driver.ts";
import { MemoryKv } from "../../tests/support/memory_kv.ts";
import { tempFolder } from "../../tests/support/temp_folder.ts";
import { parseLocation } from "./location.ts";
import { withWatchedFile } from "./watched_file.ts";

Deno.test("withWatchedFile() acknowledges nothing into a file that was removed or replaced", async () => {
  await using folder = await tempFolder();
  const place = `${folder.path}/mem`;
  const store = await openStore(place, { create: true });
  await store.write([{ id: "a", content: 1 }], { message: "m" });
  await Deno.remove(place, { recursive: true });
  const write = (content: number) =>
    store.write([{ id: "a", content }], { message: "m" });
  const isNoticed = (error: unknown) =>
    isMnemError(error, "store_io") &&
    /was removed or replaced/.test(error.message);
  await assert.rejects(write(2), isNoticed);
  await using again = await openStore(place, { create: true });
  await again.write([{ id: "b", content: 3 }], { message: "m" });
  await assert.rejects(write(3), isNoticed);
  assert.equal((await again.node("b"))?.content, 3);
  assert.equal(await again.node("a"), null);
  await store.close();
});

Deno.test("withWatchedFile() acknowledges nothing that a file was removed under", async () => {
  await using folder = await tempFolder();
  const location = parseLocation(folder.path);
  assert.ok(location.kind === "local");
  await Deno.mkdir(location.folder, { recursive: true });
  await Deno.writeTextFile(location.file, "");
  const underWay = Promise.withResolvers<void>();
  const inner = new FaultDriver(
    new MemoryKv().open(),
    ({ nth }) => nth === 2 ? { slow: underWay.promise } : undefined,
  );
  const driver = withWatchedFile(inner, location);
  const write = { sets: [{ key: ["a"], value: new Uint8Array() }] };
  assert.ok((await driver.commit(write)).ok);
  const sent = driver.commit(write);
  await Deno.remove(location.file);
  underWay.resolve();
  await assert.rejects(sent, /was removed or replaced/);
});
