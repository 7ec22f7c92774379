/**
 * The shapes that users of a store meet: {@linkcode Snapshot} reads memory as of one commit,
 * {@linkcode Branch} reads and writes one branch, {@linkcode Store} is the current branch and all refs.
 *
 * @module
 */

import type { Commit, ObjectId } from "../object/commit.ts";
import type { Json } from "../object/json.ts";
import type { MemoryNode, NodeInput } from "../object/memory_node.ts";
import type { Origin } from "../state/chunk.ts";
import type { VerifyOptions, VerifyReport } from "./verify/report.ts";

/** Text that names a commit: branch, full or short (>= 4) hex, HEAD, with ~n, ^n, @{time}. */
export type Revision = string;
/** What happened to a node between two memories. */
export type ChangeKind = "added" | "modified" | "removed";

/** One node that differs between two memories. */
export interface NodeChange {
  /** The node's id. */
  readonly id: string;
  /** What happened to it. */
  readonly kind: ChangeKind;
  /** The node before; null when it was added. */
  readonly old: MemoryNode | null;
  /** The node after; null when it was removed. */
  readonly new: MemoryNode | null;
  /** The content is the same; only provenance or event time differ. */
  readonly evidenceOnly: boolean;
}

/** Who is behind a belief. */
export interface Blame<T = Json> {
  /** The commit that wrote the value, seen through merges. */
  readonly commit: Commit;
  /** The node as it was written there. */
  readonly node: MemoryNode<T>;
  /** The event time, else the commit's, in Unix milliseconds. */
  readonly timeMs: number;
}

/** One value that a node had; null where it had been removed. */
export interface NodeVersion {
  /** The commit that wrote or removed it. */
  readonly commit: Commit;
  /** The node as written; null for a removal. */
  readonly node: MemoryNode | null;
}

/** Where a node of a memory comes from, without the node itself. */
export interface NodeEntry {
  /** The node's id. */
  readonly id: string;
  /** The commit that wrote the value, seen through merges. */
  readonly changed: Origin;
  /** The commit that added the node since it was last absent. */
  readonly born: Origin;
}

/** Which nodes to list: by id, by prefix, after an id, at most so many. All of them must hold. */
export interface NodesOptions {
  /** Only these ids, in any order; those that are not in memory are passed over. */
  readonly ids?: readonly string[] | undefined;
  /** Only ids that begin with it. */
  readonly prefix?: string | undefined;
  /** Only ids after it, bytewise UTF-8. */
  readonly after?: string | undefined;
  /** At most so many. */
  readonly limit?: number | undefined;
}

/** Which versions of a node to list. */
export interface VersionsOptions {
  /** Only what changed along first parents: a merge stands for what it brought in. */
  readonly firstParent?: boolean | undefined;
}

/** Which commits to list. */
export interface LogOptions {
  /** At most so many. */
  readonly limit?: number | undefined;
  /** Follow first parents only. */
  readonly firstParent?: boolean | undefined;
  /** Only commits whose entry for this node differs from every parent's. */
  readonly node?: string | undefined;
}

/** Memory as of one commit. A Store reads the same way, as of its head at each call. */
export interface Snapshot {
  /** Null on a branch that has no commit yet. */
  readonly commit: Commit | null;
  /** One node, or null if it is not in memory. */
  node<T = Json>(id: string): Promise<MemoryNode<T> | null>;
  /** Nodes in id order, bytewise UTF-8. */
  nodes(options?: NodesOptions): AsyncIterable<MemoryNode>;
  /** The same without the nodes: which there are and where they come from. In id order; no node is read. */
  entries(options?: NodesOptions): AsyncIterable<NodeEntry>;
  /** The whole memory, in id order. */
  memory(): Promise<Map<string, MemoryNode>>;
  /** The commit that wrote a node's value. `not_found` if the node is not in memory. */
  blame<T = Json>(id: string): Promise<Blame<T>>;
  /**
   * The line of values that led to this one, through removals and merges, newest first; of a value
   * that a merge brought in, the line of the side that wrote it.
   */
  versions(id: string, options?: VersionsOptions): AsyncIterable<NodeVersion>;
  /** Children before parents, newest first among the free, ties by id descending. */
  log(options?: LogOptions): AsyncIterable<Commit>;
}

/** Where a predicate over memory became true. */
export interface BisectResult {
  /** The earliest commit on the first-parent chain, after `good`, where the predicate holds. */
  readonly commit: Commit;
  /** The same; or, when `commit` is a merge that brought it in, the commit of the merged side where it began. */
  readonly writtenIn: Commit;
  /** Commits whose answer differs from their first parent's, oldest first: all of them if `flipsComplete`, else those met. */
  readonly flips: readonly ObjectId[];
  /** Whether `flips` is complete. */
  readonly flipsComplete: boolean;
}

/** One change asked for. Removing an absent id is no change. An id given twice: the last wins. */
export type Edit =
  | ({ readonly id: string; readonly remove?: never } & NodeInput)
  | { readonly id: string; readonly remove: true; readonly content?: never };

/** What a commit says of itself, and how to ask for it again. */
export interface CommitOptions {
  /** Made once: again, the branch answers as the first time. 1 to 256 bytes; `conflict` if it was another request. */
  readonly key?: string | undefined;
  /** What the commit did. */
  readonly message?: string | undefined;
  /** Else the store's, else "unknown". */
  readonly author?: string | undefined;
  /** Unix milliseconds; else the store's clock, read once a call. */
  readonly timeMs?: number | undefined;
}

/** How to write. */
export interface WriteOptions extends CommitOptions {
  /** What the commit did. */
  readonly message: string;
  /** The commit that the caller had read (null: none). `conflict`, with both values in `data`, if an id edited here differs between it and the head. */
  readonly base?: ObjectId | null | undefined;
  /** Makes a commit even where nothing changes. */
  readonly allowEmpty?: boolean | undefined;
  /** Fails with `not_found` where nothing changes. */
  readonly mustChange?: boolean | undefined;
}

/** What a write did. */
export interface Written {
  /** The new commit; when nothing was new the head as it was, null if there is none. */
  readonly commit: ObjectId | null;
  /** Empty when every edit was already so: then no commit was made. In id order, bytewise UTF-8. */
  readonly changes: ReadonlyMap<string, ChangeKind>;
}

/** Where a branch stands. */
export interface Head {
  /** Null when HEAD is detached. */
  readonly branch: string | null;
  /** Null when the branch has no commit yet. */
  readonly commit: ObjectId | null;
}

/** Which commits to search. */
export interface BisectOptions {
  /** A commit where the predicate is false; default: before the root. */
  readonly good?: Revision | undefined;
  /** A commit where it is true; default: the head. */
  readonly bad?: Revision | undefined;
  /** Evaluates every commit of the chain, so that `flips` is complete. */
  readonly scan?: boolean | undefined;
  /** Stops the search. */
  readonly signal?: AbortSignal | undefined;
}

/** A node that both sides of a merge changed, and nothing decided. */
export interface Conflict {
  /** The node's id. */
  readonly id: string;
  /** How the sides disagree, ours first. */
  readonly kind: "edit/edit" | "edit/delete" | "delete/edit" | "add/add";
  /** What both started from; null if there is none, or none that they agree on. */
  readonly base: MemoryNode | null;
  /** What the branch holds; null: nothing. */
  readonly ours: MemoryNode | null;
  /** What is merged in; null: nothing. */
  readonly theirs: MemoryNode | null;
}

/** A word on a conflict: a side, the base, nothing at all, or a node. */
export type Resolution = "ours" | "theirs" | "base" | "delete" | NodeInput;

/** How to merge or revert. */
export interface MergeOptions extends CommitOptions {
  /** By node id. `not_found` for a node that does not conflict. */
  readonly resolutions?: { readonly [nodeId: string]: Resolution } | undefined;
  /** For every conflict without a resolution. */
  readonly strategy?: "ours" | "theirs" | undefined;
  /** Merges histories that have no commit in common, as if both had started from nothing. */
  readonly allowUnrelated?: boolean | undefined;
  /** Says what would come of it, and writes nothing. */
  readonly dryRun?: boolean | undefined;
}

/** How to revert. */
export interface RevertOptions extends MergeOptions {
  /** Which parent of a merge to go back to. RangeError for a merge without it. */
  readonly parent?: 1 | 2 | undefined;
}

/** What a merge or revert came to. */
export interface MergeResult {
  /** "conflicts": nothing was written. */
  readonly status: "up-to-date" | "fast-forwarded" | "merged" | "conflicts";
  /** The merge; theirs when fast-forwarded; null when up to date, in conflict or a dry run. */
  readonly commit: ObjectId | null;
  /** What nothing decided, in id order. */
  readonly conflicts: readonly Conflict[];
  /** Against ours, in id order, bytewise UTF-8. */
  readonly changes: ReadonlyMap<string, ChangeKind>;
  /** Same content, other evidence: one side's evidence was kept. In id order. */
  readonly reconciled: readonly string[];
}

/** What one branch can do. `Store` is it for the current branch, `on` for another. */
export interface Branch extends Omit<Snapshot, "commit"> {
  /** The author of commits that name none, if the store was opened with one. */
  readonly author: string | undefined;
  /** The branch and its commit. */
  head(): Promise<Head>;
  /** Memory as of a revision; HEAD if none is given. */
  at(revision?: Revision): Promise<Snapshot>;
  /** Makes one commit of these edits, or none if nothing changes. */
  write(edits: Iterable<Edit>, options: WriteOptions): Promise<Written>;
  /**
   * Brings another line of history in. Conflicts are a result, not an error. A merge that changes
   * nothing is recorded all the same.
   */
  merge(theirs: Revision, options?: MergeOptions): Promise<MergeResult>;
  /**
   * Takes back what one commit changed against its parent, as one commit on the head. Later edits of
   * the same ids are conflicts; nothing to take back is "up-to-date".
   */
  revert(revision: Revision, options?: RevertOptions): Promise<MergeResult>;
  /** What a commit changed against its first parent; for a root, everything added. In id order. */
  changes(revision?: Revision): Promise<NodeChange[]>;
  /** The same as kinds only, by node id: no node is read. */
  changed(revision?: Revision): Promise<ReadonlyMap<string, ChangeKind>>;
  /** What differs between two commits; `to`: HEAD. Ignores staging. In id order. */
  diff(from: Revision, to?: Revision): AsyncIterable<NodeChange>;
  /** Finds the earliest commit on the first-parent chain where a predicate holds. */
  bisect(
    predicate: (memory: Pick<Snapshot, "node">) => boolean | Promise<boolean>,
    options?: BisectOptions,
  ): Promise<BisectResult>;
}

/** What is staged. */
export interface StagedChanges {
  /** Node id to the id of the staged object. */
  readonly nodes: ReadonlyMap<string, ObjectId>;
  /** Node ids to be removed. */
  readonly removals: readonly string[];
}

/** Changes kept aside until they are committed. For the command line; nothing else reads or sweeps them. */
export interface Stage {
  /** Stages a node; returns its object id. */
  put(id: string, node: NodeInput): Promise<ObjectId>;
  /** Stages a removal. `not_found` if the node is neither staged nor in memory. */
  remove(id: string): Promise<void>;
  /** Drops what is staged for an id; tells whether there was anything. */
  unstage(id: string): Promise<boolean>;
  /** Everything staged, in id order. */
  list(): Promise<StagedChanges>;
  /** What `commit` would change, against `from` or the head. */
  diff(from?: Revision): AsyncIterable<NodeChange>;
  /** Makes one commit of what is staged, and empties the stage in the same atomic write. */
  commit(options: WriteOptions): Promise<Written>;
}

/** A history of memory: the current branch, and all refs. */
export interface Store extends Branch, AsyncDisposable {
  /** Where the store lies: an absolute path, or a URL. */
  readonly location: string;
  /** The version of the store's format. */
  readonly formatVersion: number;
  /** The full id of the commit that a revision names. */
  resolve(revision: Revision): Promise<ObjectId>;
  /** The commit that a revision names. */
  readCommit(revision: Revision): Promise<Commit>;
  /** Branch names to commit ids, in name order, bytewise UTF-8. */
  branches(): Promise<ReadonlyMap<string, ObjectId>>;
  /** Makes a branch at a revision, or at HEAD. `conflict` if it exists at another commit. */
  createBranch(
    name: string,
    options?: { readonly at?: Revision | undefined },
  ): Promise<void>;
  /** Removes a branch; its commits stay. Tells whether it existed. */
  deleteBranch(name: string): Promise<boolean>;
  /** Opened without `branch`: moves the store's HEAD, for all who follow it. Opened with one: moves this handle only. */
  switchTo(target: Revision): Promise<void>;
  /** Another branch, HEAD untouched; `invalid_ref` at the first call if it does not exist. */
  on(branch: string): Branch;
  /** Changes kept aside until they are committed. */
  readonly stage: Stage;
  /**
   * Checks every id, link and row, and names what is wrong. Damage is an answer, not an error.
   * Changes nothing, and holds beside writers: what lands meanwhile may be left out.
   */
  verify(options?: VerifyOptions): Promise<VerifyReport>;
  /** Ends the handle and every view of it. */
  close(): Promise<void>;
}
