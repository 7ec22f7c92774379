/**
 * Long-term memory for LangGraph with a history: a store whose every change is a commit, and whose
 * every item can be asked why.
 *
 * @example
 * ```ts
 * import { MnemosyneStore } from "@mnem/langgraph";
 *
 * await using store = await MnemosyneStore.open(Deno.makeTempDirSync(), { create: true });
 * await store.put(["users", "u1"], "plan", { tier: "pro" });
 * const item = await store.get(["users", "u1"], "plan");
 * if (item?.value.tier !== "pro") throw new Error("what was put is there");
 * ```
 *
 * @module
 */

export {
  MnemosyneStore,
  type MnemosyneStoreOptions,
} from "./mnemosyne_store.ts";
export { mnemosyne, type RunConfig } from "./run_store.ts";
export { fromId, type ItemPlace, toId } from "@mnem/agents/items";
export { importStore } from "./import_store.ts";
export type {
  ImportedItems,
  ImportItemsOptions,
  ItemTarget,
  SkippedItem,
  SourceItem,
  SourceStore,
} from "@mnem/agents/items";
