/**
 * Long-term memory for LangGraph with a history: a store whose every change is a commit, and whose
 * every item can be asked why.
 *
 * @module
 */

export {
  MnemosyneStore,
  type MnemosyneStoreOptions,
} from "./mnemosyne_store.ts";
export { mnemosyne, type RunConfig } from "./run_store.ts";
export { fromId, type ItemPlace, toId } from "./item_id.ts";
