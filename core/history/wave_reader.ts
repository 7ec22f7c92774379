/**
 * Reads the parents of commits for a walk by generation, and ahead of it: with each commit that is
 * not known yet come the ancestors that the skip lists already name.
 *
 * @module
 */

import { type GraphCommit, shortOf } from "../object/graph_commit.ts";
import type { CommitGraph } from "./commit_graph.ts";

/** How far below the walk to read ahead, in commits: at first, and at most. */
const AHEAD_MIN = 1_024;
const AHEAD_MAX = 4_096;

/** Reads commits in few rounds, at the price of some that are not needed. */
export class WaveReader<C extends GraphCommit> implements CommitGraph<C> {
  readonly #graph: CommitGraph<C>;
  readonly #known = new Map<string, C>();
  // Named by a commit, and not read yet: by short id, with the highest generation it may have.
  readonly #named = new Map<string, number>();
  #ahead = AHEAD_MIN;

  /** Reads from a graph. */
  constructor(graph: CommitGraph<C>) {
    this.#graph = graph;
  }

  /** Reads commits, and knows them from then on. */
  async commits(shorts: readonly string[]): Promise<readonly (C | null)[]> {
    const read = await this.#graph.commits(shorts);
    for (const commit of read) if (commit !== null) this.learn(commit);
    return read;
  }

  /** Reads one commit, unless it is known. */
  async commit(short: string): Promise<C> {
    const commit = this.#known.get(short) ?? await this.#graph.commit(short);
    this.learn(commit);
    return commit;
  }

  /** The parents of a commit, in order. */
  async parents(child: C): Promise<C[]> {
    this.learn(child);
    const wanted = child.commit.parents.map(shortOf);
    const missing = wanted.filter((short) => !this.#known.has(short));
    if (missing.length > 0) await this.#wave(child, missing);
    return await Promise.all(
      wanted.map((short) => this.commit(short)),
    );
  }

  async #wave(from: C, wanted: readonly string[]): Promise<void> {
    const lowest = from.generation - this.#ahead;
    const near = [...this.#named].filter(([, most]) => most >= lowest).map((
      [short],
    ) => short);
    this.#ahead = Math.min(this.#ahead * 2, AHEAD_MAX);
    await this.commits([...new Set([...wanted, ...near])]);
  }

  /** Takes note of a commit, and of what it names. */
  learn(commit: C): void {
    const short = shortOf(commit.commit.id);
    if (this.#known.has(short)) return;
    this.#known.set(short, commit);
    this.#named.delete(short);
    for (const skip of commit.skips) {
      this.#name(
        skip.commit,
        commit.generation - (commit.depth - skip.depth),
      );
    }
    // So that merged sides are read beside the line that merged them, not after it.
    for (const parent of commit.commit.parents.slice(1)) {
      this.#name(shortOf(parent), commit.generation - 1);
    }
  }

  #name(short: string, generation: number): void {
    if (!this.#known.has(short)) this.#named.set(short, generation);
  }
}
