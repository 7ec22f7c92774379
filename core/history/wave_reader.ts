/**
 * Reads the parents of commits for a walk by generation, and ahead of it: with each commit that is
 * not known yet come the ancestors that the skip lists already name.
 *
 * @module
 */

import { type GraphCommit, shortOf } from "../object/graph_commit.ts";
import type { CommitGraph } from "./commit_graph.ts";

/** How far below the walk to read ahead, in commits: at first, and at most. */
const AHEAD_MIN = 64;
const AHEAD_MAX = 4_096;

/** Reads commits in few rounds, at the price of some that are not needed. */
export class WaveReader<C extends GraphCommit> {
  readonly #graph: CommitGraph<C>;
  readonly #known = new Map<string, C>();
  // Named by a skip list, and not read yet: by short id, with the depth.
  readonly #named = new Map<string, number>();
  #ahead = AHEAD_MIN;

  /** Reads from a graph. */
  constructor(graph: CommitGraph<C>) {
    this.#graph = graph;
  }

  /** The parents of a commit, in order. */
  async parents(child: C): Promise<C[]> {
    this.#learn(child);
    const wanted = child.commit.parents.map(shortOf);
    const missing = wanted.filter((short) => !this.#known.has(short));
    if (missing.length > 0) await this.#wave(child, missing);
    return await Promise.all(
      wanted.map((short) =>
        this.#known.get(short) ?? this.#graph.commit(short)
      ),
    );
  }

  async #wave(from: C, wanted: readonly string[]): Promise<void> {
    const lowest = from.depth - this.#ahead;
    const near = [...this.#named].filter(([, depth]) => depth >= lowest).map((
      [short],
    ) => short);
    this.#ahead = Math.min(this.#ahead * 2, AHEAD_MAX);
    const read = await this.#graph.commits([...new Set([...wanted, ...near])]);
    for (const commit of read) if (commit !== null) this.#learn(commit);
  }

  #learn(commit: C): void {
    const short = shortOf(commit.commit.id);
    if (this.#known.has(short)) return;
    this.#known.set(short, commit);
    this.#named.delete(short);
    for (const skip of commit.skips) {
      if (!this.#known.has(skip.commit)) {
        this.#named.set(skip.commit, skip.depth);
      }
    }
  }
}
