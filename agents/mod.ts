/**
 * What an agent does with its memory: remember, recall, and ask why. One call, one commit.
 *
 * @example
 * ```ts
 * import { openStore } from "@mnem/core";
 * import { remember, why } from "@mnem/agents";
 *
 * await using store = await openStore(Deno.makeTempDirSync(), { create: true });
 * await remember(store, "plan", "pro", { observation: "billing-note-8842" });
 * const { node } = await why(store, "plan");
 * if (node.provenance.observation !== "billing-note-8842") throw new Error("the evidence is kept");
 * ```
 *
 * @module
 */

export {
  type Evidence,
  EVIDENCE_FIELDS,
  type EvidenceField,
  provenanceOf,
} from "./evidence.ts";
export {
  forget,
  type Item,
  remember,
  rememberMany,
  type Summary,
} from "./remember.ts";
export {
  recall,
  recallAll,
  type RecallAllOptions,
  type RecalledPage,
  type RecallOptions,
} from "./recall.ts";
export { history, type HistoryOptions, type HistoryPage } from "./history.ts";
export { whatsNew, why } from "./explain.ts";
export { type Question, whenDid, type WhenDidResult } from "./when_did.ts";
export { matcherOf } from "./query.ts";
export { toWire } from "./wire.ts";
