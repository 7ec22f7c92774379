/**
 * Items of LangGraph as nodes, for packages that write or read both: which node an item is, what of a
 * value is stored, and how a whole store of items is taken in. It needs nothing of LangGraph.
 *
 * ```ts
 * import { fromId, toId } from "@mnem/agents/items";
 *
 * const id = toId(["users", "u1"], "plan");
 * if (id !== "users:u1:plan") throw new Error("a node id for each item");
 * if (fromId(id).key !== "plan") throw new Error("and an item for each node id");
 * ```
 *
 * @module
 */

export {
  fromId,
  idPrefix,
  isLabel,
  type ItemPlace,
  toId,
} from "./items/item_id.ts";
export {
  isPlain,
  storedObject,
  storedValue,
  valueOf,
} from "./items/stored_value.ts";
export {
  checkEvidence,
  type LiftedValue,
  liftMeta,
  overEvidence,
} from "./items/given_evidence.ts";
export { kindOf } from "./items/kind_of.ts";
export { nodeFault } from "./items/node_fault.ts";
export {
  type ImportedItems,
  importItems,
  type ImportItemsOptions,
  type ItemTarget,
  type SkippedItem,
} from "./items/import_items.ts";
export type { SourceItem, SourceStore } from "./items/source_items.ts";
export { unsaidNodes, type UnsaidOptions } from "./items/unsaid_nodes.ts";
