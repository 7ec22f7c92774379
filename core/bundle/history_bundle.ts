/**
 * Makes a bundle of a history that is given as its changes.
 *
 * @module
 */

import { tmpdir } from "node:os";
import { join } from "node:path";
import { isMnemError } from "../errors.ts";
import { type Commit, decodeCommit } from "../object/commit.ts";
import { shortOf } from "../object/graph_commit.ts";
import { blake3 } from "../object/hash.ts";
import { toHex } from "../object/hex.ts";
import { readFields } from "../object/object_fields.ts";
import { quote } from "../object/quote.ts";
import { compareUtf8 } from "../object/utf8.ts";
import { applyEdits } from "../state/apply_edits.ts";
import { SELF } from "../state/chunk.ts";
import { emptyRoot } from "../state/make_chunk.ts";
import type { CommitRow } from "../storage/commit_row.ts";
import { StoreReader } from "../storage/store_reader.ts";
import { initStore } from "../store/open_store.ts";
import { OpenedStore } from "../store/opened_store.ts";
import { planningGround } from "../store/plan_chain.ts";
import { identifyState, imageOf } from "../store/plan_commit.ts";
import type { SharedStore } from "../store/shared_store.ts";
import { withOutcome } from "../store/until_landed.ts";
import { nodeRow } from "../store/write_rows.ts";
import { corruptBundle } from "./bundle_reader.ts";
import { CACHE_SHARE, exportBundle } from "./export_bundle.ts";
import type {
  History,
  HistoryChange,
  HistoryCommit,
} from "./export_history.ts";
import { CommitBuilder } from "./history_builder.ts";
import { setBranches } from "./imported_branches.ts";
import { pieceStream } from "./piece_stream.ts";
import { readObject } from "./read_object.ts";
import { renameCommit } from "./rename_commit.ts";
import { ScratchFolder } from "./scratch_folder.ts";
import { scratchName } from "./scratch_place.ts";
import { WriteBehind } from "./write_behind.ts";

/** How to make a bundle. */
export interface HistoryBundleOptions {
  /** Told of a change that is no node of its id, and is passed over, with the name of its commit. What it throws ends the bundle. */
  readonly refused?:
    | ((error: unknown, change: HistoryChange, commit: string) => void)
    | undefined;
}

/** A node by its object id; null: none. */
type Edits = readonly {
  readonly id: string;
  readonly object: Uint8Array | null;
}[];

/**
 * Makes the bundle of a history, whose states and ids are worked out here: that of
 * {@linkcode exportHistory} becomes the very commits that it came from. In bounded memory, by way of a
 * store in the system's temporary folder. It ends with `corrupt_store` for an object that is none, and
 * for a parent that did not come before.
 */
export function historyBundle(
  history: History,
  options: HistoryBundleOptions = {},
): ReadableStream<Uint8Array> {
  return pieceStream(bundleOf(history, options), () => {});
}

async function* bundleOf(
  history: History,
  options: HistoryBundleOptions,
): AsyncGenerator<Uint8Array> {
  const { head, refs, commits, defaultBranch } = history;
  const scratch = new ScratchFolder([join(tmpdir(), scratchName())]);
  let target = "branch" in head ? head.branch : "";
  try {
    const store = await initStore(scratch.path(), { defaultBranch });
    try {
      await OpenedStore.sessionOf(store).run(async (shared) => {
        const maker = new CommitMaker(shared, options);
        for await (const commit of commits) await maker.make(commit);
        await maker.end(refs);
        if ("commit" in head) target = maker.idOf(head.commit);
      });
      if (target !== defaultBranch) await store.switchTo(target);
      yield* exportBundle(store);
    } finally {
      await store.close();
    }
  } catch (error) {
    // What was written may be there or not: it was ours alone, and goes.
    throw isMnemError(error) ? withOutcome(error, false) : error;
  } finally {
    scratch.remove();
  }
}

/** Makes commits in a store that nobody else sees. */
class CommitMaker {
  readonly #store: SharedStore;
  readonly #options: HistoryBundleOptions;
  readonly #rows: WriteBehind;
  readonly #reader: StoreReader;
  readonly #ids = new Map<string, string>();

  constructor(store: SharedStore, options: HistoryBundleOptions) {
    this.#store = store;
    this.#options = options;
    this.#rows = new WriteBehind(store.driver);
    this.#reader = new StoreReader(this.#rows, { share: CACHE_SHARE });
  }

  /** The id of a commit that was made. */
  idOf(name: string): string {
    const id = this.#ids.get(name);
    if (id !== undefined) return id;
    throw corruptBundle(
      `the commit ${quote(name)} did not come before it is named`,
    );
  }

  async make(given: HistoryCommit): Promise<void> {
    const { id: name } = given;
    const parents = given.parents.map((parent) => this.idOf(parent));
    const object = await readObject(given.object, "commit");
    const edits = await this.#edits(given);
    const rows = this.#rows;
    const reader = this.#reader;
    const [first] = parents;
    const before = first === undefined
      ? null
      : await reader.commit(shortOf(first));
    const { id, form } = await this.#state(before, edits, given);
    const bytes = renameCommit(object, { state: toHex(id), parents });
    const commit: Commit = { id: toHex(blake3(bytes)), ...decodeCommit(bytes) };
    const states = { formOf: () => form, differences: () => streamed(edits) };
    const nodes = { add() {} };
    const ground = { states, nodes, rows, reader, isUsed: true };
    await new CommitBuilder(ground, commit, bytes).build();
    this.#ids.set(name, commit.id);
  }

  /** The state that edits make of that of a commit: its id, and the form of that. */
  async #state(
    before: CommitRow | null,
    edits: Edits,
    { form: stateForm = "tree" }: HistoryCommit,
  ): ReturnType<typeof identifyState> {
    const reader = this.#reader;
    const { flats, meta } = this.#store;
    const { root } = await applyEdits(
      reader,
      before?.root ?? emptyRoot(),
      edits.map(({ id, object }) => ({
        id,
        entry: object && { id, object, changed: SELF, born: SELF },
      })),
    );
    const made = edits.map(({ id, object }) => ({
      id,
      node: object && { object, bytes: null },
    }));
    const ground = { ...planningGround({ reader, flats, meta }), stateForm };
    return await identifyState(
      ground,
      root,
      () => imageOf(ground, before, { root, edits: made }),
    );
  }

  /** Writes the last rows, and the branches. */
  async end(refs: ReadonlyMap<string, string>): Promise<void> {
    await this.#rows.flush();
    const ids = new Map([...refs].map(([name, id]) => [name, this.idOf(id)]));
    await setBranches(this.#store, ids, () => {});
  }

  /** Stores the nodes of a commit; returns what they are in the order of the tree. */
  async #edits({ id: name, changes }: HistoryCommit): Promise<Edits> {
    const found = new Map<string, Uint8Array | null>();
    for await (const change of changes) {
      const { id, object: text } = change;
      let bytes: Uint8Array | null;
      try {
        bytes = text && await readNode(id, text);
      } catch (error) {
        if (this.#options.refused === undefined) throw error;
        this.#options.refused(error, change, name);
        continue;
      }
      found.set(id, bytes && await this.#keep(id, bytes));
    }
    return Array.from(found, ([id, object]) => ({ id, object }))
      .sort((a, b) => compareUtf8(a.id, b.id));
  }

  async #keep(id: string, bytes: Uint8Array): Promise<Uint8Array> {
    const object = blake3(bytes);
    const row = nodeRow({ id, node: { object, bytes } });
    if (row !== null) await this.#rows.set([row]);
    return object;
  }
}

async function readNode(id: string, text: Uint8Array): Promise<Uint8Array> {
  const bytes = await readObject(text, "memory_node");
  const own = readFields(bytes, "memory_node").text("id");
  if (own === id) return bytes;
  throw corruptBundle(`its id is ${quote(own)}, must be ${quote(id)}`);
}

async function* streamed(edits: Edits): AsyncGenerator<Edits[number]> {
  yield* edits;
}
