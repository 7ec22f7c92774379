/**
 * Mnemosyne: version control for what an AI agent believes. Everything of `@mnem/core` and
 * `@mnem/agents` under one name.
 *
 * @example
 * ```ts
 * import { openStore, recall, remember, whenDid } from "@mnem/mnemosyne";
 *
 * await using store = await openStore(Deno.makeTempDirSync(), { create: true });
 * await remember(store, "plan", "enterprise");
 * await remember(store, "plan", "pro", { observation: "billing-note-8842" });
 * const { commit } = await whenDid(store, "plan", { equals: "pro" });
 * const before = await recall(store, "plan", { at: `${commit.id}~1` });
 * if (before?.content !== "enterprise") throw new Error("the past stays");
 * ```
 *
 * @module
 */

export {
  type BisectOptions,
  type BisectResult,
  type Blame,
  type Branch,
  type ChangeKind,
  checkContent,
  type Commit,
  type CommitOptions,
  compareUtf8,
  type Conflict,
  type ContentChange,
  diffContent,
  type Edit,
  exitStatus,
  exportBundle,
  exportHistory,
  type ExportOptions,
  type Guard,
  type Head,
  type History,
  historyBundle,
  type HistoryBundleOptions,
  type HistoryChange,
  type HistoryCommit,
  importBundle,
  type ImportOptions,
  type InitOptions,
  initStore,
  isBadArgument,
  isMnemError,
  type Json,
  type JsonReadOptions,
  locateStore,
  type LogOptions,
  type MemoryNode,
  type MergeOptions,
  type MergeResult,
  MnemError,
  type MnemErrorCode,
  type MnemErrorOptions,
  type NodeChange,
  type NodeEntry,
  type NodeInput,
  type NodesOptions,
  type NodeVersion,
  type ObjectId,
  type OpenOptions,
  openStore,
  type Origin,
  PAGE_BYTES_MAX,
  parseJson,
  type Provenance,
  type Resolution,
  type RevertOptions,
  type Revision,
  sameContent,
  type Snapshot,
  type Stage,
  type StagedChanges,
  type Storable,
  type Store,
  stringifyJson,
  type VerifyFault,
  type VerifyFaultCode,
  type VerifyOptions,
  type VerifyReport,
  VERSIONS_WALKED_MAX,
  type VersionsOptions,
  wireNode,
  type WriteOptions,
  type Written,
} from "@mnem/core";
export {
  type Evidence,
  EVIDENCE_FIELDS,
  type EvidenceField,
  forget,
  history,
  type HistoryOptions,
  type HistoryPage,
  type Item,
  matcherOf,
  provenanceOf,
  type Question,
  recall,
  recallAll,
  type RecallAllOptions,
  type RecalledPage,
  type RecallOptions,
  remember,
  rememberMany,
  type Summary,
  toWire,
  whatsNew,
  whenDid,
  type WhenDidResult,
  why,
} from "@mnem/agents";
