/**
 * One branch, read and written.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { bisectChain, scanChain } from "../history/bisect.ts";
import { writtenIn } from "../history/written_in.ts";
import { ancestorAt } from "../history/skip_list.ts";
import type { Commit } from "../object/commit.ts";
import { shortOf } from "../object/graph_commit.ts";
import type { Json } from "../object/json.ts";
import type { MemoryNode } from "../object/memory_node.ts";
import { quote } from "../object/quote.ts";
import { commitOf, type CommitRow } from "../storage/commit_row.ts";
import type { Position } from "../storage/head.ts";
import { checkFlag, checkFunction, checkOptions } from "./check_options.ts";
import { mergeRevision, revertRevision } from "./merging.ts";
import { CommitSnapshot } from "./commit_snapshot.ts";
import {
  changeKinds,
  changesSince,
  commitChanges,
  type NodeBytes,
  nodeChanges,
} from "./node_changes.ts";
import { judgeWrite } from "./judge_write.ts";
import { gatherEdits, prepareWrite } from "./prepared_write.ts";
import {
  readHeadCommit,
  resolvePair,
  resolveRevision,
} from "./resolve_revision.ts";
import type { Session } from "./session.ts";
import type { SharedStore } from "./shared_store.ts";
import type {
  BisectOptions,
  BisectResult,
  Blame,
  Branch,
  ChangeKind,
  Edit,
  Head,
  LogOptions,
  MergeOptions,
  MergeResult,
  NodeChange,
  NodeEntry,
  NodesOptions,
  NodeVersion,
  RevertOptions,
  Revision,
  Snapshot,
  VersionsOptions,
  WriteOptions,
  Written,
} from "./surface.ts";

/** Reads and writes one line of history: that of a branch, or whatever HEAD is on. */
export class BranchView implements Branch {
  readonly #session: Session;
  readonly #position: () => Position;

  /** Views a position of a session; it is asked at each call, for a handle may switch. */
  constructor(session: Session, position: () => Position) {
    this.#session = session;
    this.#position = position;
  }

  /** The author of commits that name none, if the store was opened with one. */
  get author(): string | undefined {
    return this.#session.author;
  }

  /** The branch and its commit. */
  async head(): Promise<Head> {
    const { head } = await this.#session.run(({ heads }) =>
      heads.read(this.#position())
    );
    return { branch: head.branch, commit: head.row?.commit.id ?? null };
  }

  /** Memory as of a revision; HEAD if none is given. */
  async at(revision?: Revision): Promise<Snapshot> {
    return new CommitSnapshot(this.#session, await this.#rowAt(revision));
  }

  /** One node of the head's memory, or null. */
  async node<T = Json>(id: string): Promise<MemoryNode<T> | null> {
    return await this.#once((snapshot) => snapshot.node<T>(id));
  }

  /** Nodes of the head's memory in id order. */
  async *nodes(options: NodesOptions = {}): AsyncGenerator<MemoryNode> {
    yield* (await this.at()).nodes(options);
  }

  /** Which nodes the head's memory holds and where they come from, in id order. */
  async *entries(options: NodesOptions = {}): AsyncGenerator<NodeEntry> {
    yield* (await this.at()).entries(options);
  }

  /** The head's whole memory, in id order. */
  async memory(): Promise<Map<string, MemoryNode>> {
    return await this.#once((snapshot) => snapshot.memory());
  }

  /** The commit that wrote a node's value. */
  async blame<T = Json>(id: string): Promise<Blame<T>> {
    return await this.#once((snapshot) => snapshot.blame<T>(id));
  }

  /** The line of values that led to the head's, newest first. */
  async *versions(
    id: string,
    options?: VersionsOptions,
  ): AsyncGenerator<NodeVersion> {
    yield* (await this.at()).versions(id, options);
  }

  /** History from the head: children before parents, newest first among the free. */
  async *log(options: LogOptions = {}): AsyncGenerator<Commit> {
    yield* (await this.at()).log(options);
  }

  /** Makes one commit of these edits, or none if nothing changes. */
  async write(edits: Iterable<Edit>, options: WriteOptions): Promise<Written> {
    const given = gatherEdits(edits);
    const write = prepareWrite(given, options, this.#session);
    const position = this.#position();
    return await this.#session.run(async (store) => {
      const judged = await judgeWrite(this.#session.guard, {
        store,
        position,
        write,
      });
      return await store.queue(position).submit(judged);
    });
  }

  /** Brings another line of history in. Conflicts are a result, not an error. */
  async merge(
    theirs: Revision,
    options: MergeOptions = {},
  ): Promise<MergeResult> {
    const target = { session: this.#session, position: this.#position() };
    return await mergeRevision(target, theirs, checkOptions(options));
  }

  /** Takes back what one commit changed against its parent, as one commit on the head. */
  async revert(
    revision: Revision,
    options: RevertOptions = {},
  ): Promise<MergeResult> {
    const target = { session: this.#session, position: this.#position() };
    return await revertRevision(target, revision, checkOptions(options));
  }

  /** What a commit changed against its first parent; for a root, everything added. In id order. */
  async changes(revision?: Revision): Promise<NodeChange[]> {
    const position = this.#position();
    return await this.#session.run(async (store) => {
      const row = revision === undefined
        ? await readHeadCommit(store, position)
        : await resolveRevision(store, position, revision);
      if (row === null) return [];
      const changes: NodeChange[] = [];
      const objects = commitChanges(store, row);
      for await (const change of nodeChanges(objects, nodesOf(store))) {
        changes.push(change);
      }
      return changes;
    });
  }

  /** What a commit changed, as kinds by node id: no node is read. */
  async changed(revision?: Revision): Promise<Map<string, ChangeKind>> {
    const position = this.#position();
    return await this.#session.run(async (store) => {
      const row = revision === undefined
        ? await readHeadCommit(store, position)
        : await resolveRevision(store, position, revision);
      return row === null
        ? new Map()
        : await changeKinds(commitChanges(store, row));
    });
  }

  /** What differs between two commits; `to`: HEAD. In id order. */
  async *diff(
    from: Revision,
    to: Revision = "HEAD",
  ): AsyncGenerator<NodeChange> {
    const [before, after] = await this.#session.run((store) =>
      resolvePair(store, this.#position(), [from, to])
    );
    const [parent] = after.commit.parents;
    yield* this.#session.each((store) => {
      const changes = parent !== undefined && shortOf(parent) === before
        ? commitChanges(store, after)
        : changesSince(store, before, after);
      return nodeChanges(changes, nodesOf(store));
    });
  }

  /** Finds the earliest commit on the first-parent chain where a predicate holds. */
  async bisect(
    predicate: (memory: Pick<Snapshot, "node">) => boolean | Promise<boolean>,
    options: BisectOptions = {},
  ): Promise<BisectResult> {
    checkFunction("predicate", predicate);
    checkFlag("scan", checkOptions(options).scan);
    return await this.#session.hold((held) =>
      new BranchView(held, this.#position).#search(predicate, options)
    );
  }

  async #search(
    predicate: (memory: Pick<Snapshot, "node">) => boolean | Promise<boolean>,
    options: BisectOptions,
  ): Promise<BisectResult> {
    const { scan = false } = options;
    const { reader } = this.#session.shared;
    const holds = async (row: CommitRow): Promise<boolean> => {
      options.signal?.throwIfAborted();
      return await predicate(new CommitSnapshot(this.#session, row));
    };
    const range = await this.#bisectRange(options, holds);
    const search = scan ? scanChain : bisectChain;
    const found = await search(reader, range, holds);
    const written = await writtenIn(reader, found.commit, holds);
    const complete = scan ||
      range.bad.depth - range.goodDepth === 1;
    return {
      commit: commitOf(found.commit),
      writtenIn: commitOf(written),
      flips: found.flips.map(({ commit }) => commit.id),
      flipsComplete: complete,
    };
  }

  async #bisectRange(
    options: BisectOptions,
    holds: (row: CommitRow) => Promise<boolean>,
  ): Promise<{ bad: CommitRow; goodDepth: number }> {
    const bad = await this.#resolve(options.bad ?? "HEAD");
    const good = options.good === undefined
      ? null
      : await this.#resolve(options.good);
    if (good !== null) {
      await this.#checkGood(good, bad, options);
      if (await holds(good)) {
        throw new MnemError(
          "invalid_ref",
          `Cannot search from ${
            quote(options.good ?? "")
          }: it is already true there`,
        );
      }
    }
    if (!await holds(bad)) {
      throw new MnemError(
        "not_found",
        `Found no commit: it is not true at ${quote(options.bad ?? "HEAD")}`,
      );
    }
    return { bad, goodDepth: good?.depth ?? -1 };
  }

  async #checkGood(
    good: CommitRow,
    bad: CommitRow,
    options: BisectOptions,
  ): Promise<void> {
    const { reader } = this.#session.shared;
    const onChain = good.depth < bad.depth &&
      (await ancestorAt(reader, bad, good.depth)).commit.id === good.commit.id;
    if (onChain) return;
    throw new MnemError(
      "invalid_ref",
      `Cannot search from ${quote(options.good ?? "")}: it must come before ` +
        `${quote(options.bad ?? "HEAD")} on its chain of first parents`,
    );
  }

  /** Reads once as of the head: the two steps are one call. */
  async #once<T>(read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    const position = this.#position();
    return await this.#session.hold(async (held) => {
      const row = await readHeadCommit(held.shared, position);
      return await read(new CommitSnapshot(held, row));
    });
  }

  async #rowAt(revision: Revision | undefined): Promise<CommitRow | null> {
    return revision === undefined
      ? await this.#session.run((store) =>
        readHeadCommit(store, this.#position())
      )
      : await this.#resolve(revision);
  }

  #resolve(revision: Revision): Promise<CommitRow> {
    return this.#session.run((store) =>
      resolveRevision(store, this.#position(), revision)
    );
  }
}

function nodesOf({ reader }: SharedStore): NodeBytes {
  return (names) => reader.nodes(names);
}
