/**
 * Version control for what an AI agent believes: the store.
 *
 * @example
 * ```ts
 * import { openStore } from "@mnem/core";
 *
 * await using store = await openStore(Deno.makeTempDirSync(), { create: true });
 * const { commit } = await store.write([{ id: "plan", content: "pro" }], {
 *   message: "read the billing note",
 * });
 * const wrote = await store.blame("plan");
 * if (wrote.commit.id !== commit) throw new Error("blame names the commit that wrote it");
 * ```
 *
 * @module
 */

export {
  isMnemError,
  MnemError,
  type MnemErrorCode,
  type MnemErrorOptions,
} from "./errors.ts";
export { exitStatus, isBadArgument } from "./exit_status.ts";
export type { Json, Storable } from "./object/json.ts";
export type {
  MemoryNode,
  NodeInput,
  Provenance,
} from "./object/memory_node.ts";
export type { Commit, ObjectId } from "./object/commit.ts";
export type {
  BisectOptions,
  BisectResult,
  Blame,
  Branch,
  ChangeKind,
  CommitOptions,
  Conflict,
  Edit,
  Head,
  LogOptions,
  MergeOptions,
  MergeResult,
  NodeChange,
  NodeEntry,
  NodesOptions,
  NodeVersion,
  Resolution,
  RevertOptions,
  Revision,
  Snapshot,
  Stage,
  StagedChanges,
  Store,
  VersionsOptions,
  WriteOptions,
  Written,
} from "./store/surface.ts";
export type {
  VerifyFault,
  VerifyFaultCode,
  VerifyOptions,
  VerifyReport,
} from "./store/verify/report.ts";
export {
  type Guard,
  type InitOptions,
  initStore,
  locateStore,
  type OpenOptions,
  openStore,
} from "./store/open_store.ts";
export type { Origin } from "./state/chunk.ts";
export { checkContent, sameContent } from "./object/content.ts";
export { type ContentChange, diffContent } from "./object/diff_content.ts";
export {
  NODE_ID_BYTES_MAX,
  PAGE_BYTES_MAX,
  PROVENANCE_FIELD_BYTES_MAX,
  VERSIONS_WALKED_MAX,
} from "./limits.ts";
export { compareUtf8 } from "./object/utf8.ts";
export { wireNode } from "./object/wire_node.ts";
export { type JsonReadOptions, parseJson } from "./object/json_reader.ts";
export { stringifyJson } from "./object/json_writer.ts";
export { exportBundle, type ExportOptions } from "./bundle/export_bundle.ts";
export {
  exportHistory,
  type History,
  type HistoryChange,
  type HistoryCommit,
} from "./bundle/export_history.ts";
export {
  historyBundle,
  type HistoryBundleOptions,
} from "./bundle/history_bundle.ts";
export { importBundle, type ImportOptions } from "./bundle/import_bundle.ts";
