/**
 * Exports a store as a bundle.
 *
 * @module
 */

import type { ObjectId } from "../object/commit.ts";
import { shortOf } from "../object/graph_commit.ts";
import { blake3 } from "../object/hash.ts";
import { fromHex, toHex } from "../object/hex.ts";
import {
  checkFlag,
  checkFunction,
  checkOptions,
} from "../store/check_options.ts";
import { OpenedStore } from "../store/opened_store.ts";
import type { SharedStore } from "../store/shared_store.ts";
import { parseLocation } from "../storage/location.ts";
import { StoreReader } from "../storage/store_reader.ts";
import type { Revision, Store } from "../store/surface.ts";
import type { BundleHead } from "./bundle_reader.ts";
import { commitsInOrder } from "./commit_order.ts";
import { CommitWalk } from "./commit_walk.ts";
import { checkScope, commitsIn, type ExportScope } from "./export_scope.ts";
import { tagOf } from "./export_tags.ts";
import { bundleText } from "./export_text.ts";
import { FlatWalk } from "./flat_walk.ts";
import { KIND_TAGS, ObjectFile } from "./object_file.ts";
import { pieceStream } from "./piece_stream.ts";
import { renameCommit } from "./rename_commit.ts";
import type { ScratchFolder } from "./scratch_folder.ts";
import { scratchBeside } from "./scratch_place.ts";
import { Sorter } from "./sorter.ts";
import { gatherLoose, gatherNodes } from "./stored_objects.ts";

/** What is read once is not kept, nor does it drive out what others read often. */
export const CACHE_SHARE: number = 1 / 16;

export const COMMIT_TAG: number = KIND_TAGS.indexOf("commit");

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
 * the branch or revision does not exist (`invalid_ref`). A reader that brings its own buffers
 * (`getReader({ mode: "byob" })`) has them filled, and no other memory is used for the text.
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
  const findScope = checkScope(store, { branch, at });
  checkFlag("flat", flat);
  if (renamed !== undefined) checkFunction("renamed", renamed);
  const pieces = session.each(async function* (shared) {
    const scope = await findScope(shared);
    const scratch = scratchBeside(parseLocation(store.location));
    yield* exported(shared, scope, { ...options, scratch });
  });
  return pieceStream(pieces, () => signal?.throwIfAborted());
}

async function* exported(
  opened: SharedStore,
  scope: ExportScope,
  options: ExportOptions & { readonly scratch: ScratchFolder },
): AsyncGenerator<Uint8Array> {
  const { flat = false, signal, scratch } = options;
  const { driver, flats, meta } = opened;
  const reader = new StoreReader(driver, { share: CACHE_SHARE });
  const check = () => signal?.throwIfAborted();
  const rows = { driver, reader, check };
  try {
    const objects = new Sorter(scratch);
    const graph = new Sorter(scratch);
    const isWhole = scope.tip === undefined;
    const walk = new CommitWalk(reader, {
      objects,
      readsNodes: !isWhole,
      keepsTrees: !flat,
    });
    let hasFlats = flat;
    for await (const { row, records } of commitsIn(rows, scope)) {
      check();
      await walk.take(row, records);
      hasFlats ||= row.form === "flat";
      graph.add(fromHex(row.commit.id), COMMIT_TAG, row.bytes);
    }
    await walk.end();
    if (isWhole) {
      await gatherNodes(rows, objects);
      await gatherLoose(rows, objects);
    }
    const names = hasFlats
      ? await gatherFlats(
        { reader, flats, meta },
        { objects, commits: graph, walk },
        options,
      )
      : new Map<ObjectId, ObjectId>();
    yield* bundleText(renamedHead(scope, names), objects);
  } finally {
    scratch.remove();
  }
}

/**
 * Gathers states in their flat form: those of commits that have it, or all. Returns the new ids of
 * commits.
 */
async function gatherFlats(
  store: Pick<SharedStore, "reader" | "flats" | "meta">,
  { objects, commits, walk }: {
    readonly objects: Sorter;
    readonly commits: Sorter;
    readonly walk: CommitWalk;
  },
  { flat = false, renamed = () => {}, signal, scratch }: ExportOptions & {
    readonly scratch: ScratchFolder;
  },
): Promise<ReadonlyMap<ObjectId, ObjectId>> {
  const file = ObjectFile.of(commits, scratch);
  const names = new Map<ObjectId, ObjectId>();
  const flats = new FlatWalk(store, objects);
  for (const id of commitsInOrder(file)) {
    signal?.throwIfAborted();
    const short = shortOf(toHex(id));
    if (walk.tookTree(short)) continue;
    const row = await store.reader.commit(short);
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
  return names;
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
