/**
 * Exports a store as a bundle.
 *
 * @module
 */

import type { ObjectId } from "../object/commit.ts";
import { shortOf } from "../object/graph_commit.ts";
import { blake3 } from "../object/hash.ts";
import { fromHex, toHex } from "../object/hex.ts";
import { checkBranchName } from "../object/branch_name.ts";
import {
  checkFlag,
  checkFunction,
  checkOptions,
} from "../store/check_options.ts";
import { OpenedStore } from "../store/opened_store.ts";
import type { SharedStore } from "../store/shared_store.ts";
import { parseLocation } from "../storage/location.ts";
import type { Revision, Store } from "../store/surface.ts";
import type { BundleHead } from "./bundle_reader.ts";
import { commitsInOrder } from "./commit_order.ts";
import { CommitWalk } from "./commit_walk.ts";
import {
  ancestors,
  type ExportScope,
  oneBranch,
  oneCommit,
  wholeStore,
} from "./export_scope.ts";
import { tagOf } from "./export_tags.ts";
import { bundleText } from "./export_text.ts";
import { FlatWalk } from "./flat_walk.ts";
import { KIND_TAGS, ObjectFile } from "./object_file.ts";
import { renameCommit } from "./rename_commit.ts";
import type { ScratchFolder } from "./scratch_folder.ts";
import { scratchBeside } from "./scratch_place.ts";
import { Sorter } from "./sorter.ts";
import { gatherLoose, gatherNodes, storedCommits } from "./stored_objects.ts";

/** What to export, and how. */
export interface ExportOptions {
  /** Only this branch, and what led to it. */
  readonly branch?: string | undefined;
  /** Only this commit, and what led to it: HEAD is at it, and there are no branches. */
  readonly at?: Revision | undefined;
  /** Gives every state its flat form, for implementations that know no other: commits get other ids. */
  readonly flat?: boolean | undefined;
  /** Told of each commit whose id is another one, parents before children. */
  readonly renamed?: ((from: ObjectId, to: ObjectId) => void) | undefined;
  /** Ends the export with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Exports a store as JSON text that other implementations read too: everything in it; or, with
 * `branch`, that branch and what led to it; or, with `at`, one commit and what led to it, HEAD detached
 * and no branches. The text is made as it is read, in bounded memory, and is the same whenever the
 * store is the same. It ends with an error where the store is damaged (`corrupt_store`), closed, or
 * the branch or revision does not exist (`invalid_ref`).
 *
 * States above 1,024 nodes are trees, which other implementations may not know. With `flat` every
 * state takes its flat form; then commits get other ids, and `renamed` is told of each.
 *
 * @example
 * ```ts
 * import { exportBundle, openStore } from "@mnem/core";
 * import assert from "node:assert/strict";
 *
 * await using store = await openStore(await Deno.makeTempDir(), { create: true });
 * await store.write([{ id: "plan", content: "pro" }], { message: "read the note" });
 * const text = await new Response(exportBundle(store)).text();
 * assert.ok(text.startsWith('{\n  "format_version": 1'));
 * ```
 */
export function exportBundle(
  store: Store,
  options: ExportOptions = {},
): ReadableStream<Uint8Array> {
  const session = OpenedStore.sessionOf(store);
  const { branch, at, flat, renamed, signal } = checkOptions(options);
  if (branch !== undefined) checkBranchName(branch);
  if (branch !== undefined && at !== undefined) {
    throw new TypeError('"branch" and "at" cannot be used together');
  }
  checkFlag("flat", flat);
  if (renamed !== undefined) checkFunction("renamed", renamed);
  const pieces = session.each(async function* (shared) {
    const scope = branch !== undefined
      ? await oneBranch(shared, branch)
      : at !== undefined
      ? await oneCommit(shared, await store.resolve(at))
      : await wholeStore(shared);
    const scratch = scratchBeside(parseLocation(store.location));
    yield* exported(shared, scope, { ...options, scratch });
  });
  return new ReadableStream({
    async pull(controller) {
      try {
        signal?.throwIfAborted();
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        await pieces.return(undefined);
        throw error;
      }
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

async function* exported(
  store: SharedStore,
  scope: ExportScope,
  { flat = false, renamed = () => {}, signal, scratch }: ExportOptions & {
    readonly scratch: ScratchFolder;
  },
): AsyncGenerator<Uint8Array> {
  try {
    const objects = new Sorter(scratch);
    const graph = new Sorter(scratch);
    const isWhole = scope.tip === undefined;
    const walk = new CommitWalk(store.reader, {
      objects,
      readsNodes: !isWhole,
      keepsTrees: !flat,
    });
    const commits = scope.tip === undefined
      ? storedCommits(store)
      : rowsOf(ancestors(store, scope.tip));
    for await (const { row, records } of commits) {
      signal?.throwIfAborted();
      await walk.take(row, records);
      graph.add(fromHex(row.commit.id), KIND_TAGS.indexOf("commit"), row.bytes);
    }
    await walk.end();
    if (isWhole) {
      await gatherNodes(store, objects);
      await gatherLoose(store, objects);
    }
    const file = new ObjectFile(scratch);
    for (const { name, tag, value } of graph.sorted()) {
      file.append(name, tag, value);
    }
    const names = new Map<ObjectId, ObjectId>();
    const flats = new FlatWalk(store, objects);
    for (const id of commitsInOrder(file)) {
      signal?.throwIfAborted();
      const row = await store.reader.commit(shortOf(toHex(id)));
      if (!flat && row.form === "tree") continue;
      const state = await flats.take(row);
      if (!flat) continue;
      const parents = row.commit.parents.map((parent) =>
        names.get(parent) ?? parent
      );
      const bytes = renameCommit(row.bytes, { state, parents });
      const to = toHex(blake3(bytes));
      objects.add(fromHex(to), tagOf("commit"), bytes);
      if (to !== row.commit.id) {
        names.set(row.commit.id, to);
        renamed(row.commit.id, to);
      }
    }
    yield* bundleText(renamedHead(scope, names), objects);
  } finally {
    scratch.remove();
  }
}

function renamedHead(
  { head, refs, defaultBranch }: BundleHead,
  names: ReadonlyMap<ObjectId, ObjectId>,
): BundleHead {
  const nameOf = (id: ObjectId) => names.get(id) ?? id;
  return {
    head: "commit" in head ? { commit: nameOf(head.commit) } : head,
    refs: new Map([...refs].map(([name, id]) => [name, nameOf(id)])),
    defaultBranch,
  };
}

async function* rowsOf<R>(
  rows: AsyncIterable<R>,
): AsyncGenerator<{ row: R; records?: undefined }> {
  for await (const row of rows) yield { row };
}
