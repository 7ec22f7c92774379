/**
 * Exports a store as the changes of its commits.
 *
 * @module
 */

import { shortOf } from "../object/graph_commit.ts";
import { fromHex, toHex } from "../object/hex.ts";
import { diffTrees, type EntryDiff } from "../state/diff_trees.ts";
import { emptyRoot } from "../state/make_chunk.ts";
import type { CommitRow } from "../storage/commit_row.ts";
import { parseLocation } from "../storage/location.ts";
import { StoreReader } from "../storage/store_reader.ts";
import { checkOptions } from "../store/check_options.ts";
import { OpenedStore } from "../store/opened_store.ts";
import type { SharedStore } from "../store/shared_store.ts";
import type { Store } from "../store/surface.ts";
import { commitsInOrder } from "./commit_order.ts";
import {
  CACHE_SHARE,
  COMMIT_TAG,
  type ExportOptions,
} from "./export_bundle.ts";
import { checkScope, commitsIn, type ExportScope } from "./export_scope.ts";
import { ObjectFile } from "./object_file.ts";
import { writeObject } from "./object_writer.ts";
import type { ScratchFolder } from "./scratch_folder.ts";
import { scratchBeside } from "./scratch_place.ts";
import { Sorter } from "./sorter.ts";
import { TextBytes } from "./text_bytes.ts";

/** One node that a commit changes. */
export interface HistoryChange {
  /** The node id. */
  readonly id: string;
  /** The JSON text of its object in a bundle, UTF-8; null: removed. */
  readonly object: Uint8Array | null;
}

/** One commit. */
export interface HistoryCommit {
  /** Its id, or any text that names it. */
  readonly id: string;
  /** Commits that came before it. */
  readonly parents: readonly string[];
  /** The JSON text of its object in a bundle, UTF-8; `parents` and `state` in it count for nothing. */
  readonly object: Uint8Array;
  /** That of a state above 1,024 nodes; "tree" unless said otherwise. */
  readonly form?: "tree" | "flat" | undefined;
  /** Against its first parent, each node once; to be read before the next commit. */
  readonly changes: AsyncIterable<HistoryChange> | Iterable<HistoryChange>;
}

/** A history. */
export interface History {
  /** The branch that may be without a commit. */
  readonly defaultBranch: string;
  /** Where HEAD points: to a branch, or, by its name, to a commit. */
  readonly head: { readonly branch: string } | { readonly commit: string };
  /** Branches, each with the name of its commit. */
  readonly refs: ReadonlyMap<string, string>;
  /** Its commits, parents before children. */
  readonly commits: AsyncIterable<HistoryCommit>;
}

/** Nodes that are read at once. */
const WAVE_NODES = 64;

/**
 * Exports the parts of a store that {@linkcode exportBundle} does, but nothing that no commit leads to,
 * each commit by what it changes. In bounded memory. Throws as that does.
 */
export async function exportHistory(
  store: Store,
  options: Pick<ExportOptions, "branch" | "at"> = {},
): Promise<History> {
  const session = OpenedStore.sessionOf(store);
  const { branch, at } = checkOptions(options);
  const scope = await session.run(checkScope(store, { branch, at }));
  const { head, refs, defaultBranch } = scope;
  const scratch = scratchBeside(parseLocation(store.location));
  const commits = session.each(({ driver }) =>
    commitsOf(driver, scope, scratch)
  );
  return { head, refs, defaultBranch, commits };
}

async function* commitsOf(
  driver: SharedStore["driver"],
  scope: ExportScope,
  scratch: ScratchFolder,
): AsyncGenerator<HistoryCommit> {
  const reader = new StoreReader(driver, { share: CACHE_SHARE });
  try {
    const graph = new Sorter(scratch);
    const out = new TextBytes();
    const rows = { driver, reader, check() {} };
    for await (const { row } of commitsIn(rows, scope)) {
      graph.add(fromHex(row.commit.id), COMMIT_TAG, row.bytes);
    }
    for (const id of commitsInOrder(ObjectFile.of(graph, scratch))) {
      const row = await reader.commit(shortOf(toHex(id)));
      const { commit: { parents }, form, bytes } = row;
      const object = textOf(out, bytes, "commit");
      const changes = changesOf(reader, row, out);
      yield { id: toHex(id), parents, object, form, changes };
    }
  } finally {
    scratch.remove();
  }
}

async function* changesOf(
  reader: StoreReader,
  { commit, root }: CommitRow,
  out: TextBytes,
): AsyncGenerator<HistoryChange> {
  const [first] = commit.parents;
  const before = first === undefined
    ? emptyRoot()
    : (await reader.commit(shortOf(first))).root;
  let wave: EntryDiff[] = [];
  for await (const diff of diffTrees(reader, before, root)) {
    if (wave.push(diff) < WAVE_NODES) continue;
    yield* await readChanges(reader, wave, out);
    wave = [];
  }
  yield* await readChanges(reader, wave, out);
}

async function readChanges(
  reader: StoreReader,
  diffs: readonly EntryDiff[],
  out: TextBytes,
): Promise<HistoryChange[]> {
  const nodes = await reader.nodes(diffs.flatMap((diff) => diff.new ?? []));
  let next = 0;
  return diffs.map((diff) => ({
    id: diff.id,
    object: diff.new === null
      ? null
      : textOf(out, nodes[next++]!, "memory_node"),
  }));
}

function textOf(
  out: TextBytes,
  bytes: Uint8Array,
  kind: "commit" | "memory_node",
): Uint8Array {
  writeObject(out, bytes, 0, kind);
  return out.take().slice();
}
