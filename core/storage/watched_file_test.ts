import assert from "node:assert/strict";
import { isMnemError } from "../errors.ts";
import { openStore } from "../store/open_store.ts";
import { tempFolder } from "../../tests/support/temp_folder.ts";

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
