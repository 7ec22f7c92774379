/**
 * A commit and its place in the graph of commits: what storage keeps beside a commit's bytes, and
 * what the algorithms of history run on.
 *
 * @module
 */

import type { Commit } from "./commit.ts";

/** An ancestor on the first-parent chain, and how many commits one may skip by going there. */
export interface SkipEntry {
  /** The first 32 hex digits of the ancestor's id. */
  readonly commit: string;
  /** Its depth on the first-parent chain; a root has 0. */
  readonly depth: number;
  /** The size of the skew-binary tree that it heads. */
  readonly size: number;
}

/** A commit and its place in the graph. */
export interface GraphCommit {
  /** The commit. */
  readonly commit: Commit;
  /** One more than the highest of its parents; a root has 0. */
  readonly generation: number;
  /** Its place on the first-parent chain; a root has 0. */
  readonly depth: number;
  /** The depth of the latest merge on its first-parent chain, itself included; null if there is none. */
  readonly mergeDepth: number | null;
  /** Ancestors on the first-parent chain, nearest first. */
  readonly skips: readonly SkipEntry[];
}

/** The first 32 hex digits of an id, 16 bytes: how rows and skip lists name a commit. */
export function shortOf(id: string): string {
  return id.slice(0, 32);
}
