/**
 * Takes another store of LangGraph into a Mnemosyne store.
 *
 * @module
 */

import {
  type ImportedItems,
  importItems,
  type ImportItemsOptions,
  type ItemTarget,
  type SourceStore,
} from "@mnem/agents/items";
import { withCode } from "./argument_error.ts";

/**
 * Takes every item of any LangGraph store, such as an `InMemoryStore` or a `PostgresStore`, into a
 * branch of a Mnemosyne store, from which {@linkcode MnemosyneStore} reads them as it would have stored
 * them: the same namespaces, keys and values, in the order of `createdAt` and with its times. Items of
 * one time are one commit, in at most 1,000 commits unless `commits` says otherwise; `updatedAt` becomes
 * the event time, and what `_meta` says the evidence. The source is only read, in pages of 1,000 by
 * `listNamespaces` and `search`, and what differs from memory is held until all of it was read.
 *
 * The same import again makes no commit. An item that cannot be stored is skipped and told.
 *
 * @throws {RangeError} If `commits` is no integer from 1.
 * @throws {MnemError} As a write does. What was committed stays, and the same import again goes on.
 *
 * @example
 * ```ts
 * import { openStore } from "@mnem/core";
 * import { importStore, MnemosyneStore } from "@mnem/langgraph";
 * import { InMemoryStore } from "@langchain/langgraph-checkpoint";
 *
 * const old = new InMemoryStore();
 * await old.put(["users", "u1"], "plan", { tier: "pro" });
 *
 * await using store = await openStore(Deno.makeTempDirSync(), { create: true });
 * await importStore(store, old);
 * const item = await new MnemosyneStore(store).get(["users", "u1"], "plan");
 * if (item?.value.tier !== "pro") throw new Error("what was there is here");
 * ```
 */
export async function importStore(
  store: ItemTarget,
  source: SourceStore,
  options: ImportItemsOptions = {},
): Promise<ImportedItems> {
  return await withCode(() => importItems(store, source, options));
}
