/**
 * What the algorithms of history need of a store: commits, read many at a time. One read is one
 * round to the storage.
 *
 * @module
 */

import type { GraphCommit } from "../object/graph_commit.ts";

/** Reads commits by the first 32 hex digits of their ids. */
export interface CommitGraph<C extends GraphCommit = GraphCommit> {
  /** In the order asked for; null where there is none. One round. */
  commits(shorts: readonly string[]): Promise<readonly (C | null)[]>;
  /** One commit that another names. */
  commit(short: string): Promise<C>;
}
