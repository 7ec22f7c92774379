import assert from "node:assert/strict";
import { MnemError } from "@mnem/core";
import { openStoreOn } from "../core/store/open_store.ts";
import { MemoryKv } from "../tests/support/memory_kv.ts";
import { z } from "zod";
import { argumentsOf, optionalText } from "./schemas.ts";
import { defineTool } from "./tool.ts";

Deno.test("defineTool() says that a call is made once only of a tool that takes a key", async () => {
  await using store = await openStoreOn(new MemoryKv().open(), {
    create: true,
  });
  const lost = (shape: z.ZodRawShape) =>
    defineTool({
      name: "lose",
      title: "Lose",
      description: "Loses its answer.",
      annotations: {},
      input: argumentsOf(shape),
      output: z.object({}),
      run: () =>
        Promise.reject(
          new MnemError("store_io", "no answer", { outcome: "unknown" }),
        ),
    }).call({}, {
      store,
      author: undefined,
      signal: new AbortController().signal,
      key: "k",
    });
  await assert.rejects(
    lost({ key: optionalText() }),
    /^MnemError: no answer; try again with the same key, it is written once$/,
  );
  await assert.rejects(
    lost({ name: optionalText() }),
    /^MnemError: no answer; it may have been written all the same, recall/,
  );
});
