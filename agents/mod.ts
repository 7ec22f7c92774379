/**
 * What an agent does with its memory: remember, recall, and ask why. One call, one commit.
 *
 * @module
 */

export {
  type Evidence,
  forget,
  type Item,
  provenanceOf,
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
export { toWire } from "./wire.ts";
