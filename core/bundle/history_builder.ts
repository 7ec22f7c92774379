/**
 * Builds the history of a bundle in a store: each commit on its parents, as if it had been written
 * there.
 *
 * @module
 */

import { CHANGE_LIST_ENTRIES_MAX, SINGLE_WRITE_NODES_MAX } from "../limits.ts";
import { type Commit, decodeCommit } from "../object/commit.ts";
import { shortOf } from "../object/graph_commit.ts";
import { toHex } from "../object/hex.ts";
import { applyEdits } from "../state/apply_edits.ts";
import { type ChunkRef, type Origin, sameId } from "../state/chunk.ts";
import { emptyRoot } from "../state/make_chunk.ts";
import type { CommitRow, ListedChange } from "../storage/commit_row.ts";
import type { StoreReader } from "../storage/store_reader.ts";
import { generationOver, placeCommit } from "../store/make_commit.ts";
import { removalRows } from "../store/write_rows.ts";
import { commitsInOrder } from "./commit_order.ts";
import { addName } from "./node_items.ts";
import type { ObjectFile } from "./object_file.ts";
import { corruptObject } from "./object_reader.ts";
import { PackBuilder } from "./pack_builder.ts";
import type { Sorter } from "./sorter.ts";
import { type StateChange, stateChanges } from "./state_edits.ts";
import type { StateObjects } from "./state_objects.ts";
import type { WriteBehind } from "./write_behind.ts";

/** What a history is built from, and where. */
export interface BuildGround {
  /** The states of commits. */
  readonly states: Pick<StateObjects, "formOf" | "differences">;
  /** Takes the names that commits have for nodes. */
  readonly nodes: Pick<Sorter, "add">;
  /** Writes rows. */
  readonly rows: WriteBehind;
  /** Reads what was built, and what was there before. */
  readonly reader: StoreReader;
  /** Whether the store may hold some of the commits. */
  readonly isUsed: boolean;
}

/**
 * Builds every commit of a bundle that is not there yet. Throws `corrupt_store` for links that lead nowhere, or to
 * an object of another kind, and for a state that is not what its id says.
 */
export async function buildHistory(
  objects: ObjectFile,
  ground: BuildGround,
  check: () => void,
): Promise<void> {
  for (const id of commitsInOrder(objects)) {
    check();
    const { bytes } = objects.find(id)!;
    const commit: Commit = { id: toHex(id), ...decodeCommit(bytes) };
    await new CommitBuilder(ground, commit, bytes.slice()).build();
  }
}

/** Builds one commit, whose parents are there. */
export class CommitBuilder {
  readonly #ground: BuildGround;
  readonly #commit: Commit;
  readonly #bytes: Uint8Array;
  readonly #listed: ListedChange[] = [];
  #changed = 0;
  #pack: PackBuilder | undefined;

  /** Takes a commit and its bytes. */
  constructor(ground: BuildGround, commit: Commit, bytes: Uint8Array) {
    this.#ground = ground;
    this.#commit = commit;
    this.#bytes = bytes;
  }

  /** Writes its rows, unless the store has it. */
  async build(): Promise<void> {
    const { states, reader } = this.#ground;
    const { id, state } = this.#commit;
    const parents = await this.#parents();
    const known = this.#ground.isUsed ? await this.#known() : null;
    const self: Origin = {
      commit: shortOf(id),
      timeMs: this.#commit.timeMs,
      generation: generationOver(parents),
    };
    let root = parents[0]?.root ?? emptyRoot();
    const at = { id, state, parents, self };
    for await (const changes of stateChanges(states, reader, at)) {
      this.#name(changes, self);
      if (known === null) root = await this.#apply(root, changes, self);
    }
    if (known === null) await this.#write(root, parents, self);
  }

  async #parents(): Promise<CommitRow[]> {
    const shorts = this.#commit.parents.map(shortOf);
    const rows = await this.#ground.reader.commits(shorts);
    return rows.map((row, i) => {
      const id = this.#commit.parents[i]!;
      if (row?.commit.id !== id) throw sharedBytes(id);
      return row;
    });
  }

  /** The commit, if the store has it. */
  async #known(): Promise<CommitRow | null> {
    const { id } = this.#commit;
    const [row = null] = await this.#ground.reader.commits([shortOf(id)]);
    if (row !== null && row.commit.id !== id) throw sharedBytes(id);
    return row;
  }

  /** Says which node each value must be that this commit wrote. */
  #name(changes: readonly StateChange[], self: Origin): void {
    for (const { id, entry } of changes) {
      if (entry === null || entry.changed !== self) continue;
      addName(this.#ground.nodes, { id, object: entry.object }, true);
    }
  }

  async #apply(
    tree: ChunkRef,
    changes: readonly StateChange[],
    self: Origin,
  ): Promise<ChunkRef> {
    const { reader, rows } = this.#ground;
    const { root } = await applyEdits(reader, tree, changes);
    const changed = changes.filter(changesObject);
    const removed = changed.filter(({ entry }) => entry === null)
      .map(({ id }) => ({ id, node: null }));
    await rows.set(removalRows(removed, self.commit));
    this.#changed += changed.length;
    if (this.#changed <= CHANGE_LIST_ENTRIES_MAX) {
      this.#listed.push(...changed.map(listed));
    }
    return this.#changed > SINGLE_WRITE_NODES_MAX
      ? await this.#packed(root, self)
      : root;
  }

  async #write(
    root: ChunkRef,
    parents: readonly CommitRow[],
    self: Origin,
  ): Promise<void> {
    const { states, reader, rows } = this.#ground;
    const { id, state } = this.#commit;
    const form = states.formOf(state, id);
    if (form === "tree" && toHex(root.id) !== state) {
      throw corruptObject(
        state,
        `its ${root.count} nodes make the state ${toHex(root.id)}`,
      );
    }
    const changes = this.#changed > CHANGE_LIST_ENTRIES_MAX
      ? null
      : this.#listed;
    const commit = { commit: this.#commit, bytes: this.#bytes };
    let made = placeCommit(commit, { parents, root, form, changes });
    if (made.framed.pieces.length > 0) {
      const packed = await this.#packed(root, self);
      made = placeCommit(commit, { parents, root: packed, form, changes });
    }
    for (const { address, chunk } of made.placed) {
      reader.keepChunk(address, chunk);
    }
    reader.keepCommit(made.row);
    await rows.set([made.framed]);
  }

  async #packed(root: ChunkRef, self: Origin): Promise<ChunkRef> {
    this.#pack ??= new PackBuilder(this.#ground, self);
    return await this.#pack.place(root);
  }
}

function changesObject({ entry, old }: StateChange): boolean {
  if (entry === null || old === undefined) return true;
  return !sameId(entry.object, old.object);
}

function listed({ id, entry, old }: StateChange): ListedChange {
  return {
    id,
    object: entry?.object ?? null,
    old: old?.object ?? null,
    oldOrigin: old?.changed ?? null,
  };
}

function sharedBytes(id: string): Error {
  return corruptObject(
    id,
    "another commit, which is there already, begins with the same 16 bytes",
  );
}
