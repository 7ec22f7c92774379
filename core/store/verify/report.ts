/**
 * What verifying a store comes to.
 *
 * @module
 */

/**
 * What is wrong, for a program to branch on. The list is closed: codes may be added, never changed.
 *
 * - `meta`: what the store says of itself is missing or no such thing
 * - `head`: HEAD is missing, or names what is not there
 * - `ref`: a branch has no valid name, or its copies are not what its commit's row holds
 * - `row`: a row cannot be read: its key, its frame, or the form of what it holds
 * - `seal`: a row does not match its seal
 * - `version`: a row or an object is of a later version
 * - `object_id`: bytes are not those that an id names
 * - `link`: something is named and not stored
 * - `graph`: a commit's generation, depth or latest merge is not what follows from its parents
 * - `skip_list`: a commit's skip list is not what follows from its first parent
 * - `tree`: chunks are not the one tree of their node ids: order, boundaries, keys, counts
 * - `state`: a commit's state is not the id of its tree
 * - `origin`: an entry names another commit than the one that wrote or added it
 * - `changes`: a commit's change list is not what differs from its first parent
 * - `removal`: the marks of removals are not what commits removed
 * - `stage`: what is staged is not staged as it should be
 * - `request`: a kept request is not as it should be
 */
export type VerifyFaultCode =
  | "meta"
  | "head"
  | "ref"
  | "row"
  | "seal"
  | "version"
  | "object_id"
  | "link"
  | "graph"
  | "skip_list"
  | "tree"
  | "state"
  | "origin"
  | "changes"
  | "removal"
  | "stage"
  | "request";

/** One thing that is wrong. */
export interface VerifyFault {
  /** What kind of thing. */
  readonly code: VerifyFaultCode;
  /** The place and the fault in words: which row or commit, which node id. Content appears nowhere. */
  readonly what: string;
}

/** What verifying found. */
export interface VerifyReport {
  /** Rows that were looked at, each once. */
  readonly checked: number;
  /** All that is wrong; empty for a store in order. */
  readonly faults: readonly VerifyFault[];
}

/** How to verify. */
export interface VerifyOptions {
  /** Stops it between two rounds of reading: the call then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}
