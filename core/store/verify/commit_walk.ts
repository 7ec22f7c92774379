/**
 * Goes through all commits, parents first, and checks of each what its row says.
 *
 * @module
 */

import { shortOf } from "../../object/graph_commit.ts";
import { readEntries } from "../../state/read_entry.ts";
import type { CommitRow } from "../../storage/commit_row.ts";
import { decodeAnyChunk } from "../../storage/chunk_record.ts";
import type { Driver } from "../../storage/driver.ts";
import { commitKey } from "../../storage/keys.ts";
import { describeKey } from "../../storage/row.ts";
import { StoreReader } from "../../storage/store_reader.ts";
import { ChunkReader } from "./chunk_reader.ts";
import { openCommitRow, type OpenedCommit } from "./commit_rows.ts";
import { compareEntries, type EntryComparison } from "./entry_check.ts";
import { type FaultList, isDamage } from "./fault_list.ts";
import { checkGraph } from "./graph_check.ts";
import type { KnownCommits } from "./known_commits.ts";
import { StoredNodes } from "./node_rows.ts";
import { Packs } from "./packs.ts";
import { RemovalMarks } from "./removal_marks.ts";
import type { RowReader } from "./row_reader.ts";
import { StateCheck } from "./state_check.ts";
import { TreeCheck } from "./tree_check.ts";

/** Commits whose rows are read in one round. */
const WAVE_COMMITS = 64;

/** What the walk begins with. */
export interface WalkStart {
  /** Reads rows. */
  readonly rows: RowReader;
  /** The commits there are. */
  readonly commits: KnownCommits;
  /** Where faults go. */
  readonly faults: FaultList;
}

/** One walk over all commits. */
export class CommitWalk implements WalkStart {
  /** Reads rows. */
  readonly rows: RowReader;
  /** The commits there are. */
  readonly commits: KnownCommits;
  /** Where faults go. */
  readonly faults: FaultList;
  /** Reads chunks, with caches of its own: what others hold in memory tells nothing of the storage. */
  readonly chunks: ChunkReader;
  readonly #reader: StoreReader;
  readonly #nodes = new StoredNodes();
  readonly #packs: Packs;
  readonly #marks: RemovalMarks;
  readonly #trees: TreeCheck;
  readonly #states: StateCheck;
  // Commits whose states are not in order: nothing is compared with them.
  readonly #unsound = new Set<string>();

  /** Walks over commits that were read. */
  constructor(driver: Driver, { rows, commits, faults }: WalkStart) {
    this.rows = rows;
    this.commits = commits;
    this.faults = faults;
    this.#reader = new StoreReader(driver);
    this.#packs = new Packs(rows, faults);
    this.#marks = new RemovalMarks(faults);
    const reader = this.#reader;
    const packs = this.#packs;
    this.chunks = new ChunkReader({ reader, rows, commits, packs, faults });
    const { chunks } = this;
    this.#trees = new TreeCheck({
      chunks,
      commits,
      nodes: this.#nodes,
      faults,
    });
    this.#states = new StateCheck(chunks, faults);
  }

  /** Reads what commits name, then checks them all. */
  async run(): Promise<void> {
    await this.#nodes.readAll(this.rows, this.faults);
    await this.#marks.readAll(this.rows);
    await this.#packs.readAll();
    const order = this.commits.inOrder();
    for (let at = 0; at < order.length; at += WAVE_COMMITS) {
      const keys = order.slice(at, at + WAVE_COMMITS).map(commitKey);
      for (const [i, row] of (await this.rows.rows(keys)).entries()) {
        const opened = row === null
          ? null
          : await openCommitRow(this.rows, this.faults, row);
        if (opened !== null) await this.#checkSafely(opened);
        else this.#lose(order[at + i] ?? "", row !== null);
      }
    }
    await this.#packs.checkOwners(this.commits);
  }

  /** A row that was in order when all were listed. */
  #lose(short: string, isThere: boolean): void {
    const name = `Row ${describeKey(commitKey(short))}`;
    if (!isThere) this.faults.add("row", `${name} is gone since it was listed`);
    this.#unsound.add(short);
  }

  async #checkSafely(opened: OpenedCommit): Promise<void> {
    const { id } = opened.row.commit;
    try {
      if (await this.#check(opened)) return;
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.faults.addError(`What commit ${id} names`, error);
    }
    this.#unsound.add(shortOf(id));
  }

  /** Whether the commit's state is in order: then its children can be compared with it. */
  async #check({ row, records }: OpenedCommit): Promise<boolean> {
    const { id, parents } = row.commit;
    const short = shortOf(id);
    const linked = parents.map((parent) =>
      this.commits.isLinked(parent, `Commit ${id}`)
    );
    checkGraph(row, this.commits, this.faults);
    this.#keepChunks(row, records);
    if (!await this.#trees.isSound(row.root, id)) return false;
    const before = linked.every((isLinked) => isLinked)
      ? await this.#soundParents(parents)
      : null;
    const self = this.commits.originOf(short);
    const compared = before === null || self === null
      ? null
      : await compareEntries(this.chunks, row, before, self);
    if (!await this.#states.check(row, compared?.edits ?? null)) return false;
    if (compared === null) return true;
    compared.tell(this.faults);
    await this.#checkMarks(row, before?.[0], compared);
    return true;
  }

  /** The parents of a commit, null unless the states of all are in order. */
  async #soundParents(ids: readonly string[]): Promise<CommitRow[] | null> {
    const shorts = ids.map(shortOf);
    if (shorts.some((short) => this.#unsound.has(short))) return null;
    const rows = await this.#reader.commits(shorts);
    return rows.filter((row) => row !== null);
  }

  async #checkMarks(
    { commit }: CommitRow,
    parent: CommitRow | undefined,
    { edits }: EntryComparison,
  ): Promise<void> {
    const heldBefore = async (ids: readonly string[]) =>
      parent === undefined
        ? []
        : [...(await readEntries(this.chunks, parent.root, ids)).keys()];
    await this.#marks.check({
      commit: commit.id,
      packs: this.#packs.of(shortOf(commit.id)),
      ids: edits.filter(({ object }) => object === null).map(({ id }) => id),
      heldBefore,
    });
  }

  /** Keeps the chunks that lie in the commit's own row, which is at hand. */
  #keepChunks(row: CommitRow, records: readonly Uint8Array[]): void {
    this.#reader.keepCommit(row);
    const pack = shortOf(row.commit.id);
    const self = this.commits.originOf(pack);
    if (self === null) return;
    const key = describeKey(commitKey(pack));
    records.forEach((record, index) => {
      const chunk = this.faults.attempt(
        `Chunk ${index} of row ${key}`,
        () => decodeAnyChunk(record, { self, pack }),
      );
      if (chunk === null) return;
      this.#reader.keepChunk({ pack, part: 0, index }, chunk);
    });
  }
}
